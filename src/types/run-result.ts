import type { Message, Part } from './message';
import type { Outcome, RefusalReason } from './outcome';
import type { PendingCall } from './pending-call';
import type { State } from './state-operation';
import type { Usage } from './usage';

/** Why a run ended without an error. */
export type StopReason = 'completed' | 'direct' | 'paused' | 'limit' | 'loop' | 'refused';

/** Which limit ended a run; `outputTokens` is the longest answer that the provider or `modelSettings.maxTokens` allows. */
export type LimitName = 'maxTurns' | 'maxToolCalls' | 'maxTokens' | 'maxCostUsd' | 'maxDurationMs' | 'outputTokens';

/** An error as plain data. */
export interface ErrorFacts {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
}

/** One call of a run, whatever became of it. */
export interface ToolCallRecord {
  readonly id: string;
  readonly name: string;
  /** The arguments that counted: decoded and after every edit; the model's own text where they could not be read. */
  readonly arguments: unknown;
  readonly outcome: Outcome;
  readonly reason?: RefusalReason;
  /** The model request that made it, from 1. */
  readonly turn: number;
  /** What the model was told. */
  readonly content: readonly Part[];
  /** Set when the content is foreign. */
  readonly trust?: 'untrusted';
  /** For user interfaces and logs; never sent to the model. */
  readonly details?: unknown;
  /** What the tool says it changed. */
  readonly effects?: readonly unknown[];
  /** Milliseconds of its execution, waits for a lock and between attempts included. */
  readonly durationMs: number;
  /** How often it was tried; 0 when it was not run. */
  readonly attempts: number;
}

/** What every result of a run has, and every run error carries as `partial`. */
export interface RunFacts {
  readonly runId: string;
  /** The agent that answered last: after a hand-off another than the one that was run. Absent when the run ended before there was any. */
  readonly agent?: string;
  /** The text of the last answer; empty when there is none. */
  readonly text: string;
  /** The whole transcript, valid for a next run. */
  readonly messages: readonly Message[];
  /** What this run added to the transcript. */
  readonly newMessages: readonly Message[];
  readonly usage: Usage;
  readonly state: State;
  readonly toolCalls: readonly ToolCallRecord[];
  readonly warnings: readonly string[];
}

/** The model gave its final answer. */
export interface CompletedRun<Output> extends RunFacts {
  readonly stopReason: 'completed';
  /** The answer: text, or an instance of the agent's `output`. */
  readonly output: Output;
}

/** The result of a `returnDirect` tool is the answer. */
export interface DirectRun extends RunFacts {
  /** A `returnDirect` tool's result is the answer. */
  readonly stopReason: 'direct';
  readonly output?: undefined;
}

/** A limit was reached; `text` holds the last answer. */
export interface LimitedRun<Output = unknown> extends RunFacts {
  readonly stopReason: 'limit';
  readonly limit: LimitName;
  /** The last answer, where the agent has an `output` and it was valid; `text` holds any other. */
  readonly output?: Output;
}

/** The model kept repeating itself, also after it was told. */
export interface LoopedRun<Output = unknown> extends RunFacts {
  readonly stopReason: 'loop';
  /** The last answer, where the agent has an `output` and it was valid; `text` holds any other. */
  readonly output?: Output;
}

/** The provider or a guardrail refused to answer. */
export interface RefusedRun extends RunFacts {
  /** The provider or a guardrail refused. */
  readonly stopReason: 'refused';
  readonly refusal: string;
  readonly output?: undefined;
}

/** Calls wait for decisions or results from elsewhere; `runner.resume` goes on. */
export interface PausedRun extends RunFacts {
  /** Calls wait for a decision, or for a result, from elsewhere; `resume` goes on. */
  readonly stopReason: 'paused';
  /** All that the run is, as one text. */
  readonly snapshot: string;
  /** What is to be decided, in call order. */
  readonly pending: readonly PendingCall[];
  readonly output?: undefined;
}

/** How a run ended; narrow it by `stopReason`. */
export type RunResult<Output = string> = CompletedRun<Output> | DirectRun | PausedRun | LimitedRun<Output> | LoopedRun<Output> | RefusedRun;
