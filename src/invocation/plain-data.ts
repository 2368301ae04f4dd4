const MAX_DEPTH = 100;
const MAX_NODES = 1_000_000;

/** A frozen copy of plain data, or where and why a value is not plain. */
export type PlainData =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly path: string; readonly problem: string };

/**
 * Copies data that JSON can say without loss: the run's state, which goes into snapshots. Unlike a tool's result, which is made readable
 * whatever it is, state that would not come back as it was is refused.
 *
 * Properties that are `undefined` are left out.
 */
export function copyPlain(value: unknown): PlainData {
  try {
    return { ok: true, value: new PlainCopy().of(value, [], 0) };
  } catch (error) {
    if (error instanceof NotPlain) return { ok: false, path: error.path.join('.'), problem: error.message };
    return { ok: false, path: '', problem: 'it cannot be read' };
  }
}

/** Names that would reach a prototype rather than data. */
export const isPrototypeKey = (key: string): boolean => key === '__proto__' || key === 'constructor' || key === 'prototype';

class NotPlain extends Error {
  constructor(
    readonly path: readonly string[],
    problem: string,
  ) {
    super(problem);
  }
}

class PlainCopy {
  private nodes = 0;
  private readonly above = new Set<object>();

  of(value: unknown, path: readonly string[], depth: number): unknown {
    if (++this.nodes > MAX_NODES) throw new NotPlain(path, `it has more than ${MAX_NODES} values`);
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'undefined':
        return value;
      case 'number':
        if (!Number.isFinite(value)) throw new NotPlain(path, `${value} is not a number that JSON knows`);
        return value;
      case 'object':
        return value === null ? null : this.object(value, path, depth);
      default:
        throw new NotPlain(path, `a ${typeof value} is not plain data`);
    }
  }

  private object(value: object, path: readonly string[], depth: number): unknown {
    if (depth >= MAX_DEPTH) throw new NotPlain(path, `it is nested deeper than ${MAX_DEPTH} levels`);
    if (this.above.has(value)) throw new NotPlain(path, 'it holds itself');
    this.above.add(value);
    const copy = Array.isArray(value) ? this.list(value, path, depth) : this.record(value, path, depth);
    this.above.delete(value);
    return Object.freeze(copy);
  }

  private list(items: readonly unknown[], path: readonly string[], depth: number): unknown[] {
    return Array.from(items, (item, at) => this.of(item, [...path, String(at)], depth + 1) ?? null);
  }

  private record(value: object, path: readonly string[], depth: number): Record<string, unknown> {
    const prototype: unknown = Object.getPrototypeOf(value);
    // An object of another realm, such as a test's sandbox, is plain too: its prototype has no prototype.
    const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
    if (!isPlain)
      throw new NotPlain(
        path,
        `an instance of ${nameOf(value)} is not plain data${value instanceof Date ? '; write `date.toISOString()`' : ''}`,
      );
    const copy: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(value)) {
      if (isPrototypeKey(key)) throw new NotPlain([...path, key], `the key \`${key}\` is not allowed`);
      const plain = this.of(field, [...path, key], depth + 1);
      if (plain !== undefined) copy[key] = plain;
    }
    return copy;
  }
}

function nameOf(value: object): string {
  const { constructor } = value as { readonly constructor?: unknown };
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'a class';
}
