import type { ParamOptions } from '../types/param-options';
import type { EnumObject, Scalar, TypeSpec } from '../types/type-spec';
import type { ParameterVerdict } from './contract/parameter-verdict';
import type { Unless } from './contract/verdict';
import { recordParameter } from './record-parameter';

/** A legacy parameter decorator; `index` arrives as a literal type, which is what makes the check possible. */
export interface ParamDecorator<N, T, E, D, Q> {
  <C, K, I extends number>(target: C, key: K, index: Unless<ParameterVerdict<C, K, I, N, T, E, D, Q>, I>): void;
}

/**
 * Describes one parameter of a tool to the model. The compiler compares what is declared here with the parameter itself.
 *
 * @param name as the model sees it; without one it is read from the method's source, which a minifier changes
 * @param options a description, or options
 * @throws UsageError only when it is called as a standard decorator; every other fault is told when the class is resolved
 * @example forecast(@Param('days', { type: Integer, minimum: 1, default: 3 }) days: number) { … }
 */
export function Param<
  const N extends string = '',
  T extends TypeSpec = never,
  const E extends readonly Scalar[] | EnumObject = never,
  const D = never,
  Q extends boolean = false,
>(name?: N, options?: string | ParamOptions<T, E, D, Q>): ParamDecorator<N, T, E, D, Q> {
  return recordParameter('@Param()', 'param', name, options);
}
