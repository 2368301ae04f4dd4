import type { ToolHooks } from '../invocation/hooks';
import type { RunContext } from '../tools/tool-context';
import type { AssistantMessage, Message } from '../types/message';
import type { RunError } from '../errors/run-error';
import type { RunResult } from '../types/run-result';
import type { Usage } from '../types/usage';
import type { ToolwrightError } from '../errors/toolwright-error';

/** What a request will hold, before it is made. */
export interface BeforeModelView {
  readonly turn: number;
  readonly messages: readonly Message[];
}

/** What a model answered, and what that consumed. */
export interface AfterModelView {
  readonly turn: number;
  readonly message: AssistantMessage;
  readonly usage: Usage;
}

/** What `beforeModel` may say: nothing, or messages that are put at the end of this one request and of no other. */
export type BeforeModelDecision = void | undefined | { readonly append: readonly Message[] };

/**
 * Watches and steers a run, as methods of the agent or as a class in `AgentConfig.hooks`, built by the container.
 *
 * Order: `AgentConfig.hooks` bases first, then the agent's own methods, then the run's option. A `before…` hook that
 * throws fails closed (the call is refused, the run rejects); what an `after…` hook throws becomes a warning.
 */
export interface Hooks<Deps = unknown> extends ToolHooks<Deps> {
  /** Before the first request; for an agent that takes over, when it does. */
  onRunStart?(context: RunContext<Deps>): void | Promise<void>;
  /** Before each request. */
  beforeModel?(view: BeforeModelView, context: RunContext<Deps>): BeforeModelDecision | Promise<BeforeModelDecision>;
  /** After each answer, before its calls are carried out. */
  afterModel?(view: AfterModelView, context: RunContext<Deps>): void | Promise<void>;
  /** When the run is over: with its result, or with the error that it rejects with. */
  onRunEnd?(
    end: { readonly result?: RunResult<unknown>; readonly error?: RunError | ToolwrightError },
    context: RunContext<Deps>,
  ): void | Promise<void>;
}
