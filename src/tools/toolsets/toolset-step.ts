import type { DefinitionFault } from '../../errors/definition-error';
import { ToolDefinitionError } from '../../errors/definition-error';
import { didYouMean } from '../../errors/nearest-name';
import type { RunContext } from '../tool-context';
import type { ToolDefinition } from '../tool-definition';
import { nameFault, snakeCase } from '../tool-name';
import type { ToolsetTools } from '../toolset';

/** What one wrapper does with a list of tools: at once where it needs nothing of the run, else at run start. */
export type ToolsetStep =
  | { readonly kind: 'static'; apply(tools: ToolsetTools, subject: string): ToolsetTools }
  | { readonly kind: 'per run'; apply(tools: ToolsetTools, subject: string, context: RunContext): Promise<ToolsetTools> };

/** A copy of a tool with other facts; accessors (a contract that is built at first need) stay what they are. */
export function changedTool(tool: ToolDefinition, changes: Partial<ToolDefinition>): ToolDefinition {
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(tool);
  for (const [key, value] of Object.entries(changes)) descriptors[key] = { value, enumerable: true };
  return Object.freeze(Object.defineProperties({}, descriptors)) as ToolDefinition;
}

/** A copy under another name. @throws ToolDefinitionError when the name is not legal */
export function renamedTool(tool: ToolDefinition, name: string, where: string): ToolDefinition {
  const fault = nameFault(String(name), where, `${tool.owner}`);
  if (fault !== undefined) throw new ToolDefinitionError(where, [{ ...fault, fix: 'a shorter prefix, or another name' }]);
  return changedTool(tool, { name });
}

/**
 * Which tools are meant by some names: a tool's name as it is here, or, where no tool has it, its method's in snake_case.
 * @throws ToolDefinitionError for names that no tool has
 */
export function toolsNamed(tools: ToolsetTools, names: readonly string[], where: string): ReadonlyMap<ToolDefinition, string> {
  const found = new Map<ToolDefinition, string>();
  const faults: DefinitionFault[] = [];
  const known = tools.map((tool) => tool.name);
  for (const name of names) {
    const tool = tools.find((candidate) => candidate.name === name) ?? onlyOne(tools, (candidate) => writtenName(candidate) === name);
    if (tool !== undefined) found.set(tool, name);
    else
      faults.push({
        where,
        what: `there is no tool \`${String(name)}\` here.${didYouMean(String(name), known)}`,
        fix: `one of: ${known.join(', ') || '(none)'}`,
      });
  }
  if (faults.length > 0) throw new ToolDefinitionError(where, faults);
  return found;
}

const writtenName = (tool: ToolDefinition): string | undefined => (tool.method === undefined ? undefined : snakeCase(tool.method));

function onlyOne(tools: ToolsetTools, matches: (tool: ToolDefinition) => boolean): ToolDefinition | undefined {
  const found = tools.filter(matches);
  return found.length === 1 ? found[0] : undefined;
}
