import type { EnumObject, Scalar, TypeSpec } from './type-spec';

/** What may be said of a value beside its type. Lengths count characters (code points), as JSON Schema does; every bound is inclusive unless its name says otherwise. */
export interface Constraints {
  /** What the model reads: meaning, unit, form, an example where that helps. */
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  /** Greater than 0. */
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression that must match somewhere in the text (JSON Schema `pattern`, not anchored). */
  readonly pattern?: string | RegExp;
  /** A format of JSON Schema: `email`, `date-time`, `uuid` and so on. */
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  /** Other names that are accepted from the model; they are not in the schema. */
  readonly aliases?: readonly string[];
}

/**
 * What `@Param`, `@Field` and an entry of `defineTool`'s `parameters` say of one value. Unknown options are errors.
 *
 * The type parameters carry what was written (`never` where nothing was), so that the compiler can compare it with the
 * method's own parameter.
 */
export interface ParamOptions<
  Type = TypeSpec,
  Enum = readonly Scalar[] | EnumObject,
  Default = unknown,
  Optional = boolean,
> extends Constraints {
  /** What the model must send: `Integer`, `arrayOf(Number)`, a DTO class, `() => Later`, a Standard Schema, `jsonSchema<T>({ … })`. */
  readonly type?: Type;
  /** The values allowed: a list, a TypeScript enum, or a constant object. */
  readonly enum?: Enum;
  /** Used where the model sends nothing; makes the value optional. */
  readonly default?: Default;
  /** Whether the model may leave it out. `false` by default. */
  readonly optional?: Optional;
}
