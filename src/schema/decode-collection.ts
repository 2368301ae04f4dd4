import { isJsonObject } from './decode-any';
import { orJsonText } from './decode-text';
import { expectation } from './expectation';
import type { ArrayNode, TypeNode } from './type-node';
import type { Decoder } from './walk';

export function arrayDecoder(node: ArrayNode, item: Decoder): Decoder {
  const expected = expectation(node);
  const { minItems = 0, maxItems = Infinity, uniqueItems = false } = node;
  const decode: Decoder = (value, walk) => {
    if (!Array.isArray(value)) return walk.refuse(expected, value);
    const { length } = value;
    const before = walk.faults.length;
    if (length < minItems || length > maxItems) return walk.refuse(expected, value, `it has ${length}`);
    const items: unknown[] = new Array<unknown>(length).fill(undefined);
    for (let at = 0; at < length; at += 1) {
      if (!walk.enter(at, value[at])) return undefined;
      items[at] = item(value[at], walk);
      walk.settle((settled) => (items[at] = settled));
      walk.leave();
    }
    if (uniqueItems && walk.faults.length === before && hasTwins(value)) return walk.refuse(`${expected} without duplicates`, value);
    return items;
  };
  return orJsonText(decode, Array.isArray, expected);
}

export function tupleDecoder(nodes: readonly TypeNode[], decoders: readonly Decoder[]): Decoder {
  const expected = expectation({ kind: 'tuple', items: nodes });
  const decode: Decoder = (value, walk) => {
    if (!Array.isArray(value)) return walk.refuse(expected, value);
    if (value.length !== decoders.length) return walk.refuse(expected, value, `it has ${value.length}`);
    const items: unknown[] = new Array<unknown>(value.length).fill(undefined);
    for (let at = 0; at < value.length; at += 1) {
      if (!walk.enter(at, value[at])) return undefined;
      items[at] = decoders[at]!(value[at], walk);
      walk.settle((settled) => (items[at] = settled));
      walk.leave();
    }
    return items;
  };
  return orJsonText(decode, Array.isArray, expected);
}

export function recordDecoder(decoder: Decoder): Decoder {
  const decode: Decoder = (value, walk) => {
    if (!isJsonObject(value)) return walk.refuse('an object', value);
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (key === '__proto__') {
        walk.refuse('an object without a key named __proto__', value);
        continue;
      }
      if (!walk.enter(key, value[key])) return undefined;
      result[key] = decoder(value[key], walk);
      walk.settle((settled) => (result[key] = settled));
      walk.leave();
    }
    return result;
  };
  return orJsonText(decode, isJsonObject, 'an object');
}

/** Equality as JSON Schema has it: by value, whatever the order of keys. */
function hasTwins(values: readonly unknown[]): boolean {
  return new Set(values.map((value) => canonical(value))).size < values.length;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join()}]`;
  if (typeof value === 'bigint') return `${value}n`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'undefined';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}
