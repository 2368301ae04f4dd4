import { errorText } from '../errors/error-facts';
import type { Report } from '../errors/option-check';
import type { Reflected } from '../metadata/reflection';
import { constrained } from './constraints';
import { OPTION_NAMES, type Place } from './declaration';
import { decoderOf } from './decoder';
import { describeFaults } from './describe-faults';
import { nearestName } from '../errors/nearest-name';
import { enumNode, nodeOf, type ClassReader } from './node-of';
import { acceptsNull, ANY, type Fallback, type FieldNode, type Transform, type TypeNode } from './type-node';
import { toJson } from './to-json';
import { runDecoder, type Decoder } from './walk';

/** What is known of a parameter or a property, before it is decided what it means. */
export interface FieldSource {
  readonly name: string;
  readonly property: string;
  readonly place: Place;
  readonly options: Readonly<Record<string, unknown>>;
  readonly reflected: Reflected;
  /** Whether something beside the options makes it optional. */
  readonly optional: boolean;
  readonly transforms?: readonly Transform[];
  readonly depth: number;
  readonly ofClass: ClassReader;
  /** A type from a source that comes after the options and before reflection. */
  readonly inferred?: TypeNode | undefined;
  readonly constrain?: (node: TypeNode) => TypeNode;
}

/** Decides what a parameter or property is; everything that is wrong with it is reported. */
export function fieldNode(source: FieldSource, report: Report): FieldNode {
  const { options, place, name } = source;
  checkOptions(source, report);
  const base = source.inferred ?? typeNode(source, report);
  let node = source.constrain === undefined ? base : source.constrain(base);
  if (node !== ANY) node = constrained(node, options, place, report);
  const hasDefault = Object.hasOwn(options, 'default') && options.default !== undefined;
  if (hasDefault && options.default === null && !acceptsNull(node)) node = { kind: 'nullable', inner: node };
  const fallback = hasDefault ? defaultOf(node, options.default, place, report) : undefined;
  const absent = fallback === undefined ? acceptsAbsence(node) : undefined;
  const isOptional = source.optional || options.optional === true || Object.hasOwn(options, 'default') || absent !== undefined;
  const { description, examples, aliases } = options;
  return {
    name,
    property: source.property,
    aliases: isTexts(aliases) ? aliases : NO_ALIASES,
    node,
    optional: isOptional,
    mayMiss: options.optional === true || Object.hasOwn(options, 'default'),
    fallback: fallback ?? absent?.fallback,
    description: typeof description === 'string' ? description : undefined,
    examples: Array.isArray(examples) ? examples.map(toJson) : undefined,
    transforms: source.transforms === undefined || source.transforms.length === 0 ? undefined : source.transforms,
  };
}

const NO_ALIASES: readonly string[] = Object.freeze([]);

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

function checkOptions({ options, place, name }: FieldSource, report: Report): void {
  const fault = (what: string, fix: string): void => report({ where: place.where, what, fix });
  for (const key of Object.keys(options)) {
    if (OPTION_NAMES.has(key)) continue;
    const near = nearestName(key, OPTION_NAMES);
    fault(
      `\`${key}\` is not an option`,
      near === undefined ? `Use one of ${[...OPTION_NAMES].join(', ')}.` : `Write \`${near}\`: ${place.write(`${near}: …`)}.`,
    );
  }
  if (name === '$ref' || name === '__proto__')
    fault(`a parameter cannot be called \`${name}\``, 'Choose another name: servers read this one as something else.');
  if (name === '') fault('its name is empty', 'Write a name.');
  const { description, optional, aliases, examples } = options;
  if (description !== undefined && typeof description !== 'string')
    fault('`description` must be a string', `Write ${place.write("description: '…'")}.`);
  if (optional !== undefined && typeof optional !== 'boolean')
    fault('`optional` must be true or false', `Write ${place.write('optional: true')}.`);
  if (aliases !== undefined && !isTexts(aliases))
    fault('`aliases` must be a list of names', `Write ${place.write("aliases: ['other_name']")}.`);
  if (examples !== undefined && !Array.isArray(examples))
    fault('`examples` must be a list of values', `Write ${place.write('examples: […]')}.`);
  if (optional === false && Object.hasOwn(options, 'default') && options.default !== undefined)
    fault('it has a default and is declared as not optional', 'Leave `optional: false` or `default` out.');
}

function typeNode({ options, place, reflected, depth, ofClass }: FieldSource, report: Report): TypeNode {
  if (Object.hasOwn(options, 'enum')) {
    const node = enumNode(options.enum, place, report);
    if (options.type !== undefined) checkValues(node, nodeOf(options.type, place, report, ofClass, depth + 1), place, report);
    return node;
  }
  if (Object.hasOwn(options, 'type')) return nodeOf(options.type, place, report, ofClass, depth + 1);
  if (reflected.kind === 'enum') return enumNode(reflected.members, place, report);
  if (reflected.kind === 'class') return nodeOf(reflected.type, place, report, ofClass, depth + 1);
  report({ where: place.where, ...erasure(reflected, place) });
  return ANY;
}

