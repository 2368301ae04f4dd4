import type { BoundTool } from '../tools/tool-definition';
import type { ToolMessage } from '../types/message';
import type { Outcome, RefusalReason } from '../types/outcome';
import type { ErrorFacts, ToolCallRecord } from '../types/run-result';
import type { StateOperation } from '../types/state-operation';
import type { WaitingInside } from './inside-run';

/** One call as the model made it: the id is unique in its run, the argument text is whatever came. */
export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** The model request that made it, counted from 1, and its place in that answer, from 0. */
  readonly turn: number;
  readonly index: number;
}

/** A call and what the gate knows of it so far. */
export interface CallSubject {
  readonly call: RequestedCall;
  /** Absent while no tool has that name. */
  readonly tool: BoundTool | undefined;
  /** The arguments as JSON-like data, for people and records; the model's own text until they could be read. */
  readonly shown: unknown;
  /** The arguments before they were decoded, where `shown` cannot be decoded again; absent where it can. */
  readonly sent?: unknown;
  /** Said to the model in front of the result, when what runs is not what it asked for. */
  readonly note: string | undefined;
}

/** A call that passed steps 1 to 4 and may be executed. */
export interface ReadyCall extends CallSubject {
  readonly kind: 'ready';
  readonly tool: BoundTool;
  /** Decoded, with defaults; a fresh value that the method may keep. */
  readonly args: unknown;
}

/** How an execution, or a refusal, came out, before it becomes a result. */
export interface Settlement {
  readonly outcome: Outcome;
  readonly reason?: RefusalReason;
  /** What the tool returned, or what the model is to be told. */
  readonly value: unknown;
  /** Whether `value` is the tool's word, to which the tool's trust applies, rather than the gate's own. */
  readonly fromTool?: boolean;
  /** Set when there is no result yet: the agent that was called waits. */
  readonly waits?: WaitingInside;
  /** Whether this spends one of the tool's repairs. */
  readonly repair?: boolean;
  readonly error?: ErrorFacts;
  /** Set when the run must end: the `FatalToolError`. */
  readonly fatal?: unknown;
  readonly attempts: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The one result of a call. */
export interface CallResult {
  readonly kind: 'result';
  readonly message: ToolMessage;
  readonly record: ToolCallRecord;
  /** Changes of the run's state, in order. */
  readonly operations: readonly StateOperation[];
  /** Whether this spends one of the tool's repairs (invalid arguments, `ToolRetry`). */
  readonly repair: boolean;
  /** Whether the tool's method was entered. */
  readonly executed: boolean;
  /** Whether this result is the run's answer. */
  readonly direct: boolean;
  /** The whole text, where the content had to be cut. */
  readonly overflow?: string;
  readonly fatal?: unknown;
}
