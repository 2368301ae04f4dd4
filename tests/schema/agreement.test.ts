import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../../src/types/json';
import { arrayOf, Integer, literal, nullable, oneOf, recordOf, tupleOf, type TypeSpec } from '../../src/types/type-spec';
import { contractOf, type Given } from './contracts';
import { Field } from './field';

const ajv = new Ajv({ strict: false });
addFormats(ajv);

/** Random choices that are the same in every run. */
class Chance {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (this.state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((this.state / 2_147_483_648) * limit);
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}

function randomType(chance: Chance, depth: number): TypeSpec {
  const inner = (): TypeSpec => randomType(chance, depth - 1);
  const flat = [String, Number, Integer, Boolean, Date, URL, literal('a', 'b'), literal(1, 2, 'x'), literal(null, 'z')];
  if (depth === 0 || chance.below(2) === 0) return chance.of(flat);
  return chance.of([
    () => arrayOf(inner(), chance.of([{}, { minItems: 1 }, { maxItems: 2 }])),
    () => tupleOf(inner(), inner()),
    () => recordOf(inner()),
    () => oneOf(inner(), inner()),
    () => nullable(inner()),
    () => randomClass(chance, depth - 1),
  ])();
}

function randomClass(chance: Chance, depth: number): TypeSpec {
  class Random {}
  for (const name of ['a', 'b', 'c'].slice(chance.below(3))) Field(Random, name, { ...randomOptions(chance, depth) });
  return Random;
}

const STRINGS: readonly Given[] = [{ minLength: 2 }, { maxLength: 3 }, { pattern: '^a' }, { format: 'email' }, { default: '' }, {}];
const NUMBERS: readonly Given[] = [{ minimum: 1 }, { maximum: 10 }, { exclusiveMinimum: 0 }, { multipleOf: 2 }, { default: 4 }, {}];

function randomOptions(chance: Chance, depth: number): Given {
  const type = randomType(chance, depth);
  const bounds = type === String ? chance.of(STRINGS) : type === Number || type === Integer ? chance.of(NUMBERS) : {};
  return { type, ...bounds, ...(chance.below(3) === 0 && { optional: true }) };
}

const TEXTS = ['', 'a', 'ab', 'b', 'abcd', '1', 'true', 'null', 'x@y.zz', '2024-05-01T10:00:00Z', 'https://a.test/'];
const ODD = [...TEXTS, 0, 1, 2.5, -1, 11, true, null, [], {}, ['a'], { a: 1 }];

/** A value as the schema asks for it, with something else in places. */
function randomValue(chance: Chance, schema: JsonSchema): unknown {
  if (chance.below(30) === 0) return chance.of(ODD);
  if (schema.anyOf !== undefined) return randomValue(chance, chance.of(schema.anyOf as JsonSchema[]));
  if (schema.enum !== undefined) return chance.of(schema.enum as unknown[]);
  switch (Array.isArray(schema.type) ? chance.of(schema.type as string[]) : schema.type) {
    case 'object': {
      const { properties = {}, required = [], additionalProperties } = schema as { properties?: object; required?: string[] } & JsonSchema;
      const known = Object.entries(properties as Record<string, JsonSchema>).filter(
        ([key]) => chance.below(required.includes(key) ? 15 : 2) > 0,
      );
      const open = typeof additionalProperties === 'object' ? ['k', 'l'].slice(chance.below(3)) : [];
      return Object.fromEntries(
        [...known, ...open.map((key) => [key, additionalProperties as JsonSchema] as const)].map(([key, one]) => [
          key,
          randomValue(chance, one),
        ]),
      );
    }
    case 'array': {
      const items =
        (schema.prefixItems as JsonSchema[] | undefined) ?? new Array<JsonSchema>(chance.below(4)).fill(schema.items as JsonSchema);
      return items.map((item) => randomValue(chance, item));
    }
    case 'integer':
    case 'number':
      return chance.of([0, 1, 2, 2.5, -3, 4, 10, 11]);
    case 'boolean':
      return chance.below(2) === 0;
    case 'null':
      return null;
    default:
      return chance.of(schema.format === undefined ? TEXTS : TEXTS.slice(-3));
  }
}

/** Where the values differ, as `sent -> read`; what became an object of its own type is not looked into. */
function changes(sent: unknown, read: unknown): string[] {
  if (Object.is(sent, read) || read instanceof Date || read instanceof URL) return [];
  if (typeof sent !== 'object' || typeof read !== 'object' || sent === null || read === null)
    return [`${JSON.stringify(sent)} -> ${JSON.stringify(read)}`];
  const [before, after] = [sent as Record<string, unknown>, read as Record<string, unknown>];
  return Object.keys(before).flatMap((key) => changes(before[key], after[key]));
}

/** All that is read although the schema refuses it: text of one reading, and `null` for what is left out. */
const WITHOUT_LOSS = /^("(-?[\d.]+)" -> \2|"(true|false)" -> \3|null -> (undefined|\{\}|""|4))$/;

test('what a schema takes, its contract reads; what it refuses is read only without loss', async () => {
  const chance = new Chance(20_261);
  let taken = 0;
  let refused = 0;
  for (let round = 0; round < 400; round += 1) {
    const given = Object.fromEntries(['p', 'q'].map((name) => [name, randomOptions(chance, 3)]));
    const contract = contractOf(given);
    const fits = ajv.compile(contract.schema);
    for (let at = 0; at < 10; at += 1) {
      const value = randomValue(chance, contract.schema);
      const decoded = await contract.decode(structuredClone(value));
      const seen = { schema: contract.schema, value, decoded };
      if (fits(value)) {
        taken += 1;
        expect(seen).toMatchObject({ decoded: { ok: true } });
      } else {
        refused += 1;
        if (decoded.ok) expect(changes(value, decoded.value).filter((change) => !WITHOUT_LOSS.test(change))).toEqual([]);
      }
    }
  }
  expect([taken > 1_000, refused > 300]).toEqual([true, true]);
});
