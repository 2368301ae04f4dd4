import { UsageError } from '../../errors/usage-error';
import type { ToolFilter, ToolsetTools } from '../toolset';
import type { ToolDefinition } from '../tool-definition';
import type { ToolsetStep } from './toolset-step';

/** Keeps the tools that a predicate says yes to, asked once per tool at run start. */
export function filtered(filter: ToolFilter): ToolsetStep {
  return {
    kind: 'per run',
    async apply(tools, subject, context): Promise<ToolsetTools> {
      const kept: ToolDefinition[] = [];
      for (const tool of tools) {
        try {
          if ((await filter(tool, context)) === true) kept.push(tool);
        } catch (cause) {
          throw new UsageError(`The filter of ${subject} threw for the tool \`${tool.name}\`: no run begins with half a list of tools.`, {
            cause,
          });
        }
      }
      return kept;
    },
  };
}
