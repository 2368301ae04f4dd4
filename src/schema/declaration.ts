import type { Reflected } from '../metadata/reflection';
import type { ParamOptions } from '../types/param-options';

/** Where a declaration stands, and how its line is written: what every fault needs. */
export interface Place {
  readonly where: string;
  /** The decorator with these options: `@Param('days', { type: arrayOf(Number) })`. */
  readonly write: (options: string) => string;
}

/** A place where a type is written by itself rather than as an option: `@Args(() => TheDto)`. */
export function typePlace(where: string, line: (type: string) => string): Place {
  return { where, write: (said) => `\`${line(said.replace(/^type: /, ''))}\`` };
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

export const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;
export const LENGTHS = ['minLength', 'maxLength'] as const;
export const COUNTS = ['minItems', 'maxItems'] as const;

const NAMES = [
  ...BOUNDS,
  ...LENGTHS,
  ...COUNTS,
  ...(['description', 'type', 'enum', 'optional', 'default', 'examples', 'pattern', 'format', 'uniqueItems', 'aliases'] as const),
] satisfies readonly (keyof ParamOptions)[];

/** Everything that options of a parameter or a field may be called. */
export const OPTION_NAMES: ReadonlySet<string> = new Set(NAMES);
