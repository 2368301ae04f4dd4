import * as v from 'valibot';
import { z } from 'zod';
import { arrayOf, jsonSchema, oneOf, type TypeSpec } from '../../src/types/type-spec';
import { contractOf, refusals, typeFaultsOf, typeOf, valueOf } from './contracts';

describe('a Standard Schema', () => {
  const Search = z.object({
    query: z.string().min(1),
    limit: z.number().int().max(50).default(10),
    filter: z.object({ from: z.string().optional() }).optional(),
  });

  test('says itself as JSON Schema, closed, and in strict form', () => {
    const { schema, strict } = typeOf(Search as TypeSpec);
    expect(schema).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1 },
        limit: { default: 10, type: 'integer', maximum: 50 },
        filter: { type: 'object', properties: { from: { type: 'string' } }, required: [], additionalProperties: false },
      },
      required: ['query'],
      additionalProperties: false,
    });
    expect(strict).toMatchObject({ required: ['query', 'limit', 'filter'], properties: { filter: { type: ['object', 'null'] } } });
  });

  test('null for what is optional is absence at every depth; texts are read as numbers; defaults apply', () => {
    expect(valueOf(typeOf(Search as TypeSpec).decode({ query: 'a', limit: null, filter: { from: null } }))).toEqual({
      query: 'a',
      limit: 10,
      filter: {},
    });
    expect(valueOf(typeOf(Search as TypeSpec).decode({ query: 'a', limit: '5' }))).toEqual({ query: 'a', limit: 5 });
  });

  test('its issues are faults with paths, and unknown keys are not dropped', () => {
    expect(refusals(typeOf(Search as TypeSpec).decode({ query: '', limit: 99 }))).toEqual(['query: a valid value', 'limit: a valid value']);
    expect(typeOf(Search as TypeSpec).decode({ query: 'a', limt: 1 })).toMatchObject({
      faults: [{ path: 'limt', hint: 'did you mean limit?' }],
    });
  });

  test('an asynchronous check is awaited, also inside a list, and transformations hold', async () => {
    const Even = z.number().refine(async (n) => n % 2 === 0).transform((n) => n * 10); // prettier-ignore
    const contract = contractOf({ xs: { type: arrayOf(Even as TypeSpec) } });
    expect(await contract.decode({ xs: [2, 4] })).toEqual({ ok: true, value: { xs: [20, 40] } });
    expect(await contract.decode({ xs: [2, 3] })).toMatchObject({ ok: false, faults: [{ path: 'xs[1]' }] });
  });

  test('one that takes undefined makes its parameter optional, with its default', () => {
    const contract = contractOf({ a: { type: z.string().optional() as TypeSpec }, b: { type: z.number().default(5) as TypeSpec } });
    expect(contract.schema.required).toEqual([]);
    expect(valueOf(contract.decode({}))).toEqual({ b: 5 });
  });

  test("a schema that is a function, as ArkType's are, is a schema and not a thunk", () => {
    // ArkType is published as an ES module, which Jest cannot load on every Node; its types have this shape.
    const City = z.object({ city: z.string(), days: z.number().optional() });
    const callable = Object.assign(() => 'called', { '~standard': City['~standard'] });
    const contract = typeOf(callable as unknown as TypeSpec);
    expect(contract.schema).toMatchObject({ type: 'object', required: ['city'] });
    expect(valueOf(contract.decode({ city: 'Oslo', days: '3' }))).toEqual({ city: 'Oslo', days: 3 });
  });

  test('a fault of the value itself has its own path, also where the path is of a class whose `map` gives another length', () => {
    // As ArkType's, which takes the numbers given to its constructor as its items.
    class Path extends Array<string | number> {
      constructor(...keys: (string | number)[]) {
        super();
        this.push(...keys);
      }
    }
    const standard = z.enum(['small', 'large'])['~standard'];
    const size = { '~standard': { ...standard, validate: () => ({ issues: [{ message: 'neither small nor large', path: new Path() }] }) } };
    const contract = contractOf({ size: { type: size } });
    expect(contract.decode({ size: 'huge' })).toMatchObject({ faults: [{ path: 'size', got: '"huge"' }] });
  });

  test('one that cannot say itself as JSON Schema is a fault that says what to write', () => {
    expect(typeFaultsOf(v.string() as TypeSpec)).toMatchObject([{ fix: expect.stringContaining('jsonSchema') as string }]);
    expect(typeFaultsOf(z.date() as TypeSpec)).toHaveLength(1);
  });

  test('what no branch of a union takes in the end is refused, and so is what a schema refuses without a reason', async () => {
    const never = z.string().refine(async () => false);
    const either = contractOf({ v: { type: oneOf(never as TypeSpec, never.min(1) as TypeSpec) } });
    expect(refusals(await either.decode({ v: 'x' }))).toEqual([expect.stringMatching(/^v: /)]);
    const standard = { ...z.string()['~standard'], validate: () => ({ issues: [] }) };
    expect(refusals(contractOf({ v: { type: { '~standard': standard } } }).decode({ v: 'x' }))).toEqual(['v: a valid value']);
  });

  test('items that somebody moved are sent as what they came from', () => {
    const tenfold = typeOf(arrayOf(z.number().transform((n) => n * 10) as TypeSpec));
    expect(tenfold.asSent([20, 10, 30], [10, 20], [1, 2])).toEqual([2, 1, 30]);
  });

  test('a transformation that throws refuses the value', async () => {
    const Parsed = z.string().transform((text) => JSON.parse(text) as unknown);
    expect(refusals(await contractOf({ v: { type: Parsed as TypeSpec } }).decode({ v: 'no' }))).toHaveLength(1);
  });
});

