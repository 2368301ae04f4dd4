import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { toStrictJsonSchema } from 'openai/lib/transform';
import { Agent, AgentConfig, Param, Tool, ToolDefinitionError, ToolRegistry } from 'toolwright';
import { contractOf } from './contracts';
import { SCHEMA_CASES } from './declared-types';
import { handedCases } from './handed-cases';
import type { JsonSchema } from '../../src/types/json';
import { judgedByEngine } from './xgrammar';

interface SchemaCase {
  readonly id: string;
  readonly words: string;
  readonly schema: JsonSchema;
  readonly strict: JsonSchema | null;
  readonly accepts: readonly unknown[];
  readonly rejects: readonly unknown[];
  readonly mayAlsoBe?: string;
}
interface WrongCase {
  readonly id: string;
  readonly words: string;
  readonly why: string;
  readonly declareError: true;
}

const all = handedCases('schemas').cases as readonly (SchemaCase | WrongCase)[];
const rows = all.filter((row) => 'schema' in row);
const wrong = all.filter((row) => 'declareError' in row);

const ajv = new Ajv({ strict: false });
addFormats(ajv);

/** What the schema refuses, and our codec reads since it can only mean one thing. */
const READ_ALL_THE_SAME = new Map<string, unknown>([['{"on":"true"}', { on: true }]]);

/** The value as strict mode has it: `null` for each key that is left out. */
function nulled(schema: JsonSchema, value: unknown, root = schema): unknown {
  const one = resolved(schema, value, root);
  if (Array.isArray(value)) return value.map((item) => (one.items === undefined ? item : nulled(one.items as JsonSchema, item, root)));
  if (typeof value !== 'object' || value === null) return value;
  const given = value as Record<string, unknown>;
  const inside = Object.entries((one.properties ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(inside.map(([key, schemaOfKey]) => [key, key in given ? nulled(schemaOfKey, given[key], root) : null]));
}

function resolved(schema: JsonSchema, value: unknown, root: JsonSchema): JsonSchema {
  const name = (schema.$ref as string | undefined)?.replace('#/$defs/', '');
  if (name !== undefined) return (root.$defs as Record<string, JsonSchema>)[name]!;
  const type = Array.isArray(value) ? 'array' : typeof value;
  const branches = (schema.anyOf as readonly JsonSchema[] | undefined)?.map((one) => resolved(one, value, root));
  return branches?.find((one) => one.type === type) ?? schema;
}

describe.each(rows.map((row) => [row.id, row.words, row] as const))('%s %s', (id, _words, row) => {
  const contract = () => contractOf(SCHEMA_CASES[id]!);

  test('has the schema that a model should get', () => {
    if (row.mayAlsoBe === undefined || id === 'sc32') expect(contract().schema).toEqual(row.schema);
    else expect(contract().schema).toMatchObject({ type: 'object', additionalProperties: false });
  });

  test('has the strict form, or says what is in the way', () => {
    if (row.strict === null) {
      expect(contract().strict).toBeUndefined();
      expect(contract().strictObstacle).toContain(Object.keys(SCHEMA_CASES[id]!)[0]);
    } else if (row.mayAlsoBe === undefined || id === 'sc32') expect(contract().strict).toEqual(row.strict);
    else expect(contract().strict).toBeDefined();
  });

  test('takes what it should take and refuses what it should refuse', async () => {
    const one = contract();
    for (const value of row.accepts) {
      expect([value, ajv.validate(one.schema, value)]).toEqual([value, true]);
      expect(await one.decode(value)).toMatchObject({ ok: true });
    }
    for (const value of row.rejects) {
      expect([value, ajv.validate(one.schema, value)]).toEqual([value, false]);
      const read = READ_ALL_THE_SAME.get(JSON.stringify(value));
      expect([value, await one.decode(value)]).toMatchObject([value, read === undefined ? { ok: false } : { ok: true, value: read }]);
    }
  });

  test('takes in strict mode the same, with null for what is left out', async () => {
    const { strict } = contract();
    if (strict === undefined) return;
    for (const value of row.accepts) {
      const sent = nulled(strict, value);
      expect([sent, ajv.validate(strict, sent)]).toEqual([sent, true]);
      expect(await contract().decode(sent)).toEqual(await contract().decode(value));
    }
  });

  test('is strict in the eyes of openai', () => {
    const { strict } = contract();
    if (strict !== undefined) expect(toStrictJsonSchema(structuredClone(strict) as never)).toEqual(strict);
  });
});

test('a real constrained-decoding engine compiles every form, and takes what should be taken', async () => {
  const plain = rows.map((row) => ({
    schema: contractOf(SCHEMA_CASES[row.id]!).schema,
    texts: row.accepts.map((value) => JSON.stringify(value)),
  }));
  const strict = rows.flatMap((row) => {
    const schema = contractOf(SCHEMA_CASES[row.id]!).strict;
    return schema === undefined ? [] : [{ schema, texts: [] as string[] }];
  });
  const verdicts = await judgedByEngine([...plain, ...strict]);
  expect(verdicts).toEqual([...plain, ...strict].map(({ texts }) => texts.map(() => true)));
}, 60_000);

/** What stands in the handed cases that cannot be declared, by id. */
const WRONG: Record<string, readonly [declare: () => Function, ...said: RegExp[]]> = {
  sc90: [() => tooled(Symbol), /A\.run, parameter #0 `x`: its type is Symbol, which cannot come from JSON/],
  sc92: [() => tooled(Promise), /A\.run, parameter #0 `x`: its type is Promise, which cannot come from JSON/],
  sc93: [() => tooled(String, 'get weather!'), /A\.run: the tool's name "get weather!" is not legal/],
  sc94: [() => tooled(String, 'n'.repeat(65)), /A\.run: the tool's name "n+" is not legal: it is 65 characters long/],
  sc95: [twice, /A\.run/, /B\.run/],
};

function tooled(type: unknown, name = 'fine'): Function {
  class A extends Agent {
    @((Tool as Loose)({ name, description: 'x' })) run(@((Param as Loose)('x', { type })) x: unknown): unknown {
      return x;
    }
  }
  return A;
}

function twice(): Function {
  class B {
    @Tool({ name: 'fine', description: 'x' }) run(): void {}
  }
  @AgentConfig({ toolsets: [B] })
  class Both extends (tooled(String) as typeof Agent) {}
  return Both;
}
type Loose = (...args: any[]) => any;

test.each(wrong.map((row) => [row.id, row.words, row.why, row] as const))('%s %s is an error when it is declared: %s', (id) => {
  const [declare, ...said] = WRONG[id]!;
  const resolve = (): unknown => new ToolRegistry().toolsOf(declare());
  expect(resolve).toThrow(ToolDefinitionError);
  for (const words of said) expect(resolve).toThrow(words);
});

test('no row is left out', () => {
  expect([...Object.keys(SCHEMA_CASES), ...Object.keys(WRONG)].sort()).toEqual(all.map(({ id }) => id).sort());
});
