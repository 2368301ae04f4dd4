import { errorFacts } from '../errors/error-facts';
import type { BoundTool } from '../tools/tool-definition';
import type { CallSubject, ReadyCall, RequestedCall } from './call';
import { readArguments, sentOf, type ReadArguments } from './call-arguments';
import { CallContext } from './call-context';
import { findTool, unknownToolText } from './call-name';
import type { CallScope } from './call-scope';
import { bounded } from './deadline';
import { deferIfExternal, type DeferredCall } from './deferred-call';
import type { EarlierCalls } from './earlier-calls';
import { judgeCall, needsJudgement } from './judge-call';
import { andThen, isThenable, type MaybePromise } from './maybe-promise';
import { refuse, refuseAborted, type RefusedCall, type TwinCall } from './refusal';
import { repairsLeft } from './settlement-texts';

/** A call after steps 1 to 4: it may run, it is refused, or it shares another's result. */
export type PreparedCall = ReadyCall | RefusedCall | TwinCall | DeferredCall;

/** Steps 1 to 4, from the model's call to the decision. At once, where nobody has to be waited for. */
export function prepare(call: RequestedCall, scope: CallScope, earlier: EarlierCalls): MaybePromise<PreparedCall> {
  scope.emit({ type: 'tool.request', callId: call.id, name: call.name, arguments: call.arguments });
  const tool = findTool(call.name, scope.tools);
  const subject: CallSubject = { call, tool, shown: call.arguments, note: undefined };
  if (scope.aborted) return refuseAborted(subject, scope);
  if (tool === undefined) return refuse(subject, 'unknown', unknownToolText(call.name, scope.tools), scope);
  return andThen(admit(subject, tool, scope, earlier), (refusal) => {
    if (refusal !== undefined) return refusal;
    return andThen(readArguments(call.arguments, tool, scope), (read) => {
      const prepared = fitted(call, tool, read, scope, earlier);
      return tool.definition.behaviour.external === true ? andThen(prepared, (one) => deferIfExternal(one, scope)) : prepared;
    });
  });
}

/** Whether the tool may be called at all now: it may be spent, used up, or switched off. */
export function admit(
  subject: CallSubject,
  tool: BoundTool,
  scope: CallScope,
  earlier: EarlierCalls,
): MaybePromise<RefusedCall | undefined> {
  const { name, behaviour } = tool.definition;
  const tally = earlier.tally(name);
  if (tally.repairs > 0 && tally.repairs >= behaviour.maxRepairs) {
    const text = `Denied: \`${name}\` was called wrongly ${tally.repairs} times in a row and is refused for the rest of this run. Go on without it.`;
    return refuse(subject, 'denied', text, scope, { reason: 'repairs' });
  }
  if (behaviour.maxCalls !== undefined && tally.executions >= behaviour.maxCalls) {
    const text = `Denied: \`${name}\` may run ${behaviour.maxCalls} times in one run, and has. It was not run again. Go on without it.`;
    return refuse(subject, 'denied', text, scope, { reason: 'max_calls' });
  }
  if (behaviour.rateLimit !== undefined || behaviour.breaker !== undefined) {
    // Asked again when it begins; here, so that nobody is asked for approval of what cannot run.
    const wait = scope.throttle.refusal(tool.definition, scope.environment.now());
    if (wait !== undefined) return refuse(subject, 'denied', wait.text, scope, { reason: wait.reason });
  }
  if (behaviour.enabled === true) return undefined;
  return isEnabled(subject, tool, scope);
}

const DISABLED = 'Denied: this tool is switched off at present. It was not run. Go on without it.';

async function isEnabled(subject: CallSubject, tool: BoundTool, scope: CallScope): Promise<RefusedCall | undefined> {
  const { enabled } = tool.definition.behaviour;
  const context = new CallContext(scope, subject.call, tool.definition.name, 1, false, scope.environment.now());
  try {
    const answer = typeof enabled === 'function' ? enabled(context) : enabled;
    const on = isThenable(answer) ? await bounded(answer, 'The `enabled` predicate', scope.ceiling, scope.signal) : answer;
    return on === true ? undefined : refuse(subject, 'denied', DISABLED, scope, { reason: 'disabled' });
  } catch (error) {
    if (scope.aborted) return refuseAborted(subject, scope);
    return refuse(subject, 'denied', DISABLED, scope, { reason: 'disabled', error: errorFacts(error) });
  } finally {
    context.end();
  }
}

function fitted(
  call: RequestedCall,
  tool: BoundTool,
  read: ReadArguments,
  scope: CallScope,
  earlier: EarlierCalls,
): MaybePromise<PreparedCall> {
  if (!read.ok) {
    if (scope.aborted) return refuseAborted({ call, tool, shown: read.shown, note: undefined }, scope);
    const { name, behaviour } = tool.definition;
    const left = behaviour.maxRepairs - earlier.tally(name).repairs - 1;
    const text = `Invalid arguments for \`${name}\`. ${read.text}\n${repairsLeft(left)}`;
    return refuse({ call, tool, shown: read.shown, note: undefined }, 'invalid', text, scope, {
      repair: true,
      ...(read.error !== undefined && { error: read.error }),
    });
  }
  const { args, shown } = read;
  const subject = { call, tool, shown, note: undefined, ...sentOf(read.sent) };
  if (needsJudgement(tool, scope)) {
    return judgeCall({ kind: 'decoded', args, ...subject }, scope, earlier);
  }
  const twin = earlier.twinOf(tool, shown, call.id);
  return twin === undefined ? { kind: 'ready', args, ...subject } : { kind: 'twin', of: twin, ...subject };
}
