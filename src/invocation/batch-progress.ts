import type { DecisionAnswer } from '../types/decision';
import type { PendingCall } from '../types/pending-call';
import type { CallResult } from './call';

/** A call that had begun when its process ended: with what, for those that may run again. */
export interface BegunCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: unknown;
  /** As `sent` of a call that waits. */
  readonly sent?: unknown;
  readonly note?: string;
}

/** A call whose agent has begun its run and waits in it: with what it was called, and the run. */
export interface InsideRun extends BegunCall {
  readonly run: unknown;
}

/** How far a batch came before it was interrupted, by a pause or by the end of its process. Plain data, in call order. */
export interface BatchProgress {
  readonly results: readonly CallResult[];
  /** The calls that wait for a decision. */
  readonly waiting: readonly PendingCall[];
  /** The decisions that came, by call id. */
  readonly answers: readonly (readonly [callId: string, answer: DecisionAnswer])[];
  readonly begun: readonly BegunCall[];
  /** Calls whose agents wait; what they wait for is in `waiting`. */
  readonly inside?: readonly InsideRun[];
  /** What the tools of calls without a result looked like when the model was shown them: a fingerprint by name. */
  readonly contracts: readonly (readonly [tool: string, fingerprint: string])[];
}

/** Told what happens to the calls of a batch before it goes on, so that it can be written down. */
export interface BatchJournal {
  /** Before a call is executed for the first time. */
  begin(call: BegunCall): Promise<void>;
  /** As soon as there is a result. */
  settled(result: CallResult): Promise<void>;
}
