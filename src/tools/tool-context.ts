import { CONTEXT_BRAND } from '../metadata/reflection';
import type { Message } from '../types/message';
import type { State } from '../types/state-operation';
import type { Usage } from '../types/usage';

/** The limits of a run, as a tool may see them. */
export type ContextLimits = { readonly [limit: string]: number | string | undefined };

/**
 * What a tool knows of its call and its run. A parameter of this type is injected and never shown to the model.
 *
 * An abstract class rather than an interface: reflection must see it. It is recognised by a static brand, so two copies
 * of the package agree.
 * @example @Tool('Sends a mail.') send(@Param('to') to: string, context: ToolContext<Deps>) { return context.deps.mail.send(to); }
 */
export abstract class ToolContext<out Deps = unknown> {
  static readonly [CONTEXT_BRAND] = true as const;

  /** What the host gave this run; never touched or saved by the framework. */
  abstract readonly deps: Deps;
  /** The run's memory as it was before this turn; change it with a `ContextUpdate`. */
  abstract readonly state: State;
  /** The transcript before this turn. */
  abstract readonly messages: readonly Message[];
  /** The id of the run. */
  abstract readonly requestId: string;
  /** When this attempt began. */
  abstract readonly timestamp: Date;
  /** The id of this call; `idempotencyKey` is the one to hand to services. */
  abstract readonly callId: string;
  /** The tool's name as the model is shown it. */
  abstract readonly toolName: string;
  /** 1 for the first execution; automatic re-executions count up. */
  abstract readonly attempt: number;
  /** Aborts when the run is aborted or the call's time is up. */
  abstract readonly signal: AbortSignal;
  /** What the run has consumed so far; the calls of this turn do not count yet. */
  abstract readonly usage: Usage;
  /** The bounds of the run, by their names in `Limits`. */
  abstract readonly limits: ContextLimits;
  /** The same for every attempt of this call, and after a resume; different for every other call. */
  abstract readonly idempotencyKey: string;
  /** What the caller gave as `metadata`. */
  abstract readonly metadata: { readonly [key: string]: unknown };
  /** Shows progress (`tool.update`); does nothing after the call has ended. */
  abstract update(data: unknown): void;
}

/** What a run knows before its first request: what instructions and toolset factories are given. */
export interface RunContext<out Deps = unknown> {
  readonly deps: Deps;
  readonly state: State;
  readonly messages: readonly Message[];
  readonly metadata: { readonly [key: string]: unknown };
  readonly requestId: string;
}
