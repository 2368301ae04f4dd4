import { ContextUpdate } from '../tools/context-update';
import { ToolResult } from '../tools/tool-result';
import type { ReadyCall } from './call';
import type { CallScope } from './call-scope';
import { toPlain } from './plain-value';
import { readResult } from './read-result';
import { canonicalText, plainText } from './result-text';

/** The result of an equal call of a read-only tool, while it is fresh. */
export function kept(ready: ReadyCall, scope: CallScope): { readonly value: unknown } | undefined {
  return mayKeep(ready) ? scope.cache.get(keyOf(ready, scope), scope.environment.now()) : undefined;
}

/** Keeps what a read-only tool returned for equal calls to come. Failures are not kept, nor what cannot even be looked at. */
export function keep(ready: ReadyCall, value: unknown, scope: CallScope): void {
  const { cache } = ready.tool.definition.behaviour;
  if (cache === undefined || !mayKeep(ready) || readResult(value, ready.tool.definition, '').isError) return;
  try {
    // A copy of all but results of our own making: the tool may go on to change what it returned.
    const plain = value === undefined ? undefined : toPlain(value);
    const isOwn = ToolResult.is(value) || value instanceof ContextUpdate;
    const size = typeof plain === 'string' ? plain.length : plainText(plain).length;
    scope.cache.set(keyOf(ready, scope), isOwn ? value : plain, scope.environment.now() + cache.ttl, size);
  } catch {
    // It is what the model is told now, and no more.
  }
}

/** Only where nothing is lost by not running: the tool says that it reads. */
const mayKeep = ({ tool }: ReadyCall): boolean => tool.definition.behaviour.annotations.readOnly === true;

function keyOf({ tool, shown }: ReadyCall, scope: CallScope): string {
  return scope.cache.key(tool.definition.owner, tool.definition.name, tool.host, scope.deps, canonicalText(shown));
}
