import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from './decode-any';
import { ANY, type FieldNode, type TypeNode } from './type-node';

/**
 * What the model would have sent for a decoded value that somebody changed: what is as it was is taken from what came, so that no
 * transformation sees its own result; what differs stands as it was written. Properties get their names on the wire.
 *
 * @param edited the changed value
 * @param shown the decoded value as plain data, before the change
 * @param sent what `shown` was decoded from
 */
export function asSent(node: TypeNode, edited: unknown, shown: unknown, sent: unknown): unknown {
  if (isDeepStrictEqual(edited, shown)) return sent;
  if (node.kind === 'nullable') return asSent(node.inner, edited, shown, sent);
  if (Array.isArray(edited)) return Array.isArray(shown) && Array.isArray(sent) ? list(node, edited, shown, sent) : (edited as unknown);
  if (!isJsonObject(edited) || !isJsonObject(shown) || !isJsonObject(sent)) return edited;
  return node.kind === 'object' ? properties(node.fields, edited, shown, sent) : keys(node, edited, shown, sent);
}

type Plain = Record<string, unknown>;

/** Items are known by what they are: they may have moved. */
function list(node: TypeNode, edited: readonly unknown[], shown: readonly unknown[], sent: readonly unknown[]): unknown[] {
  return edited.map((item, at) => {
    const same = shown.findIndex((before) => isDeepStrictEqual(before, item));
    const from = same >= 0 ? same : at;
    const itemNode = node.kind === 'array' ? node.item : node.kind === 'tuple' ? (node.items[at] ?? ANY) : ANY;
    return from < shown.length && from < sent.length ? asSent(itemNode, item, shown[from], sent[from]) : item;
  });
}

function properties(fields: readonly FieldNode[], edited: Plain, shown: Plain, sent: Plain): Plain {
  // A map, since a key may be called `__proto__`.
  const resent = new Map<string, unknown>();
  for (const { property, name, aliases, node } of fields) {
    if (!Object.hasOwn(edited, property)) continue;
    const key = [name, ...aliases].find((candidate) => Object.hasOwn(sent, candidate));
    if (key !== undefined) resent.set(key, asSent(node, edited[property], shown[property], sent[key]));
    else if (!isDeepStrictEqual(edited[property], shown[property])) resent.set(name, edited[property]);
  }
  // Names of the wire, and names that are none, which decoding will refuse.
  for (const key of Object.keys(edited)) if (!fields.some((field) => field.property === key)) resent.set(key, edited[key]);
  return Object.fromEntries(resent);
}

/** An object whose keys its type does not tell: those that decoding brought or took away stay its business. */
function keys(node: TypeNode, edited: Plain, shown: Plain, sent: Plain): Plain {
  const resent = new Map<string, unknown>();
  const valueNode = node.kind === 'record' ? node.value : ANY;
  for (const key of Object.keys(sent)) if (!Object.hasOwn(shown, key)) resent.set(key, sent[key]);
  for (const key of Object.keys(edited)) {
    if (Object.hasOwn(sent, key)) resent.set(key, asSent(valueNode, edited[key], shown[key], sent[key]));
    else if (!isDeepStrictEqual(edited[key], shown[key])) resent.set(key, edited[key]);
  }
  return Object.fromEntries(resent);
}
