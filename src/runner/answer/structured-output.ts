import type { PreparedAgent } from '../../agent/prepared-agent';
import type { Model, ModelOutput, ModelTool } from '../../models/model';
import type { Contract, Decoded } from '../../schema/contract';
import { listFaults } from '../../schema/describe-faults';
import type { JsonSchema } from '../../types/json';
import type { OutputReading, SettledCall } from '../loop/turn-facts';

/** How the final answer of an agent is asked for and read. */
export interface OutputPlan {
  readonly contract: Contract;
  /** Whether the value stands under `answer`: providers want an object at the root. */
  readonly wrapped: boolean;
  /** For models that take a JSON schema for their answer. */
  readonly native: ModelOutput;
  /** For all others. */
  readonly tool: ModelTool;
}

const OUTPUT_TOOL = 'final_answer';
const WRAPPER = 'answer';

const plans = new WeakMap<Contract, Map<string, OutputPlan>>();

/** The plan for an agent with `output`, made once for each contract. */
export function outputPlan(agent: PreparedAgent): OutputPlan | undefined {
  const { output, tools } = agent;
  if (output === undefined) return undefined;
  let name = OUTPUT_TOOL;
  for (let at = 2; tools.has(name); at++) name = `${OUTPUT_TOOL}_${at}`;
  let byName = plans.get(output);
  if (byName === undefined) plans.set(output, (byName = new Map<string, OutputPlan>()));
  let plan = byName.get(name);
  if (plan === undefined) byName.set(name, (plan = makePlan(output, name)));
  return plan;
}

function makePlan(contract: Contract, name: string): OutputPlan {
  const wrapped = contract.schema['type'] !== 'object';
  const schema = wrapped ? wrap(contract.schema) : contract.schema;
  const strict = contract.strict === undefined ? undefined : wrapped ? wrap(contract.strict) : contract.strict;
  const description = 'Gives the final answer. Call it once, when you have everything; the conversation ends with it.';
  return {
    contract,
    wrapped,
    native: Object.freeze({ name: 'answer', schema, ...(strict !== undefined && { strict }) }),
    tool: Object.freeze({ name, description, parameters: schema, ...(strict !== undefined && { strict }) }),
  };
}

/** References are relative to the root, so the definitions move up with it. */
function wrap(schema: JsonSchema): JsonSchema {
  const { $defs, $schema: _, ...inner } = schema;
  return {
    type: 'object',
    properties: { [WRAPPER]: inner },
    required: [WRAPPER],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
}

/** Whether this model is given the schema itself rather than a tool. */
export function asksNatively(model: Model): boolean {
  return model.capabilities.jsonSchema;
}

/** Reads a final answer from JSON text; the text may stand in a Markdown fence. Never throws for bad text. */
export async function readOutput(plan: OutputPlan, text: string): Promise<Decoded> {
  const parsed = parseJson(text);
  if (parsed === undefined)
    return { ok: false, faults: [{ path: '', expected: 'JSON text that fits the schema, and nothing else', got: excerpt(text) }] };
  if (!plan.wrapped) return plan.contract.decode(parsed.value);
  const { value } = parsed;
  // Some models leave the wrapper out; the bare value has one reading as well.
  const bare = typeof value !== 'object' || value === null || !Object.hasOwn(value, WRAPPER);
  return plan.contract.decode(bare ? value : (value as { [WRAPPER]: unknown })[WRAPPER]);
}

/** What the model is told of a final answer that does not fit. */
export function outputFault(decoded: Decoded & { readonly ok: false }): string {
  const faults = listFaults('Your final answer does not fit its schema:', decoded.faults, 'the answer');
  return `${faults}\nGive the whole answer again, corrected.`;
}

const FENCED = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/i;

function parseJson(text: string): { readonly value: unknown } | undefined {
  for (const candidate of [text, FENCED.exec(text)?.[1]]) {
    if (candidate === undefined) continue;
    try {
      return { value: JSON.parse(candidate) as unknown };
    } catch {
      // Not JSON: the next reading, if there is one.
    }
  }
  return undefined;
}

const excerpt = (text: string): string => (text === '' ? 'nothing' : JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text));

/** Which attempt is taken: the first valid one, unless a call beside it asks the model to try again. */
export function takenOutput(outputs: readonly OutputReading[], beside: readonly SettledCall[]): number | undefined {
  return beside.some((call) => call.repair) ? undefined : outputs.find((output) => output.ok)?.index;
}
