import type { CallResult, RequestedCall } from '../invocation/call';
import type { CallScope } from '../invocation/call-scope';
import { runBatch, settleWithoutRunning } from '../invocation/gate';
import { applyOperations } from '../invocation/state-operations';
import { tallied, type ToolTally } from '../invocation/tool-tally';
import type { AssistantMessage, Message, Part, ToolMessage } from '../types/message';
import type { Outcome } from '../types/outcome';
import type { State } from '../types/state-operation';
import type { OutputAttempt } from './answer/read-answer';
import { transcriptName } from './answer/read-answer';
import type { Refusal } from './loop/run-effect';
import type { SettledCall } from './loop/turn-facts';
import { tallyOf, type PendingTurn, type RunState } from './loop/run-state';
import { takenOutput } from './answer/structured-output';

/** A turn with all its results. */
export interface SettledTurn {
  /** The answer and its results, in call order. */
  readonly messages: readonly Message[];
  readonly results: readonly CallResult[];
  readonly settled: readonly SettledCall[];
  /** The final answer that was taken, if one was. */
  readonly taken: OutputAttempt | undefined;
  /** Whether an attempt at the final answer was refused for its own sake. */
  readonly refusedOutput: boolean;
}

/** A turn of which some calls wait for somebody elsewhere. */
export interface HeldTurn {
  readonly results: readonly CallResult[];
  readonly messages?: undefined;
}

/** Performs calls, or knows already what came of them. */
export type CarriedOut = (calls: readonly RequestedCall[], perform: () => Promise<readonly CallResult[]>) => Promise<readonly CallResult[]>;

/**
 * Gives each call of a turn its one result: by running it, by the refusal, or by taking it as the final answer. While a call waits, the
 * turn is not whole.
 */
export async function settleTurn(
  turn: PendingTurn,
  attempts: readonly OutputAttempt[],
  refusal: Refusal | undefined,
  scope: CallScope,
  how: { readonly parallel: boolean; readonly maxConcurrency: number },
  carriedOut: CarriedOut = (_, perform) => perform(),
): Promise<SettledTurn | HeldTurn> {
  const isOutput = new Set(attempts.map((attempt) => attempt.index));
  const real = isOutput.size === 0 ? turn.calls : turn.calls.filter((call) => !isOutput.has(call.index));
  const results = real.length === 0 ? [] : await carriedOut(real, () => settleCalls(real, refusal, scope, how));
  if (results.length < real.length) return { results };
  const settled = results.map((result) => settledCall(result, scope));
  const takenAt = takenOutput(attempts, settled);
  const taken = attempts.find((attempt) => attempt.index === takenAt);
  return {
    messages: wholeTurn(turn, attempts, takenAt, real, results),
    results,
    settled,
    taken,
    refusedOutput: taken === undefined && attempts.some((attempt) => !attempt.ok),
  };
}

async function settleCalls(
  calls: readonly RequestedCall[],
  refusal: Refusal | undefined,
  scope: CallScope,
  how: { readonly parallel: boolean; readonly maxConcurrency: number },
): Promise<readonly CallResult[]> {
  if (refusal === undefined) return runBatch(calls, scope, how);
  const results: CallResult[] = [];
  for (const call of calls) results.push(await settleWithoutRunning(call, refusal.outcome, refusal.reason, refusal.text, scope));
  return results;
}

function settledCall(result: CallResult, scope: CallScope): SettledCall {
  const { record, message } = result;
  return {
    tool: record.name,
    says: `${record.name}\n${argumentsText(record.arguments)}\n${contentText(message.parts)}`,
    polling: scope.tools.get(record.name)?.definition.behaviour.polling === true,
    ok: record.outcome === 'ok',
    executed: result.executed,
    repair: result.repair,
    direct: result.direct,
  };
}

function contentText(parts: readonly Part[]): string {
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? only.text : JSON.stringify(parts);
}

// Arguments may hold a BigInt, which JSON cannot say.
function argumentsText(args: unknown): string {
  return typeof args === 'string' ? args : JSON.stringify(args, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

const TAKEN = 'This is the final answer of the run.';
const TAKEN_ANOTHER = 'Not used: another final answer of the same message was taken.';
const TOO_EARLY = 'Not taken: a call of the same message has to be corrected first. Give the final answer again afterwards.';

function wholeTurn(
  turn: PendingTurn,
  attempts: readonly OutputAttempt[],
  takenAt: number | undefined,
  real: readonly RequestedCall[],
  results: readonly CallResult[],
): Message[] {
  const byId = new Map(real.map((call, at) => [call.id, results[at]]));
  const answers = turn.calls.map((call): ToolMessage => {
    const result = byId.get(call.id);
    return result === undefined ? outputMessage(call, attempts, takenAt) : legalName(result.message);
  });
  // The gate may have understood a misspelt name: what a next request shows is the tool's own.
  const calls = turn.message.calls.map((call, at) => {
    const name = answers[at]?.name ?? call.name;
    return name === call.name ? call : { ...call, name };
  });
  const message: AssistantMessage = { ...turn.message, calls };
  return [message, ...answers];
}

function legalName(message: ToolMessage): ToolMessage {
  const name = transcriptName(message.name);
  return name === message.name ? message : { ...message, name };
}

function outputMessage(call: RequestedCall, attempts: readonly OutputAttempt[], takenAt: number | undefined): ToolMessage {
  const attempt = attempts.find((one) => one.index === call.index);
  const [outcome, text]: [Outcome, string] =
    takenAt === call.index
      ? ['ok', TAKEN]
      : attempt?.ok !== true
        ? ['invalid', attempt?.text ?? TOO_EARLY]
        : takenAt === undefined
          ? ['invalid', TOO_EARLY]
          : ['denied', TAKEN_ANOTHER];
  return {
    v: 1,
    role: 'tool',
    callId: call.id,
    name: transcriptName(call.name),
    parts: [{ type: 'text', text }],
    outcome,
    trust: 'trusted',
  };
}

/** The tallies with these results counted, in call order. */
export function countCalls(state: RunState, results: readonly CallResult[]): RunState['tallies'] {
  if (results.length === 0) return state.tallies;
  const tallies = new Map<string, ToolTally>(Object.entries(state.tallies));
  for (const result of results) {
    const { name } = result.record;
    tallies.set(name, tallied(tallies.get(name) ?? tallyOf(state, name), result));
  }
  return Object.fromEntries(tallies);
}

/** The state with the changes that the results ask for, in call order. */
export function applyUpdates(state: State, results: readonly CallResult[], warn: (text: string) => void): State {
  let memory = state;
  for (const result of results) {
    if (result.operations.length === 0) continue;
    const applied = applyOperations(memory, result.operations);
    memory = applied.state;
    for (const warning of applied.warnings) warn(warning);
  }
  return memory;
}
