import { describeFaults } from '../../src/schema/describe-faults';
import { arrayOf, Integer, literal, nullable, oneOf, recordOf, tupleOf } from '../../src/types/type-spec';
import { contractOf, refusals, valueOf, type Given } from './contracts';
import { Field } from './field';

const decode = (given: Given, value: unknown): unknown => valueOf(contractOf({ v: given }).decode({ v: value })).v;
const refused = (given: Given, value: unknown): string[] => refusals(contractOf({ v: given }).decode({ v: value }));

test.each<[string, Given, unknown, unknown]>([
  ['digits for a number', { type: Number }, '42', 42],
  ['a decimal for a number', { type: Number }, '-0.5', -0.5],
  ['an exponent for a number', { type: Number }, '1e3', 1000],
  ['digits for an integer', { type: Integer }, '42', 42],
  ['a whole decimal for an integer', { type: Integer }, 5.0, 5],
  ['a word for a boolean', { type: Boolean }, 'false', false],
  ['digits for a bigint', { type: BigInt }, '9007199254740993', 9007199254740993n],
  ['a safe number for a bigint', { type: BigInt }, 7, 7n],
  ['JSON text for a list', { type: arrayOf(String) }, '["a"]', ['a']],
  ['JSON text for a record', { type: recordOf(Number) }, '{"a":1}', { a: 1 }],
  ['JSON text for a tuple', { type: tupleOf(String, Number) }, '["a", 1]', ['a', 1]],
  ['an enum in another case', { enum: ['asc', 'desc'] }, 'DESC', 'desc'],
  ['digits for a numeric literal', { type: literal(1, 2) }, '2', 2],
  ['digits for a nullable number', { type: nullable(Number) }, '2', 2],
  ['digits where no branch takes a text', { type: oneOf(Number, Boolean) }, '2', 2],
  ['a text that a branch takes as it is', { type: oneOf(Number, String) }, '2', '2'],
  ['a text with spaces', { type: String }, '  a ', '  a '],
  ['leading zeros in a text', { type: String }, '007', '007'],
  ['JSON in a text', { type: String }, '{"a":1}', '{"a":1}'],
  ['null where it is a value', { type: nullable(String), optional: true }, null, null],
])('%s is read without loss', (_what, given, sent, got) => {
  expect(decode(given, sent)).toEqual(got);
});

test.each<[string, Given, unknown]>([
  ['a fraction for an integer', { type: Integer }, '42.5'],
  ['an empty text for a number', { type: Number }, ''],
  ['spaces around a number', { type: Number }, ' 4 '],
  ['leading zeros for a number', { type: Number }, '007'],
  ['hexadecimal for a number', { type: Number }, '0x10'],
  ['more digits than a number holds', { type: Number }, '9007199254740993'],
  ['more decimals than a number holds', { type: Number }, '0.12345678901234567890'],
  ['a number for a text', { type: String }, 5],
  ['a boolean for a number', { type: Number }, true],
  ['one for a boolean', { type: Boolean }, 1],
  ['a word for a boolean', { type: Boolean }, 'yes'],
  ['an infinite number', { type: Number }, JSON.parse('1e400')],
  ['an unsafe integer', { type: Integer }, 2 ** 53],
  ['an unsafe number for a bigint', { type: BigInt }, 2 ** 60],
  ['a single value for a list', { type: arrayOf(String) }, 'a'],
  ['JSON text that does not fit', { type: arrayOf(Number) }, '["a"]'],
  ['JSON text twice over', { type: arrayOf(Number) }, JSON.stringify('[1]')],
  ['a text for a number beside a text literal', { type: oneOf(Number, literal('auto')) }, '5'],
  ['null for a required value', { type: String }, null],
  ['nothing for a required value', { type: String }, undefined],
  ['a date that does not exist', { type: Date }, '2024-02-30T10:00:00Z'],
  ['a date without a time', { type: Date }, '2024-02-03'],
  ['a time without an offset', { type: Date }, '2024-02-03T10:00:00'],
  ['milliseconds for a date', { type: Date }, 1],
  ['a text that is no address', { type: String, format: 'email' }, 'a@b@c'],
  ['a text that is no URI', { type: URL }, 'not a url'],
])('%s is refused', (_what, given, sent) => {
  expect(refused(given, sent)).toHaveLength(1);
});

test('a date is a Date and a URL is a URL', () => {
  expect(decode({ type: Date }, '2024-05-01T10:00:00+02:00')).toEqual(new Date('2024-05-01T08:00:00Z'));
  expect(decode({ type: URL }, 'https://example.com/a')).toEqual(new URL('https://example.com/a'));
});

