import type { Outcome, RefusalReason } from '../types/outcome';
import type { CallResult, CallSubject, ReadyCall, RequestedCall, Settlement } from './call';
import { findTool } from './call-name';
import type { CallScope } from './call-scope';
import { EarlierCalls } from './earlier-calls';
import { finish } from './finish';
import { andThen, type MaybePromise } from './maybe-promise';
import { prepare } from './prepare';
import { refuse } from './refusal';

export { runBatch } from './batch';
export { execute as executeCall } from './execute';

/**
 * Steps 1 to 4 of the gate that every call passes: name, arguments, hooks and policy, approval.
 *
 * A call that may not run comes back as its result, which passed step 6 like any other. A plain value comes back wherever nobody had to be
 * waited for.
 */
export function prepareCall(call: RequestedCall, scope: CallScope): MaybePromise<ReadyCall | CallResult> {
  return andThen(prepare(call, scope, new EarlierCalls(scope)), (prepared) => {
    if (prepared.kind === 'ready') return prepared;
    if (prepared.kind === 'refused') return finish(prepared, prepared.settlement, scope);
    throw new Error(`The call ${call.id} stands alone, and yet it is to share a result or to wait.`);
  });
}

/** Step 6: what the model is told of a settlement, `afterTool`, the record, and the call's one `tool.end`. */
export function finishCall(ready: ReadyCall, settlement: Settlement, scope: CallScope): MaybePromise<CallResult> {
  return finish(ready, settlement, scope);
}

/**
 * The result of a call that a limit, an abort or a final answer keeps from running.
 * @param text what the model is told; it should say that the call was not run
 */
export function settleWithoutRunning(
  call: RequestedCall,
  outcome: Outcome,
  reason: RefusalReason | undefined,
  text: string,
  scope: CallScope,
): MaybePromise<CallResult> {
  scope.emit({ type: 'tool.request', callId: call.id, name: call.name, arguments: call.arguments });
  const subject: CallSubject = { call, tool: findTool(call.name, scope.tools), shown: call.arguments, note: undefined };
  return finish(subject, refuse(subject, outcome, text, scope, reason === undefined ? {} : { reason }).settlement, scope);
}
