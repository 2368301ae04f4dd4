import { describeFaults } from '../../src/schema/describe-faults';
import type { Contract } from '../../src/schema/contract';
import { jsonSchema } from '../../src/types/type-spec';
import { contractOf, typeOf } from './contracts';
import { ARGUMENT_TOOLS } from './declared-types';
import { handedCases } from './handed-cases';

interface Outcome {
  readonly outcome: 'accept' | 'reject';
  readonly value?: unknown;
  readonly tell?: readonly string[];
}
interface ArgumentCase {
  readonly id: string;
  readonly tool: string;
  readonly why: string;
  readonly raw?: string;
  readonly expect: Outcome | { readonly anyOf: readonly Outcome[] };
  readonly prefer?: string;
}

const cases = handedCases('args');

const isJson = (raw: string | undefined): raw is string => {
  try {
    JSON.parse(raw ?? '');
    return true;
  } catch {
    return false;
  }
};

// Texts that are not JSON never reach a contract: reading them is the gate's.
const rows = (cases.cases as readonly ArgumentCase[]).filter((row) => isJson(row.raw));

const declared = (tool: string): Contract => contractOf(ARGUMENT_TOOLS[tool]!);
const raw = (tool: string): Contract => typeOf(jsonSchema(cases.tools![tool]!.schema));

describe.each([
  ['declared parameters', declared],
  ['a raw JSON Schema', raw],
] as const)('with %s', (_kind, contractFor) => {
  test.each(rows.map((row) => [row.id, row.why, row] as const))('%s: %s', async (_id, _why, row) => {
    const decoded = await contractFor(row.tool).decode(JSON.parse(row.raw!));
    const outcomes: readonly Outcome[] = 'anyOf' in row.expect ? row.expect.anyOf : [row.expect];
    const allowed = row.prefer === undefined ? outcomes : outcomes.filter((one) => one.outcome === row.prefer);
    expect(allowed.some((one) => matches(one, decoded))).toBe(true);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });
});

function matches(outcome: Outcome, decoded: Awaited<ReturnType<Contract['decode']>>): boolean {
  if (outcome.outcome === 'reject') {
    if (decoded.ok) return false;
    const text = describeFaults(decoded.faults).toLowerCase();
    return (outcome.tell ?? []).every((word) => text.includes(word.toLowerCase()));
  }
  if (!decoded.ok) return false;
  try {
    expect(decoded.value).toEqual(outcome.value);
    return true;
  } catch {
    return false;
  }
}
