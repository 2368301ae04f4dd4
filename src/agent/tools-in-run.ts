import { UsageError } from '../errors/usage-error';
import { classOf, className } from '../tools/class-chain';
import { reportDuplicates } from '../tools/duplicate-names';
import { Faults } from '../tools/faults';
import { isFactory } from '../tools/listed-tools';
import { staticToolset, toolsInRun, type StaticToolset } from '../tools/static-toolset';
import type { RunContext } from '../tools/tool-context';
import type { ToolDefinition } from '../tools/tool-definition';
import { nameFault } from '../tools/tool-name';
import type { ToolRegistry } from '../tools/tool-registry';
import type { ToolsetFactory, ToolsetInstructions, ToolsetRef } from '../tools/toolset';
import type { AgentDefinition } from './agent-definition';

/** A tool on its way into a run: on an instance that is there already, or on one that its `home` is asked for. */
export interface PlannedTool {
  readonly definition: ToolDefinition;
  readonly host: object | undefined;
}

/** The tools of a run, in the order in which the model sees them, and what their toolsets add to the instructions. */
export interface PlannedTools {
  readonly tools: readonly PlannedTool[];
  readonly instructions: readonly ToolsetInstructions[];
  readonly warnings: readonly string[];
}

// A factory may give factories; deeper than this it is a circle.
const DEEPEST_FACTORY = 8;

/** The tools of every run of an agent, or `undefined` where they depend on the run. */
export function toolsOfEveryRun({ listed }: AgentDefinition): PlannedTools | undefined {
  const sets: StaticToolset[] = [];
  for (const toolset of listed.toolsets) {
    if (typeof toolset === 'function' || toolset.perRun.length > 0) return undefined;
    sets.push(toolset);
  }
  const planned = [...listed.own.map(withoutHost), ...sets.flatMap((set) => hosted(set.tools, set)), ...listed.single.map(withoutHost)];
  if (planned.some(({ definition }) => typeof definition.behaviour.enabled === 'function')) return undefined;
  const tools = planned.filter(({ definition }) => definition.behaviour.enabled !== false);
  return { tools, instructions: instructionsOf(sets.map((set) => ({ set, tools: set.tools }))), warnings: [] };
}

/**
 * Asks everything that decides about tools: factories, `filtered`, `prepared`, predicates; each once.
 *
 * @param more the toolsets given with the run, after the agent's
 * @throws UsageError when one of the author's functions throws or returns something else than it should
 * @throws ToolDefinitionError when the tools that come out cannot be used together
 */
export async function toolsOfOneRun(
  definition: AgentDefinition,
  more: readonly ToolsetRef[],
  context: RunContext,
  registry: ToolRegistry,
): Promise<PlannedTools> {
  const { own, toolsets, single } = definition.listed;
  const given = more.map((ref) => (isFactory(ref) ? ref : staticToolset(ref, registry)));
  const sets: { set: StaticToolset; tools: readonly ToolDefinition[] }[] = [];
  for (const toolset of [...toolsets, ...given])
    for (const set of await opened(toolset, definition.name, context, registry, 0))
      sets.push({ set, tools: await toolsInRun(set, context) });

  const planned = [...own.map(withoutHost), ...sets.flatMap(({ set, tools }) => hosted(tools, set)), ...single.map(withoutHost)];
  const warnings: string[] = [];
  const tools: PlannedTool[] = [];
  for (const tool of planned) if (await isEnabled(tool.definition, context, warnings)) tools.push(tool);
  checkTogether(definition, tools);
  return { tools, instructions: instructionsOf(sets), warnings };
}

const withoutHost = (definition: ToolDefinition): PlannedTool => ({ definition, host: undefined });

/** A listed instance is the host of the tools of its own class; what a function added to them keeps its own home. */
function hosted(tools: readonly ToolDefinition[], { host }: StaticToolset): PlannedTool[] {
  const home: unknown = host === undefined ? undefined : classOf(host);
  return tools.map((definition) => ({ definition, host: home !== undefined && definition.home === home ? host : undefined }));
}

/** Instructions of toolsets that still have tools; a set seen through two views speaks once. */
function instructionsOf(
  sets: readonly { readonly set: StaticToolset; readonly tools: readonly unknown[] }[],
): readonly ToolsetInstructions[] {
  const said = sets.flatMap(({ set, tools }) => (tools.length > 0 && set.instructions !== undefined ? [set.instructions] : []));
  return [...new Set(said)];
}

async function opened(
  toolset: StaticToolset | ToolsetFactory,
  agent: string,
  context: RunContext,
  registry: ToolRegistry,
  depth: number,
): Promise<readonly StaticToolset[]> {
  if (typeof toolset !== 'function') return [toolset];
  if (depth >= DEEPEST_FACTORY)
    throw new UsageError(`A toolset factory of ${agent} gives factories ${DEEPEST_FACTORY} levels deep: it probably returns itself.`);
  let refs: unknown;
  try {
    refs = await toolset(context);
  } catch (cause) {
    throw new UsageError(`A toolset factory of ${agent} threw, so its tools are not known and no run can begin.`, { cause });
  }
  const sets: StaticToolset[] = [];
  for (const ref of Array.isArray(refs) ? (refs as unknown[]) : [refs])
    sets.push(...(isFactory(ref) ? await opened(ref, agent, context, registry, depth + 1) : [staticToolset(ref, registry)]));
  return sets;
}

/** A predicate that throws fails closed: the tool is left out, and the run says so. */
async function isEnabled({ name, behaviour: { enabled } }: ToolDefinition, context: RunContext, warnings: string[]): Promise<boolean> {
  if (typeof enabled !== 'function') return enabled;
  try {
    return (await enabled(context)) === true;
  } catch (error) {
    warnings.push(`The tool \`${name}\` is left out: its \`enabled\` threw ${error instanceof Error ? `"${error.message}"` : 'a value'}.`);
    return false;
  }
}

function checkTogether(definition: AgentDefinition, tools: readonly PlannedTool[]): void {
  const faults = new Faults();
  const definitions = tools.map((tool) => tool.definition);
  reportDuplicates(definitions, faults.report);
  for (const { name, owner } of definitions) {
    const fault = nameFault(name, owner);
    if (fault !== undefined) faults.report(fault);
  }
  faults.throwIfAny(className(definition.cls));
}
