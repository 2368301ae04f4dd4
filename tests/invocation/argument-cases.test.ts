import type { Contract } from '../../src/schema/contract';
import { jsonSchema } from '../../src/types/type-spec';
import { contractOf, typeOf } from '../schema/contracts';
import { ARGUMENT_TOOLS } from '../schema/declared-types';
import { handedCases } from '../schema/handed-cases';
import { call, pass, scope, textOf, tool } from './scope';

interface Expected {
  readonly outcome: 'accept' | 'reject';
  readonly value?: unknown;
  readonly tell?: readonly string[];
}
interface Row {
  readonly id: string;
  readonly tool: string;
  readonly why: string;
  readonly raw?: string;
  readonly rawGen?: { readonly gen: string; readonly depth?: number };
  readonly expect: Expected | { readonly anyOf: readonly Expected[] };
  readonly prefer?: string;
}

const cases = handedCases('args');

function rawOf({ raw, rawGen }: Row): string {
  if (raw !== undefined) return raw;
  const depth = rawGen?.depth ?? 0;
  return `{"query":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

const kinds: readonly (readonly [string, (name: string) => Contract])[] = [
  ['declared parameters', (name) => contractOf(ARGUMENT_TOOLS[name]!)],
  ['a raw JSON Schema', (name) => typeOf(jsonSchema(cases.tools![name]!.schema))],
];

describe.each(kinds)('a call of a tool with %s', (_kind, contractFor) => {
  test.each((cases.cases as readonly Row[]).map((row) => [row.id, row.why, row] as const))('%s: %s', async (_id, _why, row) => {
    const received: unknown[] = [];
    const run = scope([tool(row.tool, (args) => void received.push(args), { contract: contractFor(row.tool) })]);
    const result = await pass(call(row.tool, rawOf(row)), run);
    const any = 'anyOf' in row.expect ? row.expect.anyOf : [row.expect];
    const allowed = row.prefer === undefined ? any : any.filter((one) => one.outcome === row.prefer);
    const met = allowed.some((one) => {
      if (one.outcome === 'reject') {
        const text = textOf(result);
        const told = (one.tell ?? []).every((word) => text.toLowerCase().includes(word.toLowerCase()));
        return received.length === 0 && result.record.outcome === 'invalid' && result.repair && told && text.length <= 2_000;
      }
      return received.length === 1 && isEqual(received[0], one.value);
    });
    expect({ met, text: textOf(result), received }).toMatchObject({ met: true });
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
    expect(textOf(result)).not.toMatch(/\.ts:|\bat \w+ \(/);
  });
});

function isEqual(got: unknown, wanted: unknown): boolean {
  try {
    expect(got).toEqual(wanted);
    return true;
  } catch {
    return false;
  }
}
