import type { AgentClass } from '../agent/agent';
import type { Overrides } from '../container/override';
import { aList, anInteger, anything, aPositiveCount, checkedOptions, milliseconds, rulesOf, texts } from '../errors/option-check';
import { ModelError, RunError } from '../errors/run-error';
import type { ModelTool } from '../models/model';
import type { Part } from '../types/message';
import type { RunEvent } from '../types/run-event';
import type { Outcome } from '../types/outcome';
import { CheckError } from './check-error';
import { functionModel } from './function-model';
import { generateArguments } from './generate-value';
import { invalidArguments } from './invalid-arguments';
import { callTool, fail } from './script-step';
import { shrunk } from './shrink';
import { createTestRunner, type TestRunnerOptions } from './test-runner';
import { jsonText } from './transcript-text';

/** How `everyToolSurvives` runs the tools, which of them, and how often. */
export interface SurvivalOptions<P extends readonly unknown[] = readonly unknown[]> {
  /** Replaced services, as for `createTestRunner`. */
  readonly overrides?: Overrides<P>;
  readonly container?: object;
  readonly deps?: unknown;
  /** Valid arguments per tool, and about as many invalid ones; 20 by default. */
  readonly rounds?: number;
  /** The first seed; 1 by default. */
  readonly seed?: number;
  /** Milliseconds after which a call counts as hanging; 2 000 by default. */
  readonly hangsAfter?: number;
  /** Only these tools. */
  readonly tools?: readonly string[];
}

// Inside, the overrides have been compared with their tokens.
type AnySurvival = Omit<SurvivalOptions, 'overrides'> & { readonly overrides?: unknown };

const RULES = rulesOf<SurvivalOptions>({
  overrides: aList,
  // Looked at by itself: it may be any container.
  container: anything,
  deps: anything,
  rounds: aPositiveCount,
  seed: anInteger,
  hangsAfter: milliseconds,
  tools: texts,
});

/** What one call came to. */
interface Probe {
  readonly outcome: Outcome | 'no result';
  readonly error: { readonly name: string; readonly code?: string; readonly message: string } | undefined;
  readonly content: readonly Part[];
}

// What a tool may throw on purpose.
const MEANT = new Set(['TOOL_FAILURE', 'TOOL_RETRY']);

/**
 * Throws generated arguments, valid and invalid, at every tool of an agent and fails with all that broke: a tool that
 * crashes, one that hangs, valid arguments that are refused, invalid ones that are not. Each fault names its seed and the
 * smallest arguments that show it.
 * @throws CheckError with every fault; UsageError for options that do not exist or do not fit
 * @example await everyToolSurvives(WeatherAgent, { overrides: [{ provide: Forecasts, useValue: { at: async () => ({ celsius: 2 }) } }] })
 */
export async function everyToolSurvives<const P extends readonly unknown[] = readonly []>(
  agent: AgentClass,
  given?: SurvivalOptions<P>,
): Promise<void> {
  const options = checkedOptions(given, RULES, 'everyToolSurvives()');
  const { rounds = 20, seed = 1 } = options;
  const tools = (await toolsOf(agent, options)).filter((tool) => options.tools?.includes(tool.name) ?? true);
  if (tools.length === 0) throw new CheckError(`${agent.name} has no tools to try.`);
  const faults: string[] = [];
  for (const tool of tools)
    for (let round = seed; round < seed + rounds; round++) {
      const fault = (await validFault(agent, tool, round, options)) ?? (await invalidFault(agent, tool, round, options));
      if (fault === undefined) continue;
      faults.push(fault);
      // One fault of each tool is enough to repair it.
      break;
    }
  if (faults.length > 0)
    throw new CheckError(`${agent.name}: ${faults.length} of ${tools.length} tools did not survive.\n${faults.join('\n')}`);
}

