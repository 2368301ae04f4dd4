import { delegateTool } from '../tools/delegate-tool';
import type { ToolContext } from '../tools/tool-context';
import type { ToolOptions } from '../tools/tool-options';
import type { ArgsOf, CheckedShape, DefinedTool, ToolShape } from '../tools/tool-shape';
import type { TypeSpec } from '../types/type-spec';
import type { AgentRef, SubagentRef } from './agent';
import type { Limits } from './agent-options';

/** Without `input`, a sub-agent is given one text. */
type Task = { readonly task: StringConstructor };

/** What `agentTool` takes: a tool's options, and what the agent is given. */
export interface AgentToolOptions<S, Around> extends Omit<ToolOptions, 'requiresApproval' | 'lock'> {
  /** The agent's name by default. */
  readonly name?: string;
  /** What the agent's `@AgentConfig` says of it by default. */
  readonly description?: string;
  /** What the model must send; the agent reads it as JSON. One text, `task`, by default. */
  readonly input?: S & CheckedShape<S>;
  /** Bounds of its run, over its own; what is left of the limits of the run around it holds as well. */
  readonly limits?: Limits;
  readonly requiresApproval?: boolean | ((args: ArgsOf<S>, context: ToolContext<Around>) => boolean | Promise<boolean>);
  readonly lock?: (args: ArgsOf<S>) => string;
}

/**
 * An agent as a tool of another: each call is a run of its own, through the same gate, whose answer is the call's result.
 *
 * It starts with no conversation, no state and no deps but those that `deps` makes for it. What it consumes counts in the run around it,
 * whose limits, approver, taint and abort reach it.
 * @param agent its class, or an instance
 * @throws ToolDefinitionError with everything that is wrong with the options
 * @example agentTool(Research, { description: 'Looks a topic up.', input: { topic: String }, deps: (deps: Deps) => ({ db: deps.db }) })
 */
export function agentTool<const S extends ToolShape | TypeSpec = Task, Around = unknown>(
  agent: SubagentRef,
  options?: AgentToolOptions<S, Around> & { readonly deps?: (deps: Around) => unknown },
): DefinedTool<ArgsOf<S>, Around>;
export function agentTool<Deps, const S extends ToolShape | TypeSpec = Task, Around = unknown>(
  agent: AgentRef<unknown, Deps>,
  options: AgentToolOptions<S, Around> & { readonly deps: (deps: Around) => Deps | Promise<Deps> },
): DefinedTool<ArgsOf<S>, Around>;
export function agentTool(agent: unknown, options: object = {}): DefinedTool<never, unknown> {
  return delegateTool('subagent', agent, options);
}
