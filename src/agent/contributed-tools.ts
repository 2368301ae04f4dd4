import { errorText } from '../errors/error-facts';
import { contributedSet, type RegisteredContribution } from '../tools/contributions';
import { distrusted } from '../tools/distrusted';
import { isFactory } from '../tools/listed-tools';
import { toolsInRun, type StaticToolset } from '../tools/static-toolset';
import type { RunContext } from '../tools/tool-context';
import type { ToolDefinition } from '../tools/tool-definition';
import { nameFault } from '../tools/tool-name';
import type { ToolRegistry } from '../tools/tool-registry';
import type { ContributedOptions } from './agent-options';
import { openToolset } from './open-toolset';

/** A toolset in one run, with its tools as they are there. */
export interface SetInRun {
  readonly set: StaticToolset;
  readonly tools: readonly ToolDefinition[];
}

/**
 * The tools that packages registered and the agent asked for, under names that are still free.
 *
 * A package that fails, or brings a name that is taken, is left out with a warning: a dependency neither stops an agent nor replaces what its
 * author wrote.
 */
export async function contributedTools(
  options: ContributedOptions,
  taken: Iterable<string>,
  context: RunContext,
  registry: ToolRegistry,
  warn: (text: string) => void,
): Promise<readonly SetInRun[]> {
  const used = new Set(taken);
  const all = registry.contributions();
  for (const name of options.only ?? [])
    if (!all.some((one) => one.name === name)) warn(`\`contributed\` names \`${name}\`, which no package has registered.`);
  const sets: SetInRun[] = [];
  for (const contribution of all) {
    if (options.only !== undefined && !options.only.includes(contribution.name)) continue;
    try {
      for (const { set, tools } of await inRun(contribution, context, registry)) {
        const free = tools.filter((tool) => isFree(tool, used, contribution, warn));
        if (free.length > 0) sets.push(believed(contribution, options) ? { set, tools: free } : claims(contribution, set, free));
      }
    } catch (error) {
      warn(`The tools of ${contribution.owner} are left out: ${causeOf(error)}`);
    }
  }
  return sets;
}

async function inRun({ source, owner }: RegisteredContribution, context: RunContext, registry: ToolRegistry): Promise<readonly SetInRun[]> {
  const opened = isFactory(source) ? await openToolset(source, owner, context, registry) : [contributedSet(source, registry)];
  const sets: SetInRun[] = [];
  for (const set of opened) sets.push({ set, tools: await toolsInRun(set, context) });
  return sets;
}

function isFree(tool: ToolDefinition, used: Set<string>, { owner }: RegisteredContribution, warn: (text: string) => void): boolean {
  const { name } = tool;
  if (used.has(name)) {
    warn(`The tool \`${name}\` of ${owner} is left out: there is one of that name already.`);
    return false;
  }
  const fault = nameFault(name, tool.owner);
  if (fault !== undefined) {
    warn(`A tool of ${owner} is left out: ${fault.what}`);
    return false;
  }
  used.add(name);
  return true;
}

function believed({ name, ownership }: RegisteredContribution, { trustAnnotations = false }: ContributedOptions): boolean {
  return ownership === 'managed' || (typeof trustAnnotations === 'boolean' ? trustAnnotations : trustAnnotations.includes(name));
}

/** What an unknown owner says of its tools, and to the model, does not count. */
function claims({ owner }: RegisteredContribution, set: StaticToolset, tools: readonly ToolDefinition[]): SetInRun {
  return { set: { ...set, instructions: undefined }, tools: tools.map((tool) => distrusted(tool, owner)) };
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? ` (${errorText(error.cause)})` : '';
  return `${errorText(error)}${cause}`;
}
