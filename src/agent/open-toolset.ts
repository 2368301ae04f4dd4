import { UsageError } from '../errors/usage-error';
import { isFactory } from '../tools/listed-tools';
import { staticToolset, type StaticToolset } from '../tools/static-toolset';
import type { RunContext } from '../tools/tool-context';
import type { ToolRegistry } from '../tools/tool-registry';
import type { ToolsetFactory } from '../tools/toolset';

// A factory may give factories; deeper than this it is a circle.
const DEEPEST_FACTORY = 8;

/**
 * The toolsets that a factory gives, those of factories that it gives included; a toolset is itself.
 * @param whose who lists it, for messages
 * @throws UsageError when a factory throws; ToolDefinitionError for what is no toolset
 */
export async function openToolset(
  toolset: StaticToolset | ToolsetFactory,
  whose: string,
  context: RunContext,
  registry: ToolRegistry,
  depth = 0,
): Promise<readonly StaticToolset[]> {
  if (typeof toolset !== 'function') return [toolset];
  if (depth >= DEEPEST_FACTORY)
    throw new UsageError(`A toolset factory of ${whose} gives factories ${DEEPEST_FACTORY} levels deep: it probably returns itself.`);
  let refs: unknown;
  try {
    refs = await toolset(context);
  } catch (cause) {
    throw new UsageError(`A toolset factory of ${whose} threw, so its tools are not known and no run can begin.`, { cause });
  }
  const sets: StaticToolset[] = [];
  for (const ref of Array.isArray(refs) ? (refs as unknown[]) : [refs])
    sets.push(...(isFactory(ref) ? await openToolset(ref, whose, context, registry, depth + 1) : [staticToolset(ref, registry)]));
  return sets;
}
