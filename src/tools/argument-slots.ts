import { UsageError } from '../errors/usage-error';
import type { ToolContext } from './tool-context';

/** What stands at one position of a method: one decoded argument, by name; all of them as one object; the context; nothing. */
export type ArgumentSlot = { readonly argument: string } | 'arguments' | 'context' | undefined;

/** How decoded arguments become the positional ones of a method, by position. */
export type ArgumentSlots = readonly ArgumentSlot[];

/**
 * Places decoded arguments and the context by position.
 * @throws UsageError when the method needs a context and none is given
 */
export function placeArguments(slots: ArgumentSlots, args: unknown, context: ToolContext | undefined, owner: string): unknown[] {
  return slots.map((slot, index) => {
    if (slot === undefined) return undefined;
    if (slot === 'arguments') return args;
    if (slot === 'context') return context ?? missingContext(owner, index);
    const values = args as Record<string, unknown>;
    // What was left out may be called like something that every object has.
    return Object.hasOwn(values, slot.argument) ? values[slot.argument] : undefined;
  });
}

function missingContext(owner: string, index: number): never {
  throw new UsageError(
    `The tool ${owner} takes its ToolContext as parameter #${index}, but it was called without one. ` +
      'Run it through an AgentRunner, or give it a context: testContext(deps) of toolwright/testing.',
  );
}
