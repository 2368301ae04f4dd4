import { z } from 'zod';
import { arrayOf, jsonSchema, recordOf, type TypeSpec } from '../../src/types/type-spec';
import { contractOf, typeFaultsOf, typeOf, valueOf } from '../schema/contracts';

test('S01: a union keeps every member, or strict mode says which one it cannot express', () => {
  const union = z.object({ x: z.union([z.object({ kind: z.literal('a') }), z.looseObject({ kind: z.literal('b') })]) });
  const contract = typeOf(union as TypeSpec);
  expect((contract.schema.properties as { x: { anyOf: unknown[] } }).x.anyOf).toHaveLength(2);
  expect(contract.strict).toBeUndefined();
  expect(contract.strictObstacle).toMatch(/^x<1>: /);
});

test('S02: a closed object schema without a type is an object and keeps its properties', () => {
  const { schema } = typeOf(jsonSchema({ properties: { x: { type: 'string' } }, additionalProperties: false }));
  expect(schema).toEqual({ type: 'object', properties: { x: { type: 'string' } }, additionalProperties: false });
});

test('S03: 500 nested objects are a fault that names the limit', () => {
  let schema: Record<string, unknown> = { type: 'object' };
  for (let depth = 0; depth < 500; depth += 1) schema = { type: 'object', properties: { inner: schema } };
  expect(typeFaultsOf(jsonSchema(schema))).toMatchObject([{ what: expect.stringContaining('100 levels') as string }]);
});

test('S04, decorators 56: a record keeps its values, and goes out unstrict with the path named', () => {
  for (const contract of [
    typeOf(z.object({ tags: z.record(z.string(), z.string()) }) as TypeSpec),
    contractOf({ tags: { type: recordOf(String) } }),
  ]) {
    expect(contract.schema.properties).toMatchObject({ tags: { type: 'object', additionalProperties: { type: 'string' } } });
    expect(contract.strict).toBeUndefined();
    expect(contract.strictObstacle).toMatch(/^tags: /);
  }
});

test('S05, S07, decorators 54: optional and defaulted are required and nullable on the wire, absent in the method', () => {
  const contract = contractOf({ note: { type: String, optional: true }, limit: { type: Number, default: 5 } });
  expect(contract.strict).toMatchObject({
    required: ['note', 'limit'],
    properties: { note: { type: ['string', 'null'] }, limit: { type: ['number', 'null'] } },
  });
  expect(valueOf(contract.decode({ note: null, limit: null }))).toEqual({ limit: 5 });
});

test('S12: a schema is recognised by its shape, whichever copy of its library made it', () => {
  const { '~standard': standard } = z.array(z.string());
  const copy = Object.assign(Object.create(null) as object, { '~standard': standard });
  expect(valueOf(contractOf({ v: { type: copy as TypeSpec } }).decode({ v: ['a'] }))).toEqual({ v: ['a'] });
});

test('A06, A07, A10: null is judged by schema and value, at every depth, not by a message', () => {
  const inner = z.object({ from: z.string({ error: 'nope' }).optional() });
  const contract = contractOf({ filter: { type: inner as TypeSpec }, list: { type: arrayOf(inner as TypeSpec), optional: true } });
  expect(valueOf(contract.decode({ filter: { from: null }, list: [{ from: null }] }))).toEqual({ filter: {}, list: [{}] });
});
