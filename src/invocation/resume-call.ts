import { errorFacts } from '../errors/error-facts';
import type { BoundTool } from '../tools/tool-definition';
import type { DecisionAnswer } from '../types/decision';
import type { PendingCall } from '../types/pending-call';
import { refusedBy } from './ask-approval';
import type { BatchProgress, BegunCall, InsideRun } from './batch-progress';
import type { CallResult, CallSubject, ReadyCall, RequestedCall, Settlement } from './call';
import { decodeAgain, sentOf } from './call-arguments';
import { findTool } from './call-name';
import type { CallScope } from './call-scope';
import { contractFingerprint } from './contract-fingerprint';
import { deferIfExternal, type DeferredCall } from './deferred-call';
import type { EarlierCalls } from './earlier-calls';
import { judgeApproved, judgeEdited } from './judge-call';
import { idInside, WaitingInside } from './inside-run';
import type { MaybePromise } from './maybe-promise';
import { admit } from './prepare';
import { refuse, type RefusedCall } from './refusal';

/** A call whose settlement came from elsewhere. */
export interface AnsweredCall extends CallSubject {
  readonly kind: 'answered';
  readonly settlement: Settlement;
}

/** A call that had its result before the batch was interrupted. */
export interface SettledBefore {
  readonly kind: 'settled';
  readonly tool: BoundTool | undefined;
  readonly result: CallResult;
}

type Decided = ReadyCall | RefusedCall | AnsweredCall | DeferredCall;

/** A call of a batch that goes on after an interruption; `undefined` when nothing had happened to it yet. */
export function resumeCall(
  call: RequestedCall,
  progress: BatchProgress,
  scope: CallScope,
  earlier: EarlierCalls,
): MaybePromise<Decided | SettledBefore> | undefined {
  const result = progress.results.find(({ record }) => record.id === call.id);
  const pending = progress.waiting.find(({ callId }) => callId === call.id);
  const begun = progress.begun.find(({ callId }) => callId === call.id);
  const inside = progress.inside?.find(({ callId }) => callId === call.id);
  const name =
    result?.record.name ?? pending?.name ?? inside?.name ?? begun?.name ?? findTool(call.name, scope.tools)?.definition.name ?? call.name;
  const tool = scope.tools.get(name);
  // A repetition is recognised by the call that it repeats, also by one that lies before the interruption.
  if (tool !== undefined && (result ?? pending ?? begun) !== undefined)
    earlier.twinOf(tool, result?.record.arguments ?? pending?.arguments ?? begun?.arguments, call.id);
  if (result !== undefined) return { kind: 'settled', tool, result };

  const shownOf = progress.contracts.find(([known]) => known === name)?.[1];
  const stale =
    shownOf === undefined
      ? undefined
      : tool === undefined
        ? 'gone'
        : shownOf === contractFingerprint(tool.definition)
          ? undefined
          : 'changed';
  if (inside !== undefined && tool !== undefined && stale === undefined) return prepareInside(call, inside, tool, progress, scope);
  if (begun !== undefined) return prepareCutOff(call, begun, stale === undefined ? tool : undefined, scope);
  if (stale !== undefined) {
    if (pending === undefined) scope.emit({ type: 'tool.request', callId: call.id, name: call.name, arguments: call.arguments });
    return refuseStale(call, pending?.arguments ?? call.arguments, stale, name, scope);
  }
  if (pending === undefined || tool === undefined) return undefined;
  const answer = progress.answers.find(([callId]) => callId === call.id)?.[1];
  if (answer === undefined)
    return { kind: 'deferred', call, tool, shown: pending.arguments, ...sentOf(pending.sent), note: pending.note, pending };
  return prepareDecided(call, pending, answer, tool, scope, earlier);
}

