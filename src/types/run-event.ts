import type { ErrorFacts, LimitName, StopReason } from './run-result';
import type { AssistantMessage, Part, UserMessage } from './message';
import type { ApprovalCause, Outcome, RefusalReason } from './outcome';
import type { WaitCause } from './pending-call';
import type { PathStep } from './run-path';
import type { StateOperation } from './state-operation';
import type { Usage } from './usage';

/** What every event carries. `turn` counts model requests from 1 (0 before the first); `seq` counts events from 0; `at` is milliseconds since 1970. */
export interface EventHeader {
  readonly runId: string;
  readonly turn: number;
  readonly seq: number;
  readonly at: number;
  /** Set for a run inside another: the calls that lead to it, from the outermost run on. */
  readonly path?: readonly PathStep[];
  /** The call, in the run around it, that this run is carried out for: the last of `path`. */
  readonly parentCallId?: string;
}

/** What happened, without the header: what a part of the run hands to the emitter. */
export type EventBody =
  | { readonly type: 'run.start'; readonly agent: string; readonly model: string }
  /** A run goes on after an interruption: what of its pending turn is there, by call id. */
  | {
      readonly type: 'run.restore';
      readonly from: 'snapshot' | 'session';
      /** Messages in the transcript. */
      readonly messages: number;
      readonly settled: readonly string[];
      readonly decided: readonly string[];
      readonly waiting: readonly string[];
      /** Calls that had begun and have no result: their process ended. */
      readonly cutOff: readonly string[];
    }
  | { readonly type: 'turn.start' }
  | { readonly type: 'model.delta'; readonly kind: 'text' | 'reasoning' | 'arguments'; readonly text: string; readonly index?: number }
  | { readonly type: 'model.end'; readonly message: AssistantMessage; readonly usage: Usage; readonly finish: string }
  | { readonly type: 'tool.request'; readonly callId: string; readonly name: string; readonly arguments: string }
  | {
      readonly type: 'tool.approval';
      readonly callId: string;
      /** Absent while somebody is asked. */
      readonly decision?: 'approve' | 'deny' | 'edit';
      readonly reason?: string;
      /** Why somebody is asked, and what looks suspicious in the conversation. */
      readonly why?: { readonly cause: ApprovalCause; readonly text: string };
      readonly signals?: readonly string[];
    }
  | {
      readonly type: 'tool.start';
      readonly callId: string;
      readonly name: string;
      readonly label: string;
      readonly arguments: unknown;
      readonly attempt: number;
    }
  /** The call waits for a decision, or for a result, from elsewhere; the run will pause. */
  | { readonly type: 'tool.defer'; readonly callId: string; readonly name: string; readonly cause: WaitCause }
  | { readonly type: 'tool.update'; readonly callId: string; readonly data: unknown }
  | {
      readonly type: 'tool.end';
      readonly callId: string;
      readonly name: string;
      readonly outcome: Outcome;
      readonly reason?: RefusalReason;
      readonly content: readonly Part[];
      /** Set when the content is foreign. */
      readonly trust?: 'untrusted';
      readonly details?: unknown;
      readonly error?: ErrorFacts;
      readonly durationMs: number;
    }
  | { readonly type: 'state.update'; readonly operations: readonly StateOperation[] }
  /** Untrusted content entered the context (`from` says by what), or the host said that it may be believed. */
  | { readonly type: 'taint'; readonly present: boolean; readonly from?: string }
  /** The conversation goes over to another agent, which answers from the next request on. */
  | { readonly type: 'handoff'; readonly callId: string; readonly from: string; readonly to: string }
  | { readonly type: 'limit'; readonly which: LimitName }
  | { readonly type: 'loop' }
  | { readonly type: 'steer'; readonly message: UserMessage }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'run.end'; readonly stopReason?: StopReason; readonly error?: ErrorFacts; readonly usage: Usage };

/** One event of a run. See docs/events.md. */
export type RunEvent = EventBody & EventHeader;
