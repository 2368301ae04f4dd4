import type { StateOperation, StatePath } from '../types/state-operation';

/** Changes of the run's state, collected by a tool and applied after its turn, in call order. Immutable. */
export class ContextUpdate {
  readonly operations: readonly StateOperation[];

  private constructor(operations: readonly StateOperation[]) {
    this.operations = Object.freeze(operations.slice());
  }

  /** @example ContextUpdate.of().set('user.name', 'Ada').append('log', 'named') */
  static of(...operations: StateOperation[]): ContextUpdate {
    return new ContextUpdate(operations);
  }

  set(path: StatePath, value: unknown): ContextUpdate {
    return this.and({ op: 'set', path, value });
  }

  /** Merges objects deeply; everything else is replaced. */
  merge(path: StatePath, value: { readonly [key: string]: unknown }): ContextUpdate {
    return this.and({ op: 'merge', path, value });
  }

  append(path: StatePath, value: unknown): ContextUpdate {
    return this.and({ op: 'append', path, value });
  }

  delete(path: StatePath): ContextUpdate {
    return this.and({ op: 'delete', path });
  }

  /** Changes the list item whose `key` equals `id`; adds it when there is none. */
  mergeItem(path: StatePath, key: string, id: unknown, value: { readonly [key: string]: unknown }): ContextUpdate {
    return this.and({ op: 'mergeItem', path, key, id, value });
  }

  removeItem(path: StatePath, key: string, id: unknown): ContextUpdate {
    return this.and({ op: 'removeItem', path, key, id });
  }

  private and(operation: StateOperation): ContextUpdate {
    return new ContextUpdate([...this.operations, operation]);
  }
}
