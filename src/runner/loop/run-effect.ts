import type { ToolChoice } from '../../models/model';
import type { Outcome, RefusalReason } from '../../types/outcome';
import type { Ending } from './run-state';

/** Why calls are answered without being run, and what the model is told. */
export interface Refusal {
  readonly outcome: Outcome;
  readonly reason?: RefusalReason;
  readonly text: string;
}

/** What the driver is to do next. */
export type Effect =
  | {
      readonly kind: 'ask';
      readonly toolChoice: ToolChoice;
      /** Put at the end of this one request. */
      readonly note?: string;
      /** Put into the transcript as a user's message, for good: what was wrong with the last answer. */
      readonly feedback?: string;
      /** The longest answer in tokens, where a limit asks for one. */
      readonly maxTokens?: number;
    }
  /** Run the calls of the pending turn, or answer all of them with the refusal. */
  | { readonly kind: 'batch'; readonly refusal?: Refusal }
  /** Calls of the pending turn wait for decisions from elsewhere. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'finish'; readonly ending: Ending };
