import { isRecord } from '../errors/option-check';
import type { State, StateOperation, StatePath } from '../types/state-operation';
import { copyPlain, isPrototypeKey } from './plain-data';

/** The state after the changes, and what is to be said of those that did not fit. */
export interface AppliedOperations {
  readonly state: State;
  /** One sentence for each operation that was left out. */
  readonly warnings: readonly string[];
}

/**
 * Applies changes to the run's state, in order. What an operation does not touch is shared with the state before it, which stays as it was;
 * what is new is frozen. An operation that does not fit is left out with a warning; the others are applied. Never throws.
 */
export function applyOperations(state: State, operations: readonly StateOperation[]): AppliedOperations {
  let current: State = state;
  const warnings: string[] = [];
  for (const operation of operations) {
    try {
      current = changed(current, keysOf(operation.path), changeOf(operation)) as State;
    } catch (error) {
      const why = error instanceof Misfit ? error.message : 'the operation cannot be read';
      warnings.push(`A change of the state was left out: \`${named(operation)}\`: ${why}.`);
    }
  }
  return { state: current, warnings };
}

/** Why an operation does not fit. */
class Misfit extends Error {}

/** What stands at a path becomes something else; `GONE` stands for nothing. */
type Change = (at: unknown) => unknown;
const GONE = Symbol('gone');
type Key = string | number;
type Fields = { readonly [key: string]: unknown };

const MAX_KEYS = 100;

function keysOf(path: StatePath): readonly Key[] {
  const keys = typeof path === 'string' ? (path === '' ? [] : path.split('.')) : path;
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) throw new Misfit(`a path has at most ${MAX_KEYS} keys`);
  for (const key of keys as readonly unknown[]) {
    if ((typeof key !== 'string' && typeof key !== 'number') || key === '') throw new Misfit('a path is made of names and indexes');
    if (isPrototypeKey(String(key))) throw new Misfit(`the key \`${key}\` is not allowed`);
  }
  return keys as readonly Key[];
}

function changeOf(operation: StateOperation): Change {
  switch (operation.op) {
    case 'set': {
      const value = plain(operation.value);
      return () => (value === undefined ? GONE : value);
    }
    case 'merge': {
      const value = fields(operation.value);
      return (at) => merged(at === GONE ? {} : at, value);
    }
    case 'append': {
      const value = plain(operation.value) ?? null;
      return (at) => Object.freeze([...list(at), value]);
    }
    case 'delete':
      return () => GONE;
    case 'mergeItem': {
      const { key, id } = itemKey(operation);
      const value = fields(operation.value);
      return (at) => {
        const items = list(at);
        const index = items.findIndex((item) => has(item, key, id));
        return index < 0
          ? Object.freeze([...items, Object.freeze({ [key]: id, ...value })])
          : Object.freeze(items.with(index, merged(items[index], value)));
      };
    }
    case 'removeItem': {
      const { key, id } = itemKey(operation);
      return (at) => (at === GONE ? GONE : Object.freeze(list(at).filter((item) => !has(item, key, id))));
    }
    default:
      throw new Misfit('there is no such operation; the operations are set, merge, append, delete, mergeItem, removeItem');
  }
}

/** The state with the change made at the path. Objects on the way are made where there is nothing. */
function changed(at: unknown, keys: readonly Key[], change: Change, depth = 0): unknown {
  if (depth === keys.length) {
    const value = change(at);
    if (depth === 0 && !isRecord(value)) throw new Misfit('the state as a whole must stay an object');
    return value;
  }
  const key = keys[depth] as Key;
  if (Array.isArray(at)) return changedItem(at, indexOf(key, at), keys, change, depth);
  if (at !== GONE && at !== null && !isRecord(at))
    throw new Misfit(`what stands at \`${keys.slice(0, depth).join('.')}\` is no object and no list`);
  const record = isRecord(at) ? at : {};
  const name = String(key);
  const before = Object.hasOwn(record, name) ? record[name] : GONE;
  const after = changed(before, keys, change, depth + 1);
  if (after !== GONE) return after === before ? record : Object.freeze({ ...record, [name]: after });
  // Deleting what is not there makes nothing on the way.
  if (before === GONE) return at;
  const { [name]: _, ...rest } = record;
  return Object.freeze(rest);
}

function changedItem(items: readonly unknown[], index: number, keys: readonly Key[], change: Change, depth: number): unknown {
  const after = changed(index < items.length ? items[index] : GONE, keys, change, depth + 1);
  if (after === GONE) return index < items.length ? Object.freeze(items.toSpliced(index, 1)) : items;
  return Object.freeze(index < items.length ? items.with(index, after) : [...items, after]);
}

function indexOf(key: Key, items: readonly unknown[]): number {
  const index = typeof key === 'number' || /^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : -1;
  if (!Number.isInteger(index) || index < 0 || index > items.length)
    throw new Misfit(`\`${key}\` is not an index of a list with ${items.length} items`);
  return index;
}

/** Objects merge deeply; everything else is replaced. */
function merged(at: unknown, value: Fields): Fields {
  if (!isRecord(at)) throw new Misfit('there is no object to merge into');
  const result: Record<string, unknown> = { ...at };
  for (const [key, field] of Object.entries(value)) {
    const before = Object.hasOwn(at, key) ? at[key] : undefined;
    result[key] = isRecord(before) && isRecord(field) ? merged(before, field) : field;
  }
  return Object.freeze(result);
}

function list(at: unknown): readonly unknown[] {
  if (at === GONE) return [];
  if (!Array.isArray(at)) throw new Misfit('what stands there is no list');
  return at;
}

const has = (item: unknown, key: string, id: unknown): boolean => isRecord(item) && Object.hasOwn(item, key) && Object.is(item[key], id);

function plain(value: unknown): unknown {
  const copy = copyPlain(value);
  if (!copy.ok) throw new Misfit(copy.path === '' ? copy.problem : `its value at \`${copy.path}\`: ${copy.problem}`);
  return copy.value;
}

function fields(value: unknown): Fields {
  const copy = plain(value);
  if (!isRecord(copy)) throw new Misfit('its value must be an object');
  return copy;
}

function itemKey({ key, id }: { readonly key: string; readonly id: unknown }): { readonly key: string; readonly id: unknown } {
  if (typeof key !== 'string' || key === '' || isPrototypeKey(key)) throw new Misfit('its `key` must be the name of a property');
  return { key, id: plain(id) };
}

function named(operation: unknown): string {
  try {
    const { op, path } = operation as { readonly op?: unknown; readonly path?: unknown };
    const where = Array.isArray(path) ? path.map(String).join('.') : String(path);
    return `${String(op)} ${where}`.slice(0, 200);
  } catch {
    return 'not an operation';
  }
}
