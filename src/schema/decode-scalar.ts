import type { Scalar } from '../types/type-spec';
import { expectation } from './expectation';
import { formatCheck } from './formats';
import { matcherOf } from './pattern';
import type { BigIntNode, LiteralNode, NumberNode, StringNode } from './type-node';
import type { Decoder } from './walk';

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
const DIGITS = /^-?\d{1,1000}$/;
/** Up to this many significant digits a decimal survives the way through a double unchanged. */
const EXACT_DIGITS = 15;

export function stringDecoder(node: StringNode): Decoder {
  const { minLength = 0, maxLength = Infinity } = node;
  const counted = minLength > 0 || maxLength !== Infinity;
  const fits = node.format === undefined ? undefined : formatCheck(node.format);
  const matchers = (node.patterns ?? []).map(matcherOf);
  return (value, walk) => {
    if (typeof value !== 'string') return walk.refuse(expectation(node), value);
    if (counted) {
      const length = characters(value);
      if (length < minLength || length > maxLength)
        return walk.refuse(expectation(node), value, `it has ${length === 1 ? '1 character' : `${length} characters`}`);
    }
    if (fits !== undefined && !fits(value)) return walk.refuse(expectation(node), value);
    for (const matches of matchers) {
      const matched = matches(value);
      if (matched === undefined) return walk.refuse(expectation(node), value, 'the text is too long to be checked');
      if (!matched) return walk.refuse(expectation(node), value);
    }
    return value;
  };
}

export function numberDecoder(node: NumberNode): Decoder {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity, multipleOf, integer } = node;
  return (given, walk) => {
    const value = typeof given === 'string' && !walk.exact ? numberFrom(given) : given;
    if (typeof value !== 'number' || !Number.isFinite(value)) return walk.refuse(expectation(node), given);
    if (integer && !Number.isSafeInteger(value))
      return walk.refuse(expectation(node), given, Number.isInteger(value) ? 'it is too large to be exact' : undefined);
    if (value < minimum || value > maximum) return walk.refuse(expectation(node), given);
    if ((exclusiveMinimum !== -Infinity && value <= exclusiveMinimum) || (exclusiveMaximum !== Infinity && value >= exclusiveMaximum))
      return walk.refuse(expectation(node), given);
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) return walk.refuse(expectation(node), given);
    return value;
  };
}

export const booleanDecoder: Decoder = (value, walk) => {
  if (typeof value === 'boolean') return value;
  if (!walk.exact && value === 'true') return true;
  if (!walk.exact && value === 'false') return false;
  return walk.refuse('a boolean', value);
};

export function bigintDecoder(node: BigIntNode): Decoder {
  return (value, walk) => {
    const big = bigintFrom(value);
    if (big === undefined) return walk.refuse(expectation(node), value);
    if ((node.minimum !== undefined && big < node.minimum) || (node.maximum !== undefined && big > node.maximum))
      return walk.refuse(expectation(node), value);
    return big;
  };
}

const isDateTime = formatCheck('date-time')!;

export const dateDecoder: Decoder = (value, walk) => {
  if (typeof value === 'string' && isDateTime(value)) return new Date(value);
  // Not from a model: a hook or a default may hold the decoded form already.
  if (value instanceof Date && !Number.isNaN(value.getTime())) return new Date(value);
  return walk.refuse('a date and time with offset such as "2024-05-01T10:00:00Z"', value);
};

const isUri = formatCheck('uri')!;

export const urlDecoder: Decoder = (value, walk) => {
  if (typeof value === 'string' && isUri(value)) return new URL(value);
  if (value instanceof URL) return new URL(value.href);
  return walk.refuse('an absolute URL such as "https://example.com/"', value);
};

export function literalDecoder(node: LiteralNode): Decoder {
  const byWire = new Map<Scalar, Scalar>(node.values.map((value) => [typeof value === 'bigint' ? value.toString() : value, value]));
  const bigints = new Set(node.values.filter((value) => typeof value === 'bigint'));
  const hasText = node.values.some((value) => typeof value === 'string');
  const folded = foldedValues(node.values);
  return (value, walk) => {
    if (byWire.has(value as Scalar)) return byWire.get(value as Scalar);
    if (typeof value === 'bigint' && bigints.has(value)) return value;
    if (!walk.exact && typeof value === 'string') {
      const meant = hasText ? folded.get(value.toLowerCase()) : scalarFrom(value);
      if (meant !== undefined && byWire.has(meant)) return byWire.get(meant);
    }
    return walk.refuse(expectation(node), value);
  };
}

/** Texts by their lower-case form, without those that only differ in case. */
function foldedValues(values: readonly Scalar[]): ReadonlyMap<string, string> {
  const folded = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const value of values) {
    if (typeof value !== 'string') continue;
    const key = value.toLowerCase();
    if (folded.has(key)) ambiguous.add(key);
    folded.set(key, value);
  }
  for (const key of ambiguous) folded.delete(key);
  return folded;
}

function scalarFrom(text: string): number | boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : numberFrom(text);
}

/** The number that a text spells in JSON's grammar, when a double holds exactly that. */
export function numberFrom(text: string): number | undefined {
  if (text.length > 40 || !JSON_NUMBER.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  const mantissa = text.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
  const digits = mantissa.replace(/0+$/, '').length;
  if (value === 0 && digits > 0) return undefined;
  return digits <= EXACT_DIGITS || (Number.isSafeInteger(value) && !/[.e]/i.test(text)) ? value : undefined;
}

function bigintFrom(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string') return DIGITS.test(value) ? BigInt(value) : undefined;
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
}

function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient)) && Number.isFinite(quotient);
}

/** JSON Schema counts characters (code points), not UTF-16 code units. */
function characters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800;
    if (isHigh && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}