/** A type beside values says nothing more: it may only agree with them. */
function checkValues(values: TypeNode, type: TypeNode, place: Place, report: Report): void {
  if (values.kind !== 'literal' || type === ANY) return;
  const decoder = decoderOf(type);
  const stray = values.values.find((value) => value !== null && problemOf(decoder, value) !== undefined);
  if (stray === undefined) return;
  report({
    where: place.where,
    what: `\`type\` and \`enum\` disagree: its type does not take the value ${String(toJson(stray))}`,
    fix: `Leave \`type\` out, or say for a list of such values ${place.write("type: arrayOf(literal('a', 'b'))")}.`,
  });
}

function erasure(reflected: Reflected, { write }: Place): { readonly what: string; readonly fix: string } {
  if (reflected.kind === 'absent')
    return {
      what: 'the compiler wrote no type metadata for it (`emitDecoratorMetadata` is off, or the file was run by esbuild, tsx or another tool that strips types)',
      fix: `Set \`emitDecoratorMetadata: true\` and use a compiler that honours it, or write the type: ${write('type: String')}.`,
    };
  if (reflected.kind === 'context')
    return { what: 'its type is the ToolContext, which is never sent by the model', fix: 'Write `@Ctx()` instead of `@Param`.' };
  const was = reflected.kind === 'erased' ? reflected.was : 'Object';
  switch (was) {
    case 'Array':
      return { what: 'its type is erased to Array, which does not say of what', fix: `Write ${write('type: arrayOf(Number)')}.` };
    case 'Function':
      return {
        what: 'its type is erased to Function: the class was imported with `import type`, or it is a function',
        fix: `Import the class itself, without \`type\`, or write ${write('type: () => TheClass')}.`,
      };
    case 'undefined':
      return {
        what: 'its type is undefined, probably because two files import each other',
        fix: `Write the type as a function, which is called later: ${write('type: () => TheClass')}.`,
      };
    case 'Promise':
    case 'Symbol':
      return {
        what: `its type is ${was}, which cannot come from JSON`,
        fix: 'Declare what the model is to send, or inject the value with `@Ctx()` or through the constructor.',
      };
    case 'Object':
      return {
        what: 'its type is erased to Object: an interface, a union, a literal type, an enum or `unknown` leaves nothing to read',
        fix: `Write what it is: ${write("enum: ['a', 'b']")}, ${write('type: oneOf(String, Number)')}, or a class.`,
      };
  }
}

/** The default in both forms. It is read by its own type at each call, so no two calls share it. */
function defaultOf(node: TypeNode, given: unknown, place: Place, report: Report): Fallback | undefined {
  if (given === null) return { json: null, fresh: () => null };
  if (node.kind === 'standard' || node.kind === 'raw' || node === ANY) return { json: toJson(given), fresh: () => copied(given) };
  const decoder = decoderOf(node);
  const problem = problemOf(decoder, given);
  if (problem !== undefined) {
    report({
      where: place.where,
      what: `its default does not fit its own type: ${problem}`,
      fix: `Give a default that fits, or leave it out and write ${place.write('optional: true')}.`,
    });
    return undefined;
  }
  const json = toJson(given);
  if (typeof given !== 'object') return { json, fresh: () => given };
  return {
    json,
    fresh: () => {
      const decoded = runDecoder(decoder, given, true);
      return decoded instanceof Promise || !decoded.ok ? copied(given) : decoded.value;
    },
  };
}

/** Why a value that the code holds is none of the type; `undefined` where it is, or where that takes time to tell. */
function problemOf(decoder: Decoder, value: unknown): string | undefined {
  try {
    const decoded = runDecoder(decoder, value, true);
    if (decoded instanceof Promise) decoded.catch(() => undefined);
    else if (!decoded.ok)
      return describeFaults(decoded.faults)
        .split('\n')[1]
        ?.replace(/^- the arguments: /, '');
  } catch (error) {
    return errorText(error);
  }
  return undefined;
}

function copied(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}

/** A Standard Schema that takes `undefined` makes its parameter optional, and may have a value for it. */
function acceptsAbsence(node: TypeNode): { readonly fallback?: Fallback } | undefined {
  if (node.kind !== 'standard') return undefined;
  try {
    const result = node.schema['~standard'].validate(undefined);
    if (result instanceof Promise) {
      result.catch(() => undefined);
      return undefined;
    }
    if (result.issues !== undefined) return undefined;
    if (result.value === undefined) return {};
    const fresh = (): unknown => {
      const again = node.schema['~standard'].validate(undefined);
      return again instanceof Promise || again.issues !== undefined ? undefined : again.value;
    };
    return { fallback: { json: undefined, fresh } };
  } catch {
    return undefined;
  }
}
