import { agentOf, definitionOf, type AgentDefinition } from '../agent/agent-definition';
import type { Container } from '../container/container';
import { UsageError } from '../errors/usage-error';
import { knownTools } from '../tools/listed-tools';
import type { ToolDefinition, ToolHome } from '../tools/tool-definition';
import type { ToolRegistry } from '../tools/tool-registry';

/** An agent that another may call or hand over to. */
export interface AgentBehind {
  readonly definition: AgentDefinition;
  readonly tools: readonly ToolDefinition[];
  /** Whether it was given as an instance. */
  readonly isBuilt: boolean;
}

/**
 * The agents that may be called or handed over to from some tools, directly or through others.
 * @throws ToolDefinitionError when one of them cannot be used as declared
 */
export function agentsBehind(tools: readonly ToolDefinition[], registry: ToolRegistry): readonly AgentBehind[] {
  const found = new Map<AgentDefinition, AgentBehind>();
  const open = tools.slice();
  for (let tool = open.pop(); tool !== undefined; tool = open.pop()) {
    if (tool.delegation === undefined) continue;
    const { cls, instance } = agentOf(tool.delegation.agent);
    const definition = definitionOf(cls, registry);
    if (found.has(definition)) continue;
    const further = knownTools(definition.listed);
    found.set(definition, { definition, tools: further, isBuilt: instance !== undefined });
    open.push(...further);
  }
  return [...found.values()];
}

const checked = new WeakMap<Container, WeakSet<AgentDefinition>>();

/**
 * Checks, before the first request and once per container, that the agents which this one may call can be used and built.
 * @throws ToolDefinitionError or WiringError
 */
export function checkAgentsBehind(agent: AgentDefinition, container: Container, registry: ToolRegistry): void {
  let known = checked.get(container);
  if (known === undefined) checked.set(container, (known = new WeakSet()));
  if (known.has(agent)) return;
  for (const { definition, tools, isBuilt } of agentsBehind(knownTools(agent.listed), registry)) {
    const classes = new Set<ToolHome>([definition.cls]);
    for (const { home } of tools) if (home !== undefined) classes.add(home);
    if (isBuilt) classes.delete(definition.cls);
    container.check?.([...classes], definition.name);
  }
  known.add(agent);
}

/**
 * The agent that a run goes on with: the one that was called, or one that it has handed over to.
 * @throws UsageError when there is none of that name any more
 */
export function agentNamed(name: string, called: unknown, registry: ToolRegistry): unknown {
  const definition = definitionOf(agentOf(called).cls, registry);
  if (definition.name === name) return called;
  const found = agentsBehind(knownTools(definition.listed), registry).find((behind) => behind.definition.name === name);
  if (found === undefined)
    throw new UsageError(`The run is one of the agent ${name}, which ${definition.name} cannot hand over to any more.`);
  return found.definition.cls;
}
