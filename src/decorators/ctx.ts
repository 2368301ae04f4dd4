import type { CtxVerdict } from './contract/method-verdict';
import type { Unless } from './contract/verdict';
import { recordParameter } from './record-parameter';

/** What `@Ctx()` gives; the compiler lets it stand on a `ToolContext` only. */
export interface CtxDecorator {
  <C, K, I extends number>(target: C, key: K, index: Unless<CtxVerdict<C, K, I>, I>): void;
}

/**
 * Says which parameter is the `ToolContext`. Needed only where no metadata is emitted (esbuild, tsx): elsewhere its type says so.
 *
 * @throws UsageError only when it is called as a standard decorator; every other fault is told when the class is resolved
 * @example forecast(@Param('city') city: string, @Ctx() context: ToolContext) { … }
 */
export function Ctx(): CtxDecorator {
  return recordParameter('@Ctx()', 'context', undefined, undefined);
}