async function validFault(agent: AgentClass, tool: ModelTool, seed: number, options: AnySurvival): Promise<string | undefined> {
  const args = generateArguments(tool.parameters, seed);
  const found = faultOf(await probe(agent, tool.name, args, options));
  if (found === undefined) return undefined;
  // Smaller arguments show it as well when they end in the same kind of fault.
  const smallest = await shrunk(
    args,
    tool.parameters,
    // Smaller values may be refused with good reason.
    found.kind !== 'refused',
    async (smaller) => faultOf(await probe(agent, tool.name, smaller, options))?.kind === found.kind,
  );
  return `  - ${tool.name}, seed ${seed}: ${found.text}\n    with ${jsonText(smallest)}`;
}

async function invalidFault(agent: AgentClass, tool: ModelTool, seed: number, options: AnySurvival): Promise<string | undefined> {
  const { args, certainly } = invalidArguments(tool.parameters, seed);
  const result = await probe(agent, tool.name, args, options);
  const found = faultOf(result);
  // Arguments that may be wrong may be refused.
  if (found !== undefined && found.kind !== 'refused')
    return `  - ${tool.name}, seed ${seed}: ${found.text}\n    with invalid ${typeof args === 'string' ? args : jsonText(args)}`;
  if (!certainly || result.outcome === 'invalid') return undefined;
  return `  - ${tool.name}, seed ${seed}: invalid arguments were not refused (${result.outcome})\n    with ${typeof args === 'string' ? args : jsonText(args)}`;
}

function faultOf({ outcome, error, content }: Probe): { readonly kind: string; readonly text: string } | undefined {
  if (outcome === 'timeout' || outcome === 'unsettled' || outcome === 'no result' || outcome === 'aborted')
    return { kind: 'hang', text: `it hangs (${outcome})` };
  if (outcome === 'invalid' && error?.code !== 'TOOL_RETRY')
    return { kind: 'refused', text: `arguments that its schema allows are refused: ${error?.message ?? reasonsIn(content)}` };
  if (outcome === 'error' && error !== undefined && !MEANT.has(error.code ?? ''))
    return { kind: `crash ${error.name}`, text: `it crashes: ${error.name}: ${error.message}` };
  return undefined;
}

/** What the model is told of each argument that does not fit. */
function reasonsIn(content: readonly Part[]): string {
  const lines = content.flatMap((part) => (part.type === 'text' ? part.text.split('\n') : []));
  const reasons = lines.flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
  return (reasons.length > 0 ? reasons : lines).join('; ');
}

async function toolsOf(agent: AgentClass, options: AnySurvival): Promise<readonly ModelTool[]> {
  let shown: readonly ModelTool[] = [];
  const model = functionModel((request) => {
    shown = request.tools;
    return fail(new ModelError('That was all.'));
  });
  await run(agent, model, options, undefined);
  return shown;
}

/** One call of one tool in a run of its own. */
async function probe(agent: AgentClass, name: string, args: unknown, options: AnySurvival): Promise<Probe> {
  let asked = 0;
  const model = functionModel(() => (asked++ === 0 ? callTool(name, args as object) : fail(new ModelError('That was all.'))));
  let result: Probe = { outcome: 'no result', error: undefined, content: [] };
  await run(agent, model, options, (event) => {
    if (event.type === 'tool.end') result = { outcome: event.outcome, error: event.error, content: event.content };
  });
  return result;
}

async function run(
  agent: AgentClass,
  model: ReturnType<typeof functionModel>,
  { overrides, container, deps, hangsAfter = 2_000 }: AnySurvival,
  onEvent: ((event: RunEvent) => void) | undefined,
): Promise<void> {
  const runner = createTestRunner({ model, overrides, container, approve: () => true } as TestRunnerOptions<never>);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new Error('It hangs.')), hangsAfter);
  try {
    await runner.run(agent, 'Try the tool.', {
      deps: deps as never,
      signal: stop.signal,
      ...(onEvent && { onEvent }),
    });
  } catch (error) {
    // The model ends each run by failing; whatever else goes wrong before the first request is the author's to know.
    const isOfRun = ModelError.is(error) || (RunError.is(error) && error.partial !== undefined);
    if (!isOfRun && !stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
}
