import { shown } from '../../errors/option-check';
import { UsageError } from '../../errors/usage-error';
import { isToolDefinition } from '../is-tool-definition';
import type { ToolPreparation, ToolsetTools } from '../toolset';
import type { ToolsetStep } from './toolset-step';

/** Gives the whole list to a function at run start, which may leave out, reorder, or change descriptions. */
export function prepared(prepare: ToolPreparation): ToolsetStep {
  return {
    kind: 'per run',
    async apply(tools, subject, context): Promise<ToolsetTools> {
      let list: unknown;
      try {
        list = await prepare(tools, context);
      } catch (cause) {
        throw new UsageError(`The preparation of ${subject} threw.`, { cause });
      }
      if (!Array.isArray(list)) throw new UsageError(`The preparation of ${subject} must return a list of tools, not ${shown(list)}.`);
      const stranger: unknown = list.find((item) => !isToolDefinition(item));
      if (stranger !== undefined || list.includes(undefined))
        throw new UsageError(
          `The preparation of ${subject} returned ${shown(stranger)} among the tools. Return the tools it was given, or copies of them.`,
        );
      return list as ToolsetTools;
    },
  };
}
