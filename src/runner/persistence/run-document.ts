import type { BatchProgress } from '../../invocation/batch-progress';
import type { Message, UserMessage } from '../../types/message';
import type { Trust } from '../../types/outcome';
import type { ToolCallRecord } from '../../types/run-result';
import type { Effect } from '../loop/run-effect';
import type { RunState } from '../loop/run-state';

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

/** A run that goes on after an interruption, and what was decided meanwhile. */
export interface RestoredRun {
  readonly document: RunDocument;
  readonly from: 'snapshot' | 'session';
  readonly answers: BatchProgress['answers'];
}

export const NO_PROGRESS = Object.freeze({ results: [], waiting: [], answers: [], begun: [], contracts: [] });
