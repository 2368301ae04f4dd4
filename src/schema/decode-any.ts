import type { Decoder, Walk } from './walk';

/** A fresh copy of any JSON value. */
export const ANY_DECODER: Decoder = copy;

function copy(value: unknown, walk: Walk): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (let at = 0; at < value.length; at += 1) {
      if (!walk.enter(at, value[at])) return undefined;
      items.push(copy(value[at], walk));
      walk.leave();
    }
    return items;
  }
  if (value instanceof Date) return new Date(value);
  if (typeof value === 'object' && value !== null) {
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const inner = (value as Record<string, unknown>)[key];
      if (key === '__proto__') {
        walk.refuse('an object without a key named __proto__', value);
        continue;
      }
      if (!walk.enter(key, inner)) return undefined;
      result[key] = copy(inner, walk);
      walk.leave();
    }
    return result;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return walk.refuse('a finite number', value);
  if (value === undefined) return walk.refuse('a value', value);
  return value;
}

/** Objects that JSON can say; lists, dates and maps are something else. Another realm's objects count. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.prototype.toString.call(value) === '[object Object]'
  );
}
