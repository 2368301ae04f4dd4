import { classOf, className } from '../tools/class-chain';
import { reportDuplicates } from '../tools/duplicate-names';
import { Faults } from '../tools/faults';
import { isFactory } from '../tools/listed-tools';
import { staticToolset, toolsInRun, type StaticToolset } from '../tools/static-toolset';
import type { RunContext } from '../tools/tool-context';
import type { ToolDefinition } from '../tools/tool-definition';
import { nameFault } from '../tools/tool-name';
import type { ToolRegistry } from '../tools/tool-registry';
import type { ToolsetInstructions, ToolsetRef } from '../tools/toolset';
import type { AgentDefinition } from './agent-definition';
import { contributedTools, type SetInRun } from './contributed-tools';
import { openToolset } from './open-toolset';

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

/** The tools of every run of an agent, or `undefined` where they depend on the run. */
export function toolsOfEveryRun({ listed, contributed }: AgentDefinition): PlannedTools | undefined {
  if (contributed !== undefined) return undefined;
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
  const sets: SetInRun[] = [];
  for (const toolset of [...toolsets, ...given])
    for (const set of await openToolset(toolset, definition.name, context, registry))
      sets.push({ set, tools: await toolsInRun(set, context) });

  const planned = [...own.map(withoutHost), ...sets.flatMap(({ set, tools }) => hosted(tools, set)), ...single.map(withoutHost)];
  const warnings: string[] = [];
  if (definition.contributed !== undefined) {
    // Names of tools that are switched off are taken as well.
    const taken = planned.map((tool) => tool.definition.name);
    const contributed = await contributedTools(definition.contributed, taken, context, registry, (text) => warnings.push(text));
    sets.push(...contributed);
    planned.push(...contributed.flatMap(({ set, tools }) => hosted(tools, set)));
  }
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
