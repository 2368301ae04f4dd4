import type { ToolDefinition } from './tool-definition';
import { changedTool } from './toolsets/toolset-step';

/**
 * A tool whose word about itself does not count: what it calls harmless is not known to be, its calls need approval, its results are foreign.
 * @param owner who brought it, shown to whoever is asked
 */
export function distrusted(tool: ToolDefinition, owner: string): ToolDefinition {
  const { written, behaviour, label } = tool;
  // Automatic repetitions were derived from what it says of itself, unless they were written out.
  const retries = typeof written?.['retries'] === 'number' ? written['retries'] : 0;
  return changedTool(tool, {
    label: `${label} (${owner})`,
    behaviour: Object.freeze({
      ...behaviour,
      annotations: Object.freeze({}),
      requiresApproval: true,
      trust: 'untrusted',
      taintExempt: undefined,
      cache: undefined,
      retries,
    }),
  });
}
