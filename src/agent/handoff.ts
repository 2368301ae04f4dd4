import { delegateTool } from '../tools/delegate-tool';
import type { ToolOptions } from '../tools/tool-options';
import type { DefinedTool } from '../tools/tool-shape';
import type { AgentRef } from './agent';

/** What `handoff` takes: a tool's options. */
export interface HandoffOptions extends ToolOptions {
  /** `transfer_to_` and the agent's name by default. */
  readonly name?: string;
  /** What the agent's `@AgentConfig` says of it by default. */
  readonly description?: string;
}

/** A hand-off as a tool; it remembers what the next agent answers with. */
export interface Handoff<out Output, in Deps> extends DefinedTool<{ reason?: string }, Deps> {
  // For the compiler only, so nothing exists at run time.
  readonly '~handoff'?: { readonly output: Output };
}

/**
 * A tool that hands the conversation over: from the next request on, the other agent answers, with its own instructions, tools, hooks and
 * approver. It is one run with one result: limits, usage, state and taint go on.
 *
 * The next agent sees the run's deps, unless `deps` makes others for it. Of two hand-offs in one answer the first counts.
 * @param agent its class, or an instance
 * @throws ToolDefinitionError with everything that is wrong with the options
 * @example `@AgentConfig({ instructions: 'Find out what they need.', tools: [handoff(Billing), handoff(Support)] })`
 */
export function handoff<Output, Deps>(
  agent: AgentRef<Output, Deps>,
  options?: HandoffOptions & { readonly deps?: undefined },
): Handoff<Output, Deps>;
export function handoff<Output, Deps, Before>(
  agent: AgentRef<Output, Deps>,
  options: HandoffOptions & { readonly deps: (deps: Before) => Deps | Promise<Deps> },
): Handoff<Output, Before>;
export function handoff(agent: unknown, options: object = {}): Handoff<never, unknown> {
  return delegateTool('handoff', agent, options);
}
