import { isRecord } from '../../errors/option-check';
import { Faults } from '../faults';
import { behaviourOf, checkCombination, checkToolOptions, TOOL_RULES, withDefaults } from '../tool-options-reader';
import type { ToolOptions } from '../tool-options';
import { changedTool, type ToolsetStep } from './toolset-step';

/** Sets options of all tools; they win over what the tools' author wrote. Names are for `renamed`, texts for a single tool. */
export function configured(options: Partial<ToolOptions>): ToolsetStep {
  return {
    kind: 'static',
    apply(tools, subject) {
      const faults = new Faults();
      const where = `${subject}.configured(…)`;
      const sound = checkToolOptions(isRecord(options) ? options : {}, TOOL_RULES, where, faults.report);
      if (sound.name !== undefined)
        faults.report({ where, what: '`name` is not an option for a set of tools.', fix: `.renamed({ old: '…' })` });
      for (const text of ['label', 'description'])
        if (sound[text] !== undefined && tools.length !== 1)
          faults.report({
            where,
            what: `\`${text}\` would be the same for ${tools.length} tools.`,
            fix: `.only('one_tool').configured({ ${text}: '…' })`,
          });
      const { name: _, label, description, ...behaviour } = sound;
      const changed = tools.map((tool) => {
        const written = withDefaults(behaviour, tool.written ?? tool.behaviour);
        checkCombination(written, `${where}, ${tool.owner}`, faults.report);
        return changedTool(tool, {
          behaviour: behaviourOf(written),
          written: Object.freeze(written),
          ...(typeof label === 'string' && { label }),
          ...(typeof description === 'string' && { description, warnings: [] }),
        });
      });
      faults.throwIfAny(where);
      return changed;
    },
  };
}
