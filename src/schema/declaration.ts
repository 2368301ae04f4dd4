import type { DefinitionFault } from '../errors/definition-error';
import type { Reflected } from '../metadata/reflection';
import type { EnumObject, Scalar, TypeSpec } from '../types/type-spec';

export type Report = (fault: DefinitionFault) => void;

/** Where a declaration stands, and how its line is written: what every fault needs. */
export interface Place {
  readonly where: string;
  /** The decorator with these options: `@Param('days', { type: arrayOf(Number) })`. */
  readonly write: (options: string) => string;
}

/** What `@Param` and `@Field` may say beside name and type. Bounds are inclusive; lengths count characters. */
interface ConstraintOptions {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string | RegExp;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  /** Other names that are accepted from the model and absent from the schema. */
  readonly aliases?: readonly string[];
  readonly nullable?: boolean;
}

/** One parameter of the model's contract, with everything that is known of it. */
export interface ParameterDeclaration {
  readonly name: string;
  /** For faults: `` Weather.forecast, parameter #1 `days` ``. */
  readonly where: string;
  readonly reflected: Reflected;
  /** As they were written; what is wrong with them is reported. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What the options of a parameter may say. */
export interface DeclaredOptions extends ConstraintOptions {
  readonly type?: TypeSpec;
  readonly enum?: readonly Scalar[] | EnumObject;
  readonly optional?: boolean;
  /** An own key, be it `undefined`, `null`, `''`, `0` or `false`, makes the parameter optional. */
  readonly default?: unknown;
}

export const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;
export const LENGTHS = ['minLength', 'maxLength'] as const;
export const COUNTS = ['minItems', 'maxItems'] as const;

/** Everything that options of a parameter or a field may be called. */
export const OPTION_NAMES: ReadonlySet<string> = new Set([
  ...BOUNDS,
  ...LENGTHS,
  ...COUNTS,
  ...['description', 'type', 'enum', 'optional', 'default', 'examples', 'pattern', 'format', 'uniqueItems', 'aliases', 'nullable'],
]);
