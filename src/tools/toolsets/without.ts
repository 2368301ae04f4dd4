import { toolsNamed, type ToolsetStep } from './toolset-step';

/** Leaves the named tools out. */
export function without(names: readonly string[]): ToolsetStep {
  return {
    kind: 'static',
    apply(tools, subject) {
      const dropped = toolsNamed(tools, names, `${subject}.without(…)`);
      return tools.filter((tool) => !dropped.has(tool));
    },
  };
}
