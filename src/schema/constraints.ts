import type { Report } from '../errors/option-check';
import { BOUNDS, COUNTS, LENGTHS, type Place } from './declaration';
import { patternOf, patternProblem, type Pattern } from './pattern';
import type { BigIntNode, NumberNode, TypeNode } from './type-node';

/** Constraints as they came, checked here: option values may be anything. */
export type Constraints = Readonly<Record<string, unknown>>;

const NUMERIC = new Set<string>(BOUNDS);
const BIG = new Set(['minimum', 'maximum']);
const TEXTUAL = new Set<string>([...LENGTHS, 'pattern', 'patterns', 'format']);
const LISTED = new Set<string>([...COUNTS, 'uniqueItems']);
/** The constraints that say something of a type, by its kind. */
const CONSTRAINTS: ReadonlyMap<TypeNode['kind'], ReadonlySet<string>> = new Map([
  ['number', NUMERIC],
  ['bigint', BIG],
  ['string', TEXTUAL],
  ['array', LISTED],
]);
const ALL: ReadonlySet<string> = new Set([...NUMERIC, ...TEXTUAL, ...LISTED]);

/** The type with the constraints in it; what does not fit the type, or leaves no value, is a fault. */
export function constrained(node: TypeNode, given: Constraints, place: Place, report: Report): TypeNode {
  const fault = (what: string, fix: string): void => report({ where: place.where, what, fix });
  let sound: Record<string, unknown> | undefined;
  for (const name of Object.keys(given)) {
    if (!ALL.has(name) || given[name] === undefined || !isSound(name, given[name], fault, place)) continue;
    sound ??= {};
    sound[name] = given[name];
  }
  if (sound === undefined) return node;
  const result = apply(node, sound);
  for (const name of Object.keys(sound)) {
    if (takes(node, name)) continue;
    const kind = NUMERIC.has(name) ? 'numbers' : TEXTUAL.has(name) ? 'strings' : 'lists';
    fault(
      `\`${name}\` says something of ${kind}, and the type has none`,
      `Leave \`${name}\` out, or declare the type that it is about: ${place.write('type: …')}.`,
    );
  }
  checkRoom(result, fault, place);
  return result;
}

/** Whether a constraint says something of a type. */
function takes(node: TypeNode, name: string): boolean {
  if (node.kind === 'nullable') return takes(node.inner, name);
  if (node.kind === 'union') return node.options.some((option) => takes(option, name));
  return CONSTRAINTS.get(node.kind)?.has(name) === true;
}

function apply(node: TypeNode, given: Constraints): TypeNode {
  switch (node.kind) {
    case 'number':
      return pick(NUMERIC, given, node, Number) as unknown as NumberNode;
    case 'bigint':
      return pick(BIG, given, node, asBigInt) as unknown as BigIntNode;
    case 'string': {
      const { pattern, patterns, ...rest } = pick(TEXTUAL, given);
      const all = [
        ...(node.patterns ?? []),
        ...((patterns as Pattern[] | undefined) ?? []),
        ...(pattern === undefined ? [] : [patternOf(pattern as string | RegExp)]),
      ];
      return { ...node, ...rest, ...(all.length === 0 ? {} : { patterns: all }) };
    }
    case 'array':
      return { ...node, ...pick(LISTED, given) };
    case 'nullable':
      return { ...node, inner: apply(node.inner, given) };
    case 'union':
      return { ...node, options: node.options.map((option) => apply(option, given)) };
    default:
      return node;
  }
}

function pick(names: ReadonlySet<string>, given: Constraints, base: object = {}, read = asIs): Record<string, unknown> {
  const into = copyOf(base);
  for (const name of Object.keys(given)) if (names.has(name)) into[name] = read(given[name]);
  return into;
}

/** A copy that is added to. Key by key, since what is added to a spread copy gets a shape of its own each time. */
export function copyOf(given: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(given)) copy[key] = (given as Record<string, unknown>)[key];
  return copy;
}

const asIs = (value: unknown): unknown => value;
const asBigInt = (value: unknown): bigint => BigInt(value as number | bigint);

function isSound(name: string, value: unknown, fault: (what: string, fix: string) => void, place: Place): boolean {
  const bad = (wanted: string): boolean => {
    fault(`\`${name}\` must be ${wanted}`, `${place.write(`${name}: …`)} with ${wanted}.`);
    return false;
  };
  if (NUMERIC.has(name)) {
    if (typeof value === 'bigint' && (name === 'minimum' || name === 'maximum')) return true;
    if (typeof value !== 'number' || !Number.isFinite(value)) return bad('a finite number');
    return name === 'multipleOf' && value <= 0 ? bad('greater than 0') : true;
  }
  if (name === 'uniqueItems') return typeof value === 'boolean' || bad('true or false');
  if (name === 'format') return (typeof value === 'string' && value !== '') || bad('the name of a format');
  if (name === 'patterns') return true;
  if (name === 'pattern') {
    if (typeof value !== 'string' && !(value instanceof RegExp)) return bad('a string or a regular expression');
    const problem = patternProblem(patternOf(value));
    return problem === undefined || bad(`a regular expression that compiles (${problem})`);
  }
  return (Number.isSafeInteger(value) && (value as number) >= 0) || bad('a whole number, 0 or more');
}

/** Bounds that leave no value. */
function checkRoom(node: TypeNode, fault: (what: string, fix: string) => void, place: Place): void {
  const clash = (low: string, high: string): void =>
    fault(`\`${low}\` and \`${high}\` leave no value`, `Give bounds that some value meets: ${place.write(`${low}: …, ${high}: …`)}.`);
  if (node.kind === 'string' && (node.minLength ?? 0) > (node.maxLength ?? Infinity)) clash('minLength', 'maxLength');
  if (node.kind === 'array' && (node.minItems ?? 0) > (node.maxItems ?? Infinity)) clash('minItems', 'maxItems');
  if (node.kind === 'bigint' && node.minimum !== undefined && node.maximum !== undefined && node.minimum > node.maximum)
    clash('minimum', 'maximum');
  if (node.kind === 'nullable') checkRoom(node.inner, fault, place);
  if (node.kind === 'union') node.options.forEach((option) => checkRoom(option, fault, place));
  if (node.kind === 'number' && !hasRoom(node))
    clash(node.minimum === undefined ? 'exclusiveMinimum' : 'minimum', node.maximum === undefined ? 'exclusiveMaximum' : 'maximum');
}

function hasRoom({
  minimum = -Infinity,
  maximum = Infinity,
  exclusiveMinimum = -Infinity,
  exclusiveMaximum = Infinity,
  integer,
  multipleOf,
}: NumberNode): boolean {
  const low = Math.max(minimum, exclusiveMinimum);
  const high = Math.min(maximum, exclusiveMaximum);
  const isOpen =
    (exclusiveMinimum !== -Infinity && exclusiveMinimum >= minimum) || (exclusiveMaximum !== Infinity && exclusiveMaximum <= maximum);
  if (low > high || (low === high && isOpen)) return false;
  if (!Number.isFinite(low) || !Number.isFinite(high)) return true;
  const step = multipleOf ?? (integer ? 1 : undefined);
  if (step === undefined) return true;
  // The first multiple inside must not lie beyond the last one.
  const first = Math.ceil(low / step - 1e-9) * step;
  const start = first <= exclusiveMinimum ? first + step : first;
  return exclusiveMaximum <= maximum && exclusiveMaximum !== Infinity ? start < high : start <= high + 1e-9 * Math.abs(high);
}
