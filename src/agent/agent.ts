import type { ApprovalDecision, ApprovalRequest } from '../invocation/approval';
import type { ToolContext } from '../tools/tool-context';
import type { Hooks } from './hooks';
import type { AnyClass } from '../types/type-spec';

/**
 * The base of every agent: subclass it, decorate methods with `@Tool()`, take services in the constructor.
 *
 * `Output` is the type of the answer (`@AgentConfig({ output })` says how the model is shown it), `Deps` what each run is
 * given. Every method of `Hooks` may be written on the class, and `approve` too.
 * @example @AgentConfig({ instructions: 'You know the weather.' }) class Weather extends Agent<string, Deps> { … }
 */
// The hooks are optional methods of every agent, declared by merging, so that nothing exists at run time.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export abstract class Agent<out Output = string, in Deps = unknown> {
  // For the compiler only. A string key, so two copies of the package agree.
  declare readonly '~agent': { readonly output: Output; readonly deps: (deps: Deps) => void };
}

// Merged declarations must have the same type parameters.
// eslint-disable-next-line @typescript-eslint/no-unused-vars
export interface Agent<out Output = string, in Deps = unknown> extends Hooks<never> {
  approve?(request: ApprovalRequest, context: ToolContext<never>): ApprovalDecision | Promise<ApprovalDecision>;
}

/** Any agent, nothing forgotten: with `any` a mixin would turn the output into `any`. */
export type AnyAgent = Agent<unknown, never>;
/** An agent's class; what its constructor takes is the container's business. */
// TypeScript asks for `any[]` of a class that a mixin extends.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AgentClass<A extends AnyAgent = AnyAgent> = new (...args: any[]) => A;
/** What `run` takes: an agent's class, or an instance. */
export type AgentRef<Output, Deps> = Agent<Output, Deps> | (new (...args: never[]) => Agent<Output, Deps>);
/** An agent that can run with no deps: what `subagents` takes. Others are listed by `agentTool`, which says where their deps come from. */
export type SubagentRef = AgentRef<unknown, undefined>;
/** What an agent, or an agent's class, answers with. */
export type OutputOf<A> = AgentOf<A> extends { readonly '~agent': { readonly output: infer O } } ? O : never;
/** What each run of an agent, or of an agent's class, must be given as `deps`. */
export type DepsOf<A> = AgentOf<A> extends { readonly '~agent': { readonly deps: (deps: infer D) => void } } ? D : never;
type AgentOf<A> = A extends AnyClass ? InstanceType<A> : A;
