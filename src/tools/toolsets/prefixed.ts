import { ToolDefinitionError } from '../../errors/definition-error';
import { shown } from '../../errors/option-check';
import { renamedTool, type ToolsetStep } from './toolset-step';

/** Puts a text in front of each name. */
export function prefixed(prefix: string): ToolsetStep {
  return {
    kind: 'static',
    apply(tools, subject) {
      const where = `${subject}.prefixed(${shown(prefix)})`;
      if (typeof prefix !== 'string')
        throw new ToolDefinitionError(where, [{ where, what: 'the prefix is no text.', fix: `${subject}.prefixed('fs_')` }]);
      return tools.map((tool) => renamedTool(tool, `${prefix}${tool.name}`, where));
    },
  };
}
