/* eslint-disable @typescript-eslint/no-explicit-any -- Patterns that must match whatever stands there: only `any` does so for parameters and type arguments. */
import type { Mismatch } from '../../types/fit';

/** What is wrong, as a sentence, or as a sentence with the two types that disagree. */
type Fault = string | Mismatch<any, any, any>;

/** No fault. Not assignable to `Fault`, which is what lets an open type parameter pass (see `Unless`). */
export interface Fine {
  readonly fine: true;
}

/**
 * `Value` unless there is a fault: then the fault, which the compiler prints as what it expected.
 *
 * The order of the branches matters. While a verdict still depends on an open type parameter, the compiler lets the
 * argument pass only if the check is surely false with wildcards; asking for `Fine` first would refuse generic classes.
 */
export type Unless<Verdict, Value> = [Verdict] extends [Fault] ? Verdict : Value;

/** What a standard decorator is told: it receives a context object where a legacy one receives a name, or nothing. */
export type LegacyOnly = 'Set "experimentalDecorators": true and "emitDecoratorMetadata": true in tsconfig.json.';
