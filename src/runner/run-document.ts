import type { Message, UserMessage } from '../types/message';
import type { Trust } from '../types/outcome';
import type { ToolCallRecord } from '../types/run-result';
import type { ActiveRun } from './active-run';
import { contractsOf, toolsFingerprint } from './frozen-contract';
import type { Effect } from './run-effect';
import type { RunState } from './run-state';

/** All that a run is, as plain data: what a snapshot holds, and what a session's log adds up to. */
export interface RunDocument {
  readonly runId: string;
  /** The agent's name. */
  readonly agent: string;
  /** How often the run has paused, this time included. */
  readonly pauses: number;
  /** The transcript; the first `start` of its messages were there before the run. */
  readonly messages: readonly Message[];
  readonly start: number;
  readonly state: RunState;
  /** What is to be done next. */
  readonly effect: Effect;
  /** Milliseconds that the run has worked; time in which it waited does not count. */
  readonly elapsed: number;
  readonly instructions?: string;
  readonly records: readonly ToolCallRecord[];
  readonly warnings: readonly string[];
  /** Events so far. */
  readonly seq: number;
  readonly metadata?: { readonly [key: string]: unknown };
  readonly steers: readonly UserMessage[];
  readonly followUps: readonly UserMessage[];
  /** The whole texts of results that were cut, by call. */
  readonly paged: readonly (readonly [callId: string, text: string, trust: Trust])[];
  /** A fingerprint of all tools as the model was shown them. */
  readonly tools: string;
  /** Where the run's session is kept, if it has one. */
  readonly session?: string;
}

/** A run at one moment: what its log adds to what was written before. */
export type RunPoint = Omit<RunDocument, 'messages' | 'records' | 'paged'>;

/** The run as it stands, but for what only ever grows. */
export function pointOf(run: ActiveRun, effect: Effect): RunPoint {
  const { setup } = run;
  const { runId, agent, emitter, inbox, metadata, session } = setup;
  const { pending } = run.state;
  const contracts = pending === undefined ? [] : contractsOf(pending, agent.tools);
  const state: RunState =
    pending === undefined || contracts.length === 0
      ? run.state
      : { ...run.state, pending: { ...pending, progress: { ...(pending.progress ?? NO_PROGRESS), contracts } } };
  return {
    runId,
    agent: agent.name,
    pauses: run.pauses,
    start: run.transcript.start,
    state,
    effect,
    elapsed: run.now().elapsed,
    ...(run.instructions !== undefined && { instructions: run.instructions }),
    warnings: emitter.warnings.slice(),
    // The end of this part of a paused run is told after it was written down.
    seq: emitter.count + (effect.kind === 'wait' ? 1 : 0),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...inbox.unreadMessages(),
    tools: toolsFingerprint(agent.modelTools),
    ...(session !== undefined && { session }),
  };
}

/** The whole run. */
export function documentOf(run: ActiveRun, effect: Effect): RunDocument {
  return { ...pointOf(run, effect), messages: run.transcript.snapshot(), records: run.records.slice(), paged: run.pager?.entries() ?? [] };
}

export const NO_PROGRESS = Object.freeze({ results: [], waiting: [], answers: [], begun: [], contracts: [] });
