import type { BatchProgress } from '../../invocation/batch-progress';
import type { RequestedCall } from '../../invocation/call';
import type { ToolTally } from '../../invocation/tool-tally';
import type { ToolChoice } from '../../models/model';
import type { AssistantMessage } from '../../types/message';
import type { LimitName } from '../../types/run-result';
import type { State } from '../../types/state-operation';
import { NO_USAGE, type Usage } from '../../types/usage';
import type { OutputReading } from './turn-facts';

/** The limits of one run, with their defaults in place. */
export type RunLimits = {
  readonly maxTurns: number;
  readonly maxToolCalls: number;
  readonly maxTokens?: number;
  readonly maxCostUsd?: number;
  readonly maxDurationMs?: number;
  readonly maxDepth: number;
  readonly onExceeded: 'answer' | 'throw';
};

/** The most that a run inside another may have spent in all, so that the limits of those around it hold. */
export interface Caps {
  readonly tokens?: number | undefined;
  readonly costUsd?: number | undefined;
  readonly toolCalls?: number | undefined;
}

/** What is settled before the first request, and changes only with the agent. */
export interface RunTerms {
  readonly limits: RunLimits;
  /** Up to the agent's first answer; `auto` from then on. */
  readonly toolChoice: ToolChoice;
  /** How the final answer is asked for: as text, as text of a JSON schema, or by a tool of this name. */
  readonly answer: { readonly by: 'text' } | { readonly by: 'schema' } | { readonly by: 'tool'; readonly tool: string };
}

/** What of the terms depends on the agent: a hand-off changes it. */
export type AgentTerms = Pick<RunTerms, 'toolChoice' | 'answer'>;

/** Why a run is brought to an end with one last request, in which no tool may be called. */
export type WrapUp = { readonly stop: 'limit'; readonly limit: LimitName } | { readonly stop: 'loop' };

/** How a run ends. `failed` rejects. */
export type Ending =
  | { readonly stop: 'completed' }
  | { readonly stop: 'direct' }
  /** For now: a snapshot holds the rest. */
  | { readonly stop: 'paused' }
  | { readonly stop: 'refused'; readonly refusal: string }
  | WrapUp
  | { readonly stop: 'failed'; readonly by: 'output' | 'fatal' | 'empty'; readonly text: string }
  | { readonly stop: 'failed'; readonly by: 'limit'; readonly limit: LimitName; readonly text: string };

/** An answer with calls, until each of them has its result: a turn enters the transcript whole. */
export interface PendingTurn {
  readonly message: AssistantMessage;
  readonly calls: readonly RequestedCall[];
  /** The calls among them that give the final answer, and how they read. */
  readonly outputs: readonly OutputReading[];
  /** How far the turn came before it was interrupted. */
  readonly progress?: BatchProgress;
}

/** What the last request took: the measure for what a further one will take. */
export interface RequestCost {
  readonly inputTokens: number;
  readonly totalTokens: number;
  readonly costUsd: number;
}

/**
 * A run as plain data: what a snapshot holds, beside the transcript itself.
 *
 * The transcript is an append-only log; the state holds its length, so no turn copies it.
 */
export interface RunState {
  readonly terms: RunTerms;
  readonly length: number;
  /** Model requests made. */
  readonly turn: number;
  readonly usage: Usage;
  /** Keyed by tool. */
  readonly tallies: { readonly [tool: string]: ToolTally };
  /** The run's memory: what tools see as `context.state`. */
  readonly memory: State;
  /** Whether untrusted content is in the context. */
  readonly tainted: boolean;
  readonly lastRequest: RequestCost;
  /** As of the last outcome; `undefined` for a run that is not inside another. */
  readonly caps: Caps | undefined;
  /** Fingerprints of the last turns, oldest first. */
  readonly trace: readonly string[];
  /** Whether the model was told once that it repeats itself. */
  readonly corrected: boolean;
  /** Answers in a row that were not valid output. */
  readonly outputFailures: number;
  readonly pending: PendingTurn | undefined;
  /** Set from the decision to end the run until its end. */
  readonly wrapUp: WrapUp | undefined;
  /** How the run ends as soon as the pending turn is whole. */
  readonly ending: Ending | undefined;
}

const NO_COST: RequestCost = Object.freeze({ inputTokens: 0, totalTokens: 0, costUsd: 0 });

/** A run before its first request. */
export function initialState(terms: RunTerms, given: Pick<RunState, 'length' | 'memory' | 'tainted'>): RunState {
  return {
    terms,
    length: given.length,
    turn: 0,
    usage: NO_USAGE,
    tallies: {},
    memory: given.memory,
    tainted: given.tainted,
    lastRequest: NO_COST,
    caps: undefined,
    trace: [],
    corrected: false,
    outputFailures: 0,
    pending: undefined,
    wrapUp: undefined,
    ending: undefined,
  };
}

const UNTOUCHED: ToolTally = Object.freeze({ repairs: 0, executions: 0 });

/** What is counted of one tool; the name may be anything. */
export function tallyOf(state: RunState, tool: string): ToolTally {
  return Object.hasOwn(state.tallies, tool) ? (state.tallies[tool] ?? UNTOUCHED) : UNTOUCHED;
}
