import { toolsNamed, type ToolsetStep } from './toolset-step';

/** Keeps the named tools, in their own order. */
export function only(names: readonly string[]): ToolsetStep {
  return {
    kind: 'static',
    apply(tools, subject) {
      const kept = toolsNamed(tools, names, `${subject}.only(…)`);
      return tools.filter((tool) => kept.has(tool));
    },
  };
}
