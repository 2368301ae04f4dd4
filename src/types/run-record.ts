import type { Message } from './message';
import type { RunEvent } from './run-event';
import type { ErrorFacts } from './run-result';
import type { State } from './state-operation';

/**
 * What came of everything that a run asked of the world, in order: plain data, safe to store as JSON. It holds the conversation as it is,
 * secrets included.
 */
export interface RunRecord {
  readonly v: 1;
  readonly runId: string;
  readonly agent: string;
  readonly model: string;
  /** What the model could do, where the run depends on it. */
  readonly capabilities: { readonly [name: string]: boolean };
  readonly start: {
    readonly at: number;
    readonly input: readonly Message[];
    readonly history: readonly Message[];
    readonly state: State;
    readonly metadata: { readonly [key: string]: unknown };
    /** The options of the run that are plain data. */
    readonly options: { readonly [name: string]: unknown };
  };
  readonly steps: readonly RecordedStep[];
  /** The ids that the run itself drew, in order. */
  readonly ids: readonly (readonly [kind: string, id: string])[];
  /** Set when the run was aborted between two steps: after how many of them, and after how many events of its own, and why. */
  readonly aborted?: { readonly steps: number; readonly events: number; readonly reason: ErrorFacts };
}

/** One thing that a run asked for, and what came of it. */
export interface RecordedStep {
  /** `model`, `calls`, `guardrail`, `inbox`, `ending`, or a hook's name. */
  readonly name: string;
  /** What was asked: what a replay compares. */
  readonly about: unknown;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** What was told meanwhile. */
  readonly events: readonly RunEvent[];
  /** The pieces in which an answer came, also one that did not come to its end. */
  readonly pieces?: readonly (AnswerPiece & { readonly at: number })[];
  /** Warnings that came up meanwhile. */
  readonly warnings?: readonly string[];
  readonly outcome?: unknown;
  readonly error?: ErrorFacts & { readonly facts?: { readonly [name: string]: unknown } };
  /** Set when the run was aborted by its end: the reason. */
  readonly aborted?: ErrorFacts;
}

/** A piece of an answer; arguments belong to the call at `index`. */
export interface AnswerPiece {
  readonly kind: 'text' | 'reasoning' | 'arguments';
  readonly text: string;
  readonly index?: number;
}

/** An answer put in the place of a recorded one. */
export interface ChangedAnswer {
  readonly text?: string;
  /** Calls of tools, with their arguments as an object, or as the text that the model would have sent. */
  readonly calls?: readonly { readonly name: string; readonly arguments?: object | string }[];
}
