import type { PreparedAgent } from '../agent/prepared-agent';
import { didYouMean } from '../errors/nearest-name';
import { UsageError } from '../errors/usage-error';
import type { BoundTool, ToolDefinition } from '../tools/tool-definition';

/** Takes the place of an agent's tool of this name: it is given that tool and gives the one that is run. */
export interface ToolOverride {
  readonly name: string;
  replacing(real: ToolDefinition): ToolDefinition;
}

/**
 * The agent with some of its tools executed by others. What the model is shown stays that of the agent's own tools.
 * @throws UsageError for a name that none of its tools has
 */
export function withToolOverrides(agent: PreparedAgent, overrides: readonly ToolOverride[]): PreparedAgent {
  const tools = new Map<string, BoundTool>(agent.tools);
  for (const override of overrides) {
    const tool = tools.get(override.name);
    if (tool === undefined) {
      const names = [...tools.keys()];
      throw new UsageError(
        `${agent.name} has no tool \`${override.name}\` that could be overridden.${didYouMean(override.name, names)} It has: ${names.join(', ')}.`,
      );
    }
    tools.set(override.name, Object.freeze({ ...tool, definition: override.replacing(tool.definition) }));
  }
  return Object.freeze({ ...agent, tools });
}