describe('a raw JSON Schema', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' }, note: { type: 'string' } },
    required: ['n'],
    additionalProperties: false,
  };

  test('is sent as given, and strict only when it is strict already', () => {
    expect(typeOf(jsonSchema(schema)).schema).toBe(schema);
    expect(typeOf(jsonSchema(schema)).strict).toBeUndefined();
    const closed = { ...schema, properties: { n: { type: 'integer' } } };
    expect(typeOf(jsonSchema(closed)).strict).toEqual(closed);
  });

  test('is checked locally, with the same readings, on a copy', () => {
    const sent = { n: '5', note: null };
    expect(valueOf(typeOf(jsonSchema(schema)).decode(sent))).toEqual({ n: 5 });
    expect(sent).toEqual({ n: '5', note: null });
    expect(refusals(typeOf(jsonSchema(schema)).decode({ m: 1 }))).toEqual(expect.arrayContaining(['n: an integer', 'm: no such key']));
  });

  test('its patterns cannot stop the process, and its formats are checked', () => {
    const hostile = { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' }, d: { type: 'string', format: 'date' } } };
    expect(refusals(typeOf(jsonSchema(hostile)).decode({ s: `${'a'.repeat(60)}!`, d: '2024-02-30' }))).toHaveLength(2);
  });

  test('definitions of a schema inside ours move to our $defs, and references follow', () => {
    const tree = {
      $ref: '#/$defs/T',
      $defs: { T: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/T' } } } } },
    };
    const { schema: whole } = contractOf({ a: { type: jsonSchema(tree) }, b: { type: jsonSchema(tree) } });
    expect(whole.properties).toEqual({ a: { $ref: '#/$defs/T' }, b: { $ref: '#/$defs/T_2' } });
    expect(whole.$defs).toMatchObject({ T_2: { properties: { kids: { items: { $ref: '#/$defs/T_2' } } } } });
  });

  test('remote references and endless nesting are faults of the declaration', () => {
    expect(typeFaultsOf(jsonSchema({ $ref: 'https://example.com/x' }))).toHaveLength(1);
    const loop: Record<string, unknown> = { type: 'object' };
    loop.properties = { loop };
    expect(typeFaultsOf(jsonSchema(loop))).toHaveLength(1);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a reference to nothing', { type: 'object', properties: { a: { $ref: '#/$defs/None' } } }, 'there is nothing'],
    ['a reference to itself', { $ref: '#' }, 'leads back to itself'],
    [
      'references in a circle',
      { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } },
      'leads back to itself',
    ],
    ['a type that there is not', { type: 'object', properties: { a: { type: 'strnig' } } }, '"strnig" is not a type'],
    ['a pattern that does not compile', { type: 'object', properties: { a: { pattern: '(' } } }, 'does not compile'],
    ['the bounds of draft 4', { type: 'object', properties: { a: { minimum: 0, exclusiveMinimum: true } } }, 'draft 4'],
    ['an asynchronous schema', { $async: true, type: 'object', properties: {} }, '$async'],
  ])('%s is a fault of the declaration, not of the first call', (_, schema, said) => {
    expect(typeFaultsOf(jsonSchema<unknown>(schema))).toEqual([expect.objectContaining({ what: expect.stringContaining(said) })]);
  });

  test.each([
    ['all of itself, many times over', { allOf: Array.from({ length: 12 }, () => ({ $ref: '#' })) }],
    [
      'a part that is any of itself',
      { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { anyOf: Array(12).fill({ $ref: '#/$defs/A' }) } } },
    ],
  ])('%s is read in time', (_, schema) => {
    const started = process.cpuUsage();
    const contract = typeOf(jsonSchema<unknown>({ additionalProperties: false, ...schema }));
    expect([contract.schema.type, typeof contract.strictObstacle]).toEqual(['object', 'string']);
    expect(typeOf(jsonSchema<unknown>(schema)).schema).toBeDefined();
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });

  test('what only looks like a mistake is none: data, names of properties, a tree, parts with an $id', () => {
    const schema = {
      type: 'object',
      properties: {
        type: { enum: [{ type: 'nothing', $ref: '#/no' }] },
        pattern: { default: { pattern: '(' } },
        child: { $ref: '#' },
        part: { $id: 'part', $defs: { Name: { type: 'string' } }, properties: { name: { $ref: '#/$defs/Name' } } },
      },
    };
    expect(typeFaultsOf(jsonSchema<unknown>(schema))).toEqual([]);
    expect(refusals(typeOf(jsonSchema<unknown>(schema)).decode({ child: { child: 5 } }))).toEqual(['child.child: an object']);
  });
});
