import { renamedTool, type ToolsetStep } from './toolset-step';

/** Puts a text in front of each name. */
export function prefixed(prefix: string): ToolsetStep {
  return {
    kind: 'static',
    apply: (tools, subject) =>
      tools.map((tool) => renamedTool(tool, `${prefix}${tool.name}`, `${subject}.prefixed(${JSON.stringify(prefix)})`)),
  };
}
