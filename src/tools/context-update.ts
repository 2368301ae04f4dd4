import type { StateOperation, StatePath } from '../types/state-operation';

/**
 * Changes of the run's state, collected by a tool and applied after its turn, in call order. Immutable.
 * @example return ToolResult.success(order, { update: ContextUpdate.of().append('orders', order.id) });
 */
export class ContextUpdate {
  readonly operations: readonly StateOperation[];

  private constructor(operations: readonly StateOperation[]) {
    this.operations = Object.freeze(operations.slice());
  }

  /** @example ContextUpdate.of().set('user.name', 'Ada').append('log', 'named') */
  static of(...operations: StateOperation[]): ContextUpdate {
    return new ContextUpdate(operations);
  }

  /** Puts a value at a path; objects on the way are made. */
  set(path: StatePath, value: unknown): ContextUpdate {
    return this.and({ op: 'set', path, value });
  }

  /** Merges objects deeply; everything else is replaced. */
  merge(path: StatePath, value: { readonly [key: string]: unknown }): ContextUpdate {
    return this.and({ op: 'merge', path, value });
  }

  /** Puts a value at the end of a list, which is made where there is none. */
  append(path: StatePath, value: unknown): ContextUpdate {
    return this.and({ op: 'append', path, value });
  }

  /** Takes away what stands at a path; nothing happens where there is nothing. */
  delete(path: StatePath): ContextUpdate {
    return this.and({ op: 'delete', path });
  }

  /** Changes the list item whose `key` equals `id`; adds it when there is none. */
  mergeItem(path: StatePath, key: string, id: unknown, value: { readonly [key: string]: unknown }): ContextUpdate {
    return this.and({ op: 'mergeItem', path, key, id, value });
  }

  /** Takes the list items away whose `key` equals `id`. */
  removeItem(path: StatePath, key: string, id: unknown): ContextUpdate {
    return this.and({ op: 'removeItem', path, key, id });
  }

  private and(operation: StateOperation): ContextUpdate {
    return new ContextUpdate([...this.operations, operation]);
  }
}
