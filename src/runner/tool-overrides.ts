import { agentOf, definitionOf } from '../agent/agent-definition';
import type { PreparedAgent } from '../agent/prepared-agent';
import { didYouMean } from '../errors/nearest-name';
import { UsageError } from '../errors/usage-error';
import { knownTools } from '../tools/listed-tools';
import type { BoundTool, ToolDefinition } from '../tools/tool-definition';
import type { ToolRegistry } from '../tools/tool-registry';

/** Takes the place of an agent's tool of this name: it is given that tool and gives the one that is run. */
export interface ToolOverride {
  readonly name: string;
  replacing(real: ToolDefinition): ToolDefinition;
}

/**
 * The agent with some of its tools executed by others. What the model is shown stays that of the agent's own tools. An override may be
 * meant for an agent that this one calls or hands over to.
 * @param inside whether the agent is such a one: then the names were checked already
 * @throws UsageError for a name that no tool has
 */
export function withToolOverrides(
  agent: PreparedAgent,
  overrides: readonly ToolOverride[],
  registry: ToolRegistry,
  inside: boolean,
): PreparedAgent {
  const tools = new Map<string, BoundTool>(agent.tools);
  let further: ReadonlySet<string> | undefined;
  for (const override of overrides) {
    const tool = tools.get(override.name);
    if (tool !== undefined) {
      tools.set(override.name, Object.freeze({ ...tool, definition: override.replacing(tool.definition) }));
    } else if (!inside) {
      further ??= furtherTools(definitionsOf(agent.tools.values()), registry);
      if (!further.has(override.name)) throw noTool(agent.name, override.name, [...tools.keys(), ...further]);
    }
  }
  return Object.freeze({ ...agent, tools });
}

const definitionsOf = (tools: Iterable<BoundTool>): ToolDefinition[] => [...tools].map((tool) => tool.definition);

/** The names of the tools of all agents that stand behind some tools. */
function furtherTools(tools: readonly ToolDefinition[], registry: ToolRegistry): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const open = tools.slice();
  for (let tool = open.pop(); tool !== undefined; tool = open.pop()) {
    const { delegation } = tool;
    if (delegation === undefined || seen.has(delegation.agent)) continue;
    seen.add(delegation.agent);
    const further = knownTools(definitionOf(agentOf(delegation.agent).cls, registry).listed);
    for (const { name } of further) names.add(name);
    open.push(...further);
  }
  return names;
}

function noTool(agent: string, name: string, known: readonly string[]): UsageError {
  return new UsageError(
    `${agent} has no tool \`${name}\` that could be overridden.${didYouMean(name, known)} It has: ${known.join(', ')}.`,
  );
}
