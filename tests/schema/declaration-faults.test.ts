import { arrayOf, Integer, type TypeSpec } from '../../src/types/type-spec';
import { faultsOf, type Given } from './contracts';

test('an erased type says what was lost and the line to write', () => {
  expect(faultsOf({ days: { reflected: { kind: 'erased', was: 'Array' } } })).toEqual([
    {
      where: 'Weather.forecast, parameter #0 `days`',
      what: 'its type is erased to Array, which does not say of what',
      fix: "Write `@Param('days', { type: arrayOf(Number) })`.",
    },
  ]);
});

test.each<[string, Given, RegExp]>([
  ['no metadata', {}, /emitDecoratorMetadata/],
  ['a type-only import', { reflected: { kind: 'erased', was: 'Function' } }, /import type/],
  ['an import cycle', { reflected: { kind: 'erased', was: 'undefined' } }, /import each other/],
  ['a promise', { reflected: { kind: 'erased', was: 'Promise' } }, /cannot come from JSON/],
  ['a symbol', { reflected: { kind: 'erased', was: 'Symbol' } }, /cannot come from JSON/],
  ['an interface', { reflected: { kind: 'erased', was: 'Object' } }, /erased to Object/],
  ['an undefined type', { type: undefined as never }, /import each other/],
  ['a function that throws as a type', { type: (() => { throw new Error('early'); }) as never }, /early/], // prettier-ignore
  ['values that are none of the type', { type: Number, enum: ['a'] }, /`type` and `enum` disagree: its type does not take the value a/],
  ['values beside a list', { type: arrayOf(String), enum: ['a', 'b'] }, /`type` and `enum` disagree/],
  ['an empty enum', { enum: [] }, /empty/],
  ['bounds that leave no value', { type: Integer, minimum: 5, maximum: 4 }, /no value/],
  ['bounds between two integers', { type: Integer, exclusiveMinimum: 4, exclusiveMaximum: 5 }, /no value/],
  ['a negative length', { type: String, minLength: -1 }, /whole number/],
  ['a pattern that does not compile', { type: String, pattern: '(' }, /compiles/],
  ['a constraint of another type', { type: Boolean, minLength: 1 }, /`minLength`/],
  ['a default that does not fit', { type: Integer, minimum: 1, default: 0 }, /default does not fit/],
  ['an unknown option', { type: String, minLenght: 1 } as never, /`minLenght` is not an option/],
  ['a list instead of arrayOf', { type: [String] as never }, /list/],
  ['a plain object as a type', { type: { type: 'string' } as never }, /JSON Schema/],
])('%s is a fault', (_what, given, text) => {
  const faults = faultsOf({ days: given });
  expect(faults).toHaveLength(1);
  expect(faults[0]!.what).toMatch(text);
  expect(faults[0]!.fix).not.toBe('');
});

test.each<Given>([
  { type: String, enum: ['a', null] },
  { type: Integer, enum: { Low: 0, High: 1, 0: 'Low', 1: 'High' } },
  { type: BigInt, enum: [10n] as never },
])('a type that takes all of the values may stand beside them: %p', (given) => {
  expect(faultsOf({ days: given })).toEqual([]);
});

test('500 types inside one another are a fault that names the limit, not a stack overflow', () => {
  let type: TypeSpec = String;
  for (let depth = 0; depth < 500; depth += 1) type = arrayOf(type);
  expect(faultsOf({ v: { type } })).toMatchObject([{ what: expect.stringContaining('100 levels') as string }]);
});

test('a parameter called $ref or __proto__ is refused', () => {
  expect(faultsOf({ $ref: { type: String } })).toHaveLength(1);
  expect(faultsOf(Object.fromEntries([['__proto__', { type: String }]]))).toHaveLength(1);
});

test('all faults of a declaration come together', () => {
  expect(faultsOf({ a: {}, b: { type: String, minimum: 1 }, c: { type: Number } })).toHaveLength(2);
});
