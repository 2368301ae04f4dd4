import type { TypeSpec } from '../types/type-spec';
import type { ArgsVerdict } from './contract/method-verdict';
import type { Unless } from './contract/verdict';
import { recordParameter } from './record-parameter';

/** What `@Args()` gives; the compiler compares the DTO with the parameter. */
export interface ArgsDecorator<T> {
  <C, K, I extends number>(target: C, key: K, index: Unless<ArgsVerdict<C, K, I, T>, I>): void;
}

/**
 * Makes a DTO's properties the tool's parameters. Beside it the method may take the context and nothing else.
 *
 * @param type the DTO, `() => Dto`, or a Standard Schema; not needed where the compiler emits the parameter's class
 * @throws UsageError only when it is called as a standard decorator; every other fault is told when the class is resolved
 * @example book(@Args() order: Order, context: ToolContext) { … }
 */
export function Args<T extends TypeSpec = never>(type?: T): ArgsDecorator<T> {
  return recordParameter('@Args()', 'args', undefined, type === undefined ? undefined : { type });
}
