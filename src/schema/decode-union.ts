import type { ArgumentFault } from './contract';
import { isJsonObject } from './decode-any';
import { expectation } from './expectation';
import type { ObjectNode, TypeNode, UnionNode } from './type-node';
import type { Walk, Decoder } from './walk';

/** One reading of a value. */
export interface Reading {
  readonly decoder: Decoder;
  readonly value: unknown;
  readonly exact: boolean;
}

/**
 * Takes the first reading that fits. A reading that takes time makes the whole answer take time; `otherwise` refuses on the walk
 * that is then where the value stands.
 */
export function attempt(walk: Walk, readings: readonly Reading[], otherwise: (walk: Walk) => undefined, from = 0): unknown {
  for (let at = from; at < readings.length; at += 1) {
    const { decoder, value, exact } = readings[at]!;
    const inner = walk.branch(exact || walk.exact);
    const decoded = decoder(value, inner);
    if (inner.faults.length > 0) continue;
    if (!inner.isPending) return decoded;
    const path = [...walk.path];
    walk.open = inner.finish(decoded).then((result) => (result.ok ? result.value : later(walk, path, readings, otherwise, at + 1)));
    return undefined;
  }
  return otherwise(walk);
}

/** Goes on with the next reading after one that took its time and did not fit. */
async function later(
  walk: Walk,
  path: (string | number)[],
  readings: readonly Reading[],
  otherwise: (walk: Walk) => undefined,
  from: number,
): Promise<unknown> {
  const resumed = walk.branch(walk.exact, path);
  let value: unknown = attempt(resumed, readings, otherwise, from);
  if (resumed.isPending) {
    const result = await resumed.finish(value);
    value = result.ok ? result.value : undefined;
  }
  for (const fault of resumed.faults) walk.fault(fault);
  return value;
}

/**
 * One of several types: the first that takes the value as it is; failing that, the only one that takes it with a
 * lossless conversion. A text stays a text where a branch takes texts.
 */
export function unionDecoder(node: UnionNode, decoders: readonly Decoder[]): Decoder {
  const branches = flatten(node.options);
  const takesText = branches.some(isText);
  const expected = expectation(node);
  return (value, walk) => {
    const meant = meantBranch(node.options, value);
    if (meant !== undefined) return decoders[meant]!(value, walk);
    const readings: Reading[] = decoders.map((decoder) => ({ decoder, value, exact: true }));
    if (!walk.exact && !(takesText && typeof value === 'string')) readings.push({ decoder: onlyOne(decoders), value, exact: false });
    return attempt(walk, readings, (at) => at.refuse(expected, value));
  };
}

/** Fits when exactly one branch does: two conversions would be two readings. */
function onlyOne(decoders: readonly Decoder[]): Decoder {
  return (value, walk) => {
    let found: { readonly walk: Walk; readonly value: unknown; readonly decoder: Decoder } | undefined;
    for (const decoder of decoders) {
      const inner = walk.branch(false);
      const decoded = decoder(value, inner);
      if (inner.faults.length > 0) continue;
      if (found !== undefined && !(found.value === decoded && typeof decoded !== 'object')) return walk.refuse('one reading', value);
      found ??= { walk: inner, value: decoded, decoder };
    }
    if (found === undefined) return walk.refuse('a fitting value', value);
    if (found.walk.isPending)
      walk.open = found.walk.finish(found.value).then((result) => (result.ok ? result.value : said(walk, result.faults)));
    return found.walk.isPending ? undefined : found.value;
  };
}

function said(walk: Walk, faults: readonly ArgumentFault[]): undefined {
  for (const fault of faults) walk.fault(fault);
}

/** The one branch that can be meant, so that its faults are told and nothing is tried twice. */
function meantBranch(options: readonly TypeNode[], value: unknown): number | undefined {
  const isObject = isJsonObject(value);
  if (!isObject && !Array.isArray(value)) return undefined;
  const candidates = [...options.keys()].filter((at) => mayTake(options[at]!, isObject));
  if (candidates.length <= 1 || !isObject) return candidates.length === 1 ? candidates[0] : undefined;
  if (!candidates.every((at) => options[at]!.kind === 'object')) return undefined;
  const tagged = candidates.filter((at) => hasTag(options[at] as ObjectNode, value));
  return tagged.length === 1 ? tagged[0] : undefined;
}

function mayTake(node: TypeNode, isObject: boolean): boolean {
  switch (node.kind) {
    case 'object':
    case 'record':
      return isObject;
    case 'array':
    case 'tuple':
      return !isObject;
    case 'nullable':
      return mayTake(node.inner, isObject);
    case 'union':
      return node.options.some((option) => mayTake(option, isObject));
    default:
      return node.kind === 'any' || node.kind === 'standard' || node.kind === 'raw' || node.kind === 'date' || node.kind === 'url';
  }
}

/** Whether a literal field of the type says that the value is meant for it. */
function hasTag(node: ObjectNode, value: Record<string, unknown>): boolean {
  const tags = node.fields.filter((field) => field.node.kind === 'literal');
  return (
    tags.length > 0 &&
    tags.every(
      ({ name, node: tag }) =>
        Object.hasOwn(value, name) && tag.kind === 'literal' && (tag.values as readonly unknown[]).includes(value[name]),
    )
  );
}

function flatten(options: readonly TypeNode[]): TypeNode[] {
  return options.flatMap((option) =>
    option.kind === 'union' ? flatten(option.options) : option.kind === 'nullable' ? flatten([option.inner]) : [option],
  );
}

function isText(node: TypeNode): boolean {
  return node.kind === 'string' || (node.kind === 'literal' && node.values.some((value) => typeof value === 'string'));
}
