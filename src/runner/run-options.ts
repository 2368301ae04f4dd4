import type { HooksRef, Instructions, Limits } from '../agent/agent-options';
import type { Approver } from '../invocation/approval';
import type { ModelRef, ModelSettings } from '../models/model';
import type { ToolsetRef } from '../tools/toolset';
import type { Decision } from '../types/decision';
import type { Message, Part } from '../types/message';
import type { RunEvent } from '../types/run-event';
import type { RunRecord } from '../types/run-record';
import type { RunFacts } from '../types/run-result';
import type { State } from '../types/state-operation';

/** What a run is asked: text, parts, or messages. */
export type RunInput = string | readonly Part[] | readonly Message[];

/** What one run is given, beside its input. */
export interface RunOptions<Deps = unknown> {
  /** What the tools of this run work with; required when the agent's type names some. */
  readonly deps?: Deps;
  /** The run's memory to begin with: plain data, copied. */
  readonly state?: State;
  /** An earlier transcript to continue, without its system message. */
  readonly messages?: readonly Message[];
  /** A conversation that is kept: the run goes on with its messages and state, and is written down in it. Needs `sessions` of the runner. */
  readonly session?: string;
  /** An earlier run to continue: its transcript and its state. */
  readonly continueFrom?: RunFacts;
  /** Aborts the run: `run` rejects with a `RunAbortedError`. */
  readonly signal?: AbortSignal;
  /** Over the agent's, per key. */
  readonly limits?: Limits;
  /** Instead of the agent's approver. */
  readonly approve?: Approver<Deps>;
  /** In addition to the agent's, after them. */
  readonly hooks?: readonly HooksRef<Deps>[];
  /** Instead of the agent's model, and of a test's. */
  readonly model?: ModelRef | readonly ModelRef[];
  /** Free facts for hooks, tools and logs. */
  readonly metadata?: { readonly [key: string]: unknown };
  /** Sees every event; what it throws becomes a warning. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Records the run, and is given the record when it is over, however it ended: for `replay` and `branch`. */
  readonly record?: (record: RunRecord) => void;
  /** Instead of the agent's. */
  readonly instructions?: Instructions<Deps>;
  /** In addition to the agent's, after them. */
  readonly toolsets?: readonly ToolsetRef[];
  /** Over the agent's, per key. */
  readonly modelSettings?: ModelSettings;
}

/** What a run is resumed with. What is not named here, such as the messages, the state and the instructions, is the run's own. */
export interface ResumeOptions<Deps = unknown> extends Pick<
  RunOptions<Deps>,
  'deps' | 'signal' | 'limits' | 'approve' | 'hooks' | 'model' | 'metadata' | 'onEvent' | 'toolsets' | 'modelSettings'
> {
  /** What was decided about calls in `result.pending`: for all of them or for some. */
  readonly decisions?: readonly Decision[];
}

/** `deps` must be given exactly when the agent's type asks for some. */
export type ResumeArguments<Deps> = undefined extends Deps
  ? [options?: ResumeOptions<Deps>]
  : unknown extends Deps
    ? [options?: ResumeOptions<Deps>]
    : [options: ResumeOptions<Deps> & { readonly deps: Deps }];

/** `deps` must be given exactly when the agent's type asks for some. */
export type RunArguments<Deps> = undefined extends Deps
  ? [options?: RunOptions<Deps>]
  : unknown extends Deps
    ? [options?: RunOptions<Deps>]
    : [options: RunOptions<Deps> & { readonly deps: Deps }];
