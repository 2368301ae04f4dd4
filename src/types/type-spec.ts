import type { JsonSchema } from './json';
import type { StandardSchema } from './standard-schema';

/** A value that can stand in an enum or a literal type. */
export type Scalar = string | number | boolean | bigint | null;

/** A TypeScript enum, or a constant object of its shape. */
export type EnumObject = { readonly [member: string]: string | number };

/** Any class, abstract ones too. */
// `any` is what makes every class assignable: a constructor's parameters are checked contravariantly.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyClass = abstract new (...args: any) => unknown;

/** What a helper such as `arrayOf(String)` describes. */
export type TypeShape =
  | { readonly kind: 'integer' }
  | { readonly kind: 'literal'; readonly values: readonly Scalar[] }
  | { readonly kind: 'array'; readonly item: TypeSpec; readonly options: ArrayOptions }
  | { readonly kind: 'tuple'; readonly items: readonly TypeSpec[] }
  | { readonly kind: 'record'; readonly value: TypeSpec }
  | { readonly kind: 'oneOf'; readonly options: readonly TypeSpec[] }
  | { readonly kind: 'nullable'; readonly type: TypeSpec }
  | { readonly kind: 'json'; readonly schema: JsonSchema };

/** Bounds on the length of a list, both inclusive, and whether its items must differ. */
export interface ArrayOptions {
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/** A type the model sees, carrying the TypeScript type the method sees. The key is a string, so two copies of the package agree. */
export interface TypeRef<out X> {
  readonly '~type': TypeShape & { readonly ts?: readonly [X] };
}

/** Everything that may stand behind `type:`. A function without a prototype is a forward reference. */
export type TypeSpec = PlainSpec | (() => PlainSpec);
type PlainSpec =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | BigIntConstructor
  | DateConstructor
  | StandardSchema
  | TypeRef<unknown>
  | AnyClass;

/** The TypeScript type of a spec. Standard Schema is asked before classes: ArkType's types are functions. */
export type TypeOf<S> = S extends () => infer R ? (S extends AnyClass | StandardSchema ? PlainTypeOf<S> : PlainTypeOf<R>) : PlainTypeOf<S>;

type PlainTypeOf<S> = S extends { readonly '~type': { readonly ts?: readonly [infer X] } }
  ? X
  : S extends { readonly '~standard': { readonly types?: infer X } }
    ? NonNullable<X> extends { readonly output: infer O }
      ? O
      : unknown
    : S extends StringConstructor
      ? string
      : S extends NumberConstructor
        ? number
        : S extends BooleanConstructor
          ? boolean
          : S extends BigIntConstructor
            ? bigint
            : S extends abstract new (...args: never) => infer X
              ? X
              : never;

/** The values of `['a', 'b']`, of a TypeScript enum, or of a constant object. */
export type EnumOf<E> = E extends readonly (infer M)[] ? M : E[keyof E];

const ref = <X>(shape: TypeShape): TypeRef<X> => Object.freeze({ '~type': Object.freeze(shape) });

/** A whole number. */
export const Integer: TypeRef<number> = ref({ kind: 'integer' });

/**
 * A list: `arrayOf(String)`, with bounds on its length where wanted.
 * @example @Param('tags', { type: arrayOf(String, { maxItems: 5 }) }) tags: string[]
 */
export function arrayOf<S extends TypeSpec>(item: S, options: ArrayOptions = {}): TypeRef<TypeOf<S>[]> {
  return ref({ kind: 'array', item, options: { ...options } });
}

/**
 * A list of fixed length: `tupleOf(String, Number)`.
 * @example @Param('range', { type: tupleOf(Number, Number) }) range: [number, number]
 */
export function tupleOf<const S extends readonly TypeSpec[]>(...items: S): TypeRef<{ -readonly [I in keyof S]: TypeOf<S[I]> }> {
  return ref({ kind: 'tuple', items });
}

/**
 * An object with any keys and values of one type: `recordOf(Number)`.
 * @example @Param('counts', { type: recordOf(Integer) }) counts: Record<string, number>
 */
export function recordOf<S extends TypeSpec>(value: S): TypeRef<Record<string, TypeOf<S>>> {
  return ref({ kind: 'record', value });
}

/**
 * One of several types: `oneOf(String, Number)`.
 * @example @Param('id', { type: oneOf(String, Integer) }) id: string | number
 */
export function oneOf<S extends readonly TypeSpec[]>(...options: S): TypeRef<TypeOf<S[number]>> {
  return ref({ kind: 'oneOf', options });
}

/**
 * A type, or `null`.
 * @example @Param('until', { type: nullable(Date) }) until: Date | null
 */
export function nullable<S extends TypeSpec>(type: S): TypeRef<TypeOf<S> | null> {
  return ref({ kind: 'nullable', type });
}

/**
 * One of the values given: `literal('a', 'b', 1)`.
 * @example @Param('size', { type: literal('small', 'large') }) size: 'small' | 'large'
 */
export function literal<const L extends readonly Scalar[]>(...values: L): TypeRef<L[number]> {
  return ref({ kind: 'literal', values });
}

/**
 * A TypeScript enum inside another type: `arrayOf(enumOf(Unit))`.
 * @example @Param('units', { type: arrayOf(enumOf(Unit)) }) units: Unit[]
 */
export function enumOf<E extends EnumObject>(members: E): TypeRef<E[keyof E]> {
  return ref({ kind: 'literal', values: enumValues(members) });
}

/**
 * Raw JSON Schema, sent as given. It says nothing to the compiler, so write the type: `jsonSchema<Order>({ … })`.
 * @example @Param('filter', { type: jsonSchema<Filter>({ type: 'object', properties: { … } }) }) filter: Filter
 */
export function jsonSchema<X = never>(schema: JsonSchema): TypeRef<X> {
  return ref({ kind: 'json', schema });
}

/** The values of an enum declaration; a numeric enum's reverse mapping (value to name) is left out. */
export function enumValues(declaration: readonly Scalar[] | EnumObject): readonly Scalar[] {
  if (Array.isArray(declaration)) return declaration as readonly Scalar[];
  const members = declaration as EnumObject;
  return Object.keys(members)
    .filter((key) => !(isIndex(key) && typeof members[members[key] as string] === 'number'))
    .map((key) => members[key] as string | number);
}

const isIndex = (key: string): boolean => String(Number(key)) === key;
