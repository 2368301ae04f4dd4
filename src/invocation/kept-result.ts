import { ToolResult } from '../tools/tool-result';
import type { ReadyCall } from './call';
import type { CallScope } from './call-scope';
import { toPlain } from './plain-value';
import { canonicalText, plainText } from './result-text';

/** The result of an equal call of a read-only tool, while it is fresh. */
export function kept(ready: ReadyCall, scope: CallScope): { readonly value: unknown } | undefined {
  return mayKeep(ready) ? scope.cache.get(keyOf(ready, scope), scope.environment.now()) : undefined;
}

/** Keeps what a read-only tool returned for equal calls to come; failures are not kept. */
export function keep(ready: ReadyCall, value: unknown, scope: CallScope): void {
  const { cache } = ready.tool.definition.behaviour;
  if (cache === undefined || !mayKeep(ready)) return;
  if (ToolResult.is(value)) {
    if (!value.isError) store(ready, value, plainText(toPlain(value)).length, cache.ttl, scope);
    return;
  }
  // A copy: the tool may go on to change what it returned.
  const copy = value === undefined ? undefined : toPlain(value);
  store(ready, copy, typeof copy === 'string' ? copy.length : plainText(copy).length, cache.ttl, scope);
}

/** Only where nothing is lost by not running: the tool says that it reads. */
const mayKeep = ({ tool }: ReadyCall): boolean => tool.definition.behaviour.annotations.readOnly === true;

function store(ready: ReadyCall, value: unknown, size: number, ttl: number, scope: CallScope): void {
  scope.cache.set(keyOf(ready, scope), value, scope.environment.now() + ttl, size);
}

function keyOf({ tool, shown }: ReadyCall, scope: CallScope): string {
  return scope.cache.key(tool.definition.owner, tool.definition.name, tool.host, scope.deps, canonicalText(shown));
}
