import type { JsonSchema } from '../types/json';
import type { StandardSchema } from '../types/standard-schema';
import type { Scalar } from '../types/type-spec';
import type { Pattern } from './pattern';
import { followed, resolvePointer } from './schema-references';

/** The normal form of a type: what every spelling comes down to, and all that schemas and decoders are made from. */
export type TypeNode =
  | StringNode
  | NumberNode
  | { readonly kind: 'boolean' }
  | BigIntNode
  | { readonly kind: 'date' }
  | { readonly kind: 'url' }
  | LiteralNode
  | ArrayNode
  | { readonly kind: 'tuple'; readonly items: readonly TypeNode[] }
  | { readonly kind: 'record'; readonly value: TypeNode }
  | UnionNode
  | { readonly kind: 'nullable'; readonly inner: TypeNode }
  | ObjectNode
  | { readonly kind: 'any' }
  | StandardNode
  | RawNode;

export interface StringNode {
  readonly kind: 'string';
  /** In characters (code points), as JSON Schema counts. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly patterns?: readonly Pattern[];
  readonly format?: string;
}

export interface NumberNode {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}

export interface BigIntNode {
  readonly kind: 'bigint';
  readonly minimum?: bigint;
  readonly maximum?: bigint;
}

export interface LiteralNode {
  readonly kind: 'literal';
  readonly values: readonly Scalar[];
}

export interface ArrayNode {
  readonly kind: 'array';
  readonly item: TypeNode;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

export interface UnionNode {
  readonly kind: 'union';
  readonly options: readonly TypeNode[];
}

/** An object with known keys: the parameters of a tool, or a class. `fields` of a class are filled after its node exists, since classes may refer to themselves. */
export interface ObjectNode {
  readonly kind: 'object';
  /** The class whose instance is built; none for parameters. */
  readonly cls: (new () => object) | undefined;
  readonly name: string;
  fields: readonly FieldNode[];
  /** The class's own validator run after building, where constraints go beyond the schema. */
  validated: boolean;
}

/** One key of an object. */
export interface FieldNode {
  /** On the wire. */
  readonly name: string;
  /** On the built object. */
  readonly property: string;
  readonly aliases: readonly string[];
  readonly node: TypeNode;
  readonly optional: boolean;
  /** Whether its own options say so: then class-validator is not heard about its absence. */
  readonly mayMiss?: boolean;
  /** What stands in for an absent value; JSON form for the schema, and how to make a fresh one. */
  readonly fallback?: Fallback;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** The class's own transformations of the value, in order. */
  readonly transforms?: readonly Transform[];
}

export interface Fallback {
  readonly json: unknown;
  readonly fresh: () => unknown;
}

export type Transform = (value: unknown, source: Readonly<Record<string, unknown>>) => unknown;

export interface StandardNode {
  readonly kind: 'standard';
  readonly schema: StandardSchema;
  /** Its JSON Schema, put in the forms that providers take. */
  readonly json: JsonSchema;
}

export interface RawNode {
  readonly kind: 'raw';
  readonly schema: JsonSchema;
}

export const ANY: TypeNode = Object.freeze({ kind: 'any' });

/** Whether `null` is a value of the type. */
export function acceptsNull(node: TypeNode): boolean {
  switch (node.kind) {
    case 'nullable':
    case 'any':
      return true;
    case 'literal':
      return node.values.includes(null);
    case 'union':
      return node.options.some(acceptsNull);
    case 'standard':
      return jsonAcceptsNull(node.json, node.json);
    case 'raw':
      return jsonAcceptsNull(node.schema, node.schema);
    default:
      return false;
  }
}

/** Whether a JSON Schema lets `null` through, as far as its types say. */
export function jsonAcceptsNull(schema: unknown, root: JsonSchema): boolean {
  return followed((part, ask) => {
    if (typeof part !== 'object' || part === null) return part === true;
    const { type, enum: values, anyOf, oneOf, allOf, $ref } = part as Record<string, unknown>;
    if ('const' in part) return part.const === null;
    if (Array.isArray(values)) return values.includes(null);
    if (type !== undefined) return type === 'null' || (Array.isArray(type) && type.includes('null'));
    const branches = anyOf ?? oneOf;
    if (Array.isArray(branches)) return branches.some(ask);
    if (Array.isArray(allOf)) return allOf.every(ask);
    if (typeof $ref === 'string') return ask(resolvePointer($ref, root));
    return !('properties' in part || 'items' in part || 'prefixItems' in part);
  })(schema);
}

/** Whether a type is an object of plain values, as the parameters of most tools are: nothing in it is shared, or a class. */
export function isFlat(node: TypeNode): boolean {
  return node.kind === 'object' && node.cls === undefined && node.fields.every((field) => PLAIN.has(field.node.kind));
}

const PLAIN: ReadonlySet<TypeNode['kind']> = new Set(['string', 'number', 'boolean', 'literal']);
