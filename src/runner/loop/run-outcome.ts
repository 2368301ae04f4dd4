import type { BatchProgress } from '../../invocation/batch-progress';
import type { RequestedCall } from '../../invocation/call';
import type { FinishReason } from '../../models/model';
import type { AssistantMessage } from '../../types/message';
import type { State } from '../../types/state-operation';
import type { Usage } from '../../types/usage';
import type { AgentTerms, Caps, RunState } from './run-state';
import type { OutputReading, SettledCall } from './turn-facts';

/** What came of an effect; the clock's reading, the transcript's length and what is in it come with it. */
export type RunOutcome = {
  readonly elapsed: number;
  readonly length: number;
  /** Whether untrusted content is in the context; as before when it is not said. */
  readonly tainted?: boolean;
  /** What the runs around this one leave for it. */
  readonly caps?: Caps;
} & (
  | { readonly kind: 'started' }
  | {
      readonly kind: 'answered';
      readonly message: AssistantMessage;
      readonly calls: readonly RequestedCall[];
      readonly outputs: readonly OutputReading[];
      readonly finish: FinishReason;
      /** The provider's or a guardrail's refusal. */
      readonly refusal: string | undefined;
      readonly usage: Usage;
    }
  | {
      readonly kind: 'settled';
      readonly calls: readonly SettledCall[];
      readonly memory: State;
      readonly tallies: RunState['tallies'];
      /** Set when another agent goes on. */
      readonly handoff?: AgentTerms;
      /** What runs inside this one consumed meanwhile. */
      readonly delegated?: Usage;
      /** Whether the final answer given beside them was taken. */
      readonly output: 'taken' | 'refused' | 'none';
      /** What a `FatalToolError` said. */
      readonly fatal: string | undefined;
    }
  /** Some calls of the turn wait: how far it came. */
  | { readonly kind: 'waiting'; readonly progress: BatchProgress; readonly delegated?: Usage }
  /** Decisions about calls that waited. */
  | { readonly kind: 'decided'; readonly answers: BatchProgress['answers'] }
  /** The model call was cancelled for a new message, or a message came when the run would have ended. */
  | { readonly kind: 'redirected' }
  /** The time that may be spent before the final answer is over, in the middle of a model call. */
  | { readonly kind: 'expired' }
);
