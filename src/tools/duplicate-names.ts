import type { Report } from '../errors/option-check';
import type { ToolDefinition } from './tool-definition';

/** Reports each name that two tools bear, with both owners. */
export function reportDuplicates(tools: readonly ToolDefinition[], report: Report): void {
  const owners = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    const first = owners.get(tool.name);
    if (first === undefined) owners.set(tool.name, tool);
    else
      report({
        where: `the tool name \`${tool.name}\``,
        what: isListedTwice(first, tool)
          ? `${tool.owner} is listed twice under it.`
          : `it belongs to both ${first.owner} and ${tool.owner}, and a model can only call one.`,
        fix: duplicateFix(first, tool),
      });
  }
}

/** Two classes may have one name, and so may two values; only the same class or value makes it the same tool. */
function isListedTwice(first: ToolDefinition, second: ToolDefinition): boolean {
  return first.owner === second.owner && first.home === second.home && (first.home !== undefined || first.call === second.call);
}

function duplicateFix(first: ToolDefinition, second: ToolDefinition): string {
  if (isListedTwice(first, second)) return 'list it once, or rename one: toolset(X).prefixed(…)';
  if (second.home === undefined) return `another name for one of them: { name: '…' }`;
  const home = second.home.name;
  if (first.home === second.home || home === '') return `another name for one of them: @Tool({ name: '…' })`;
  return `a prefix for one of them: toolsets: [toolset(${home}).prefixed('${home.toLowerCase()}_')]`;
}
