import { UsageError } from '../errors/usage-error';
import type { ToolContext } from './tool-context';

/** What stands at one position of a method: one decoded argument, all of them as one object, or the context. */
export type ArgumentSlot =
  | { readonly index: number; readonly holds: 'argument'; readonly name: string }
  | { readonly index: number; readonly holds: 'arguments' }
  | { readonly index: number; readonly holds: 'context' };

/** How decoded arguments become the positional ones of a method. */
export interface ArgumentSlots {
  readonly slots: readonly ArgumentSlot[];
  /** The number of positions; those without a slot stay `undefined`. */
  readonly count: number;
}

/**
 * Places decoded arguments and the context by position.
 * @throws UsageError when the method needs a context and none is given
 */
export function placeArguments({ slots, count }: ArgumentSlots, args: unknown, context: ToolContext | undefined, owner: string): unknown[] {
  const placed = new Array<unknown>(count).fill(undefined);
  for (const slot of slots) {
    if (slot.holds === 'argument') placed[slot.index] = (args as Record<string, unknown>)[slot.name];
    else if (slot.holds === 'arguments') placed[slot.index] = args;
    else placed[slot.index] = context ?? missingContext(owner, slot.index);
  }
  return placed;
}

function missingContext(owner: string, index: number): never {
  throw new UsageError(
    `The tool ${owner} takes its ToolContext as parameter #${index}, but it was called without one. ` +
      'Run it through an AgentRunner, or give it a context: testContext(deps) of toolwright/testing.',
  );
}
