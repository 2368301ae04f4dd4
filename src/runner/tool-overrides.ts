import type { PreparedAgent } from '../agent/prepared-agent';
import { didYouMean } from '../errors/nearest-name';
import { UsageError } from '../errors/usage-error';
import type { BoundTool, ToolDefinition } from '../tools/tool-definition';
import type { ToolRegistry } from '../tools/tool-registry';
import { agentsBehind, type AgentBehind } from './agents-behind';

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
      further ??= new Set(agentsBehind(definitionsOf(agent.tools.values()), registry).flatMap(namesOfTools));
      if (!further.has(override.name)) throw noTool(agent.name, override.name, [...tools.keys(), ...further]);
    }
  }
  return Object.freeze({ ...agent, tools });
}

const namesOfTools = ({ tools }: AgentBehind): string[] => tools.map((tool) => tool.name);
const definitionsOf = (tools: Iterable<BoundTool>): ToolDefinition[] => [...tools].map((tool) => tool.definition);

function noTool(agent: string, name: string, known: readonly string[]): UsageError {
  return new UsageError(
    `${agent} has no tool \`${name}\` that could be overridden.${didYouMean(name, known)} It has: ${known.join(', ')}.`,
  );
}
