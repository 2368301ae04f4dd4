import { renamedTool, toolsNamed, type ToolsetStep } from './toolset-step';

/** Gives tools other names; those that are not mentioned keep theirs. */
export function renamed(names: { readonly [old: string]: string | undefined }): ToolsetStep {
  const wanted = new Map(Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== undefined));
  return {
    kind: 'static',
    apply(tools, subject) {
      const where = `${subject}.renamed(…)`;
      const meant = toolsNamed(tools, [...wanted.keys()], where);
      return tools.map((tool) => {
        const name = wanted.get(meant.get(tool) ?? '');
        return name === undefined ? tool : renamedTool(tool, name, where);
      });
    },
  };
}