test.each([
  ['email', 'a.b+c@example.com', 'a..b@example.com'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
  ['ipv4', '192.168.0.1', '192.168.0.256'],
  ['ipv6', '2001:db8::1', '2001:db8::1::2'],
  ['hostname', 'a-b.example', '-a.example'],
  ['uri', 'urn:isbn:12', 'http://a b'],
  ['date', '2024-02-29', '2023-02-29'],
  ['time', '10:00:00Z', '25:00:00Z'],
  ['date-time', '2024-02-29T10:00:00.5Z', '2024-02-29 10:00:00Z'],
  ['duration', 'P1DT2H', 'P'],
])('format %s is checked locally', (format, good, bad) => {
  expect(decode({ type: String, format }, good)).toBe(good);
  expect(refused({ type: String, format }, bad)).toHaveLength(1);
});

test('lengths count characters, not UTF-16 code units', () => {
  expect(decode({ type: String, maxLength: 1 }, '😀')).toBe('😀');
  const short = contractOf({ v: { type: String, minLength: 2 } }).decode({ v: '😀' });
  expect(short).toMatchObject({ ok: false, faults: [{ hint: 'it has 1 character' }] });
});

test('the end of a pattern lets no newline through', () => {
  expect(refused({ type: String, pattern: '^[a-z]+$' }, 'abc\n')).toHaveLength(1);
});

test('a pattern with flags is checked, but not shown in a form that means something else', () => {
  const contract = contractOf({ v: { type: String, pattern: /^abc$/gi } });
  expect(contract.schema.properties).toEqual({ v: { type: 'string' } });
  for (let times = 0; times < 3; times += 1) expect(valueOf(contract.decode({ v: 'ABC' }))).toEqual({ v: 'ABC' });
  expect(refusals(contract.decode({ v: 'x' }))).toHaveLength(1);
});

test.each([
  ['repetitions inside repetitions', '^(a+)+$', `${'a'.repeat(60)}!`],
  ['alternatives repeated so often', '^(a|aa){40}b$', 'a'.repeat(60)],
  ['options repeated so often', '^(?:a?){40}b$', 'a'.repeat(60)],
  ['options in a row', `^${'a?'.repeat(40)}${'a'.repeat(40)}b$`, 'a'.repeat(80)],
  ['short repetitions in a row', `^${'a{0,9}'.repeat(20)}b$`, 'a'.repeat(180)],
  ['repeated escapes', '^\\u{61}+\\u{61}+\\u{61}+\\u{61}+b$', 'a'.repeat(9_000)],
  ['an anchor in one alternative only', '^x|a+b', 'a'.repeat(400_000)],
  ['an anchor at every line', /^\s+x/m, '\n'.repeat(400_000)],
])('a pattern that explodes is cut off: %s', (_, pattern, text) => {
  const started = process.cpuUsage();
  expect(refused({ type: String, pattern }, text)).toHaveLength(1);
  expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
});

test('a pattern that cannot explode takes texts of any length', () => {
  for (const pattern of ['^a+$', 'a', '^(?:a|b)', '^a{3}'])
    expect(decode({ type: String, pattern }, 'a'.repeat(1_000_000))).toHaveLength(1_000_000);
  expect(decode({ type: String, pattern: '^((25[0-5]|2[0-4]\\d|[01]?\\d?\\d)\\.){3}' }, '10.0.0.1')).toBe('10.0.0.1');
});

test('all faults are told at once, by path, with the nearest name of an unknown key', () => {
  class Point {}
  Field(Point, 'x', { type: Number });
  Field(Point, 'y', { type: Number });
  const contract = contractOf({ from: { type: Point }, xs: { type: arrayOf(Number) }, speed: { type: Number, optional: true } });
  const decoded = contract.decode({ from: { x: 1, y: 'north' }, xs: [1, 'b'], sped: 3 });
  expect(decoded).toEqual({
    ok: false,
    faults: [
      { path: 'from.y', expected: 'a number', got: '"north"' },
      { path: 'xs[1]', expected: 'a number', got: '"b"' },
      { path: 'sped', expected: 'no such key', got: 'an unknown key', hint: 'did you mean speed?' },
    ],
  });
});

test('what the model is told stays within 2 000 characters and says how much was left out', () => {
  const contract = contractOf({ xs: { type: arrayOf(Number) } });
  const decoded = contract.decode({ xs: new Array(500).fill('x'.repeat(1_000)) });
  if (decoded instanceof Promise || decoded.ok) throw new Error('expected faults');
  const text = describeFaults(decoded.faults);
  expect(text.length).toBeLessThanOrEqual(2_000);
  expect(text).toMatch(/and \d+ more$/);
});

test('null for what may be left out is absence, at every depth, and falls to the default', () => {
  class Filter {}
  Field(Filter, 'from', { type: String, optional: true });
  Field(Filter, 'limit', { type: Number, default: 10 });
  const contract = contractOf({ filter: { type: Filter }, note: { type: String, optional: true } });
  expect(valueOf(contract.decode({ filter: { from: null, limit: null }, note: null }))).toEqual({ filter: { limit: 10 } });
});

test.each([[''], [0], [false], [null]])('the default %j is a default', (value) => {
  const type = value === null ? nullable(String) : (Object(value) as { constructor: StringConstructor }).constructor;
  const contract = contractOf({ v: { type, default: value } });
  expect(contract.schema).toMatchObject({ required: [], properties: { v: { default: value } } });
  expect(valueOf(contract.decode({}))).toEqual({ v: value });
});

test('a default is a fresh value for every call', () => {
  const contract = contractOf({ v: { type: arrayOf(String), default: ['a'] } });
  const first = valueOf(contract.decode({})).v as string[];
  first.push('b');
  expect(valueOf(contract.decode({}))).toEqual({ v: ['a'] });
});

test('an alias is accepted and not shown; both at once are refused', () => {
  const contract = contractOf({ city: { type: String, aliases: ['town'] } });
  expect(Object.keys(contract.schema.properties as object)).toEqual(['city']);
  expect(valueOf(contract.decode({ town: 'Oslo' }))).toEqual({ city: 'Oslo' });
  expect(refusals(contract.decode({ town: 'Oslo', city: 'Rome' }))).toHaveLength(1);
});

describe('hostile input', () => {
  const any = contractOf({ v: { type: recordOf(String) }, w: { type: recordOf(recordOf(Number)), optional: true } });

  test('a key named __proto__ is refused at every depth, and nothing is polluted', () => {
    expect(refusals(any.decode(JSON.parse('{"v":{"__proto__":"x"}}')))).toHaveLength(1);
    expect(refusals(any.decode(JSON.parse('{"v":{},"w":{"a":{"__proto__":1}}}')))).toHaveLength(1);
    expect(refusals(any.decode(JSON.parse('{"v":{},"__proto__":{"admin":true}}')))).toHaveLength(1);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  test('names of built-ins are unknown keys like any other, and parameters may have them', () => {
    expect(refusals(any.decode({ v: {}, toString: 'x', constructor: {} }))).toHaveLength(2);
    const contract = contractOf({ constructor: { type: String }, toString: { type: String, optional: true } });
    expect(valueOf(contract.decode({ constructor: 'a' }))).toEqual({ constructor: 'a' });
    expect(refusals(contract.decode({}))).toEqual(['constructor: a string']);
  });

  test('a value nested 100 000 deep is a fault, for a recursive type as for a list', () => {
    class Tree {}
    Field(Tree, 'child', { type: () => Tree, optional: true });
    let deep: unknown = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { child: deep };
    expect(refusals(contractOf({ tree: { type: Tree } }).decode({ tree: deep }))).toHaveLength(1);
  });

  test('unions inside unions do not multiply without end', () => {
    class Left {}
    class Right {}
    for (const cls of [Left, Right]) Field(cls, 'inner', { type: () => oneOf(Left, Right, Integer) });
    let deep: unknown = 'no';
    for (let depth = 0; depth < 60; depth += 1) deep = { inner: deep };
    const started = process.cpuUsage();
    expect(refusals(contractOf({ v: { type: oneOf(Left, Right) } }).decode({ v: deep })).length).toBeGreaterThan(0);
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });

  test('getters that throw and proxies are faults', () => {
    const trap = new Proxy({}, { ownKeys: () => { throw new Error('no'); } }); // prettier-ignore
    const getter = Object.defineProperty({}, 'v', { enumerable: true, get: () => { throw new Error('no'); } }); // prettier-ignore
    for (const value of [trap, getter, Symbol('x'), () => 1, new Map(), [1], 5]) expect(any.decode(value)).toMatchObject({ ok: false });
  });

  test('thousands of unknown keys are told in few words', () => {
    const decoded = any.decode({ v: {}, ...Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1])) });
    expect(refusals(decoded).length).toBeLessThanOrEqual(100);
  });
});

test('a default of null is said in strict form, and large numbers in a list of unlike ones are compared', () => {
  expect(contractOf({ v: { type: String, default: null } }).strict).toBeDefined();
  const unlike = contractOf({ v: { type: arrayOf(BigInt, { uniqueItems: true }), default: [1n, 2n] } });
  expect(valueOf(unlike.decode({}))).toEqual({ v: [1n, 2n] });
});
