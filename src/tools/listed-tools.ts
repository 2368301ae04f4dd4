import { ownFacts } from '../metadata/facts';
import { classChain, isClass } from './class-chain';
import { subagentTool } from './delegate-tool';
import { reportDuplicates } from './duplicate-names';
import { gathering } from './faults';
import type { Report } from '../errors/option-check';
import { staticToolset, type StaticToolset, type ToolSource } from './static-toolset';
import type { ToolDefinition } from './tool-definition';
import type { ToolsetFactory } from './toolset';

/** Everything that an agent's class lists, in the order in which the model will see it. */
export interface ListedTools {
  readonly own: readonly ToolDefinition[];
  /** Known already, or asked at run start. */
  readonly toolsets: readonly (StaticToolset | ToolsetFactory)[];
  /** Those of `tools`, then those that stand for `subagents`. */
  readonly single: readonly ToolDefinition[];
}

/** Reads a class's own tools and those that its `@AgentConfig` lists, its bases' first; what is wrong is reported. */
export function listedTools(cls: Function, source: ToolSource, report: Report): ListedTools {
  const own = gathering(report, () => source.ownToolsOf(cls)) ?? [];
  const toolsets = accumulated(cls, 'toolsets').map((ref) => (isFactory(ref) ? ref : gathering(report, () => staticToolset(ref, source))));
  const single = accumulated(cls, 'tools').map((ref) => gathering(report, () => source.toolOf(ref)));
  const agents = accumulated(cls, 'subagents').map((ref) => gathering(report, () => subagentTool(ref)));
  const listed = { own, toolsets: toolsets.filter(isKnown), single: [...single, ...agents].filter(isKnown) };
  reportDuplicates(knownTools(listed), report);
  return listed;
}

/** The tools that are known before any run; those of factories are not, and those of `filtered` or `prepared` may change. */
export function knownTools({ own, toolsets, single }: ListedTools): readonly ToolDefinition[] {
  const sets = toolsets.map((toolset) => (typeof toolset === 'function' || toolset.perRun.length > 0 ? [] : toolset.tools));
  return [...own, ...sets.flat(), ...single].filter((tool) => tool.behaviour.enabled !== false);
}

/** A list option along a class's chain, bases first; the same thing listed twice counts once. */
function accumulated(cls: Function, option: 'toolsets' | 'tools' | 'subagents'): readonly unknown[] {
  const lists = classChain(cls).map((owner) => ownFacts(owner).agent?.[option]);
  return [...new Set(lists.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [])))];
}

/** A function that is no class gives toolsets at run start. */
export const isFactory = (ref: unknown): ref is ToolsetFactory => typeof ref === 'function' && !isClass(ref);

const isKnown = <T>(value: T | undefined): value is T => value !== undefined;