/** A call that waited, with what was decided about it. Nobody is asked again; policies still hold. */
async function prepareDecided(
  call: RequestedCall,
  pending: PendingCall,
  answer: DecisionAnswer,
  tool: BoundTool,
  scope: CallScope,
  earlier: EarlierCalls,
): Promise<Decided> {
  const subject = { call, tool, shown: pending.arguments, note: pending.note };
  if ('result' in answer) return answered(subject, { outcome: 'ok', value: answer.result }, scope);
  if ('failure' in answer) return answered(subject, { outcome: 'error', value: `Error: ${answer.failure}` }, scope);
  tell(call, answer, scope);
  if ('deny' in answer) return refuse(subject, 'denied', refusedBy(answer.deny), scope, { reason: 'approval' });

  const refusal = await admit(subject, tool, scope, earlier);
  if (refusal !== undefined) return refusal;
  const read = await decodeAgain({ shown: pending.arguments, ...sentOf(pending.sent) }, tool, scope);
  if (!read.ok) return refuse(subject, 'invalid', changedText(tool.definition.name), scope);
  const decoded = { kind: 'decoded', ...subject, ...sentOf(pending.sent), tool, args: read.args } as const;
  const judged = 'edit' in answer ? await judgeEdited(decoded, answer.edit, scope, earlier) : await judgeApproved(decoded, scope);
  return judged.kind === 'twin' ? refuse(subject, 'denied', refusedBy(undefined), scope) : deferIfExternal(judged, scope);
}

/** A call whose agent waited: it goes on as soon as anything of that is decided. What it was asked about itself is settled. */
async function prepareInside(
  call: RequestedCall,
  inside: InsideRun,
  tool: BoundTool,
  progress: BatchProgress,
  scope: CallScope,
): Promise<Decided> {
  const subject = { call, tool, shown: inside.arguments, ...sentOf(inside.sent), note: inside.note };
  const own = progress.waiting.filter(({ callId }) => idInside(call.id, callId) !== undefined);
  const isDecided = progress.answers.some(([callId]) => own.some((one) => one.callId === callId));
  const [pending] = own;
  if (!isDecided && pending !== undefined) return { kind: 'deferred', ...subject, pending, inside: new WaitingInside(own, inside.run) };
  const read = await decodeAgain(subject, tool, scope);
  if (!read.ok) return refuse(subject, 'invalid', changedText(tool.definition.name), scope);
  return { kind: 'ready', ...subject, args: read.args };
}

/** A call that was cut off with its process: once more where that does no harm, else its outcome is unknown. */
async function prepareCutOff(call: RequestedCall, begun: BegunCall, tool: BoundTool | undefined, scope: CallScope): Promise<Decided> {
  const subject = { call, tool, shown: begun.arguments, note: begun.note };
  const { readOnly, idempotent } = tool?.definition.behaviour.annotations ?? {};
  if (tool !== undefined && (readOnly === true || idempotent === true)) {
    const read = await decodeAgain({ shown: begun.arguments, ...sentOf(begun.sent) }, tool, scope);
    if (read.ok) return { kind: 'ready', ...subject, ...sentOf(begun.sent), tool, args: read.args };
  }
  const settlement: Settlement = { ...refuse(subject, 'unsettled', CUT_OFF, scope).settlement, attempts: 1 };
  return { ...subject, kind: 'answered', settlement };
}

const CUT_OFF =
  'Outcome unknown: the process stopped while this call was running, so it may or may not have taken effect. Do not simply call it again: check first.';

/** A call whose tool is not what the model was shown any more. */
function refuseStale(call: RequestedCall, shown: unknown, how: 'gone' | 'changed', name: string, scope: CallScope): RefusedCall {
  const tool = how === 'gone' ? undefined : scope.tools.get(name);
  const subject: CallSubject = { call, tool, shown, note: undefined };
  return how === 'gone'
    ? refuse(subject, 'unknown', `The tool \`${name}\` was removed while this call waited. It was not run. Go on without it.`, scope)
    : refuse(subject, 'invalid', changedText(name), scope);
}

const changedText = (name: string): string =>
  `The parameters of \`${name}\` were changed while this call waited, so it was not run. If it is still wanted, call it again with arguments that fit its present schema.`;

function answered(subject: CallSubject, said: { outcome: 'ok' | 'error'; value: unknown }, scope: CallScope): AnsweredCall {
  const now = scope.environment.now();
  const { error } = said.outcome === 'error' ? { error: errorFacts(new Error(String(said.value))) } : {};
  const facts = error === undefined ? {} : { error: { ...error, name: 'ToolFailure' } };
  return { ...subject, kind: 'answered', settlement: { ...said, fromTool: true, attempts: 1, startedAt: now, endedAt: now, ...facts } };
}

function tell({ id }: RequestedCall, answer: DecisionAnswer, scope: CallScope): void {
  const decision = 'approve' in answer ? 'approve' : 'edit' in answer ? 'edit' : 'deny';
  const reason = 'deny' in answer && answer.deny !== '' ? { reason: answer.deny } : undefined;
  scope.emit({ type: 'tool.approval', callId: id, decision, ...reason });
}
