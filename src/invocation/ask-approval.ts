import { errorFacts, errorText } from '../errors/error-facts';
import { shown } from '../errors/option-check';
import type { ApprovalCause } from '../types/outcome';
import type { ErrorFacts } from '../types/run-result';
import type { ApprovalDecision, ApprovalRequest } from './approval';
import type { CallSubject } from './call';
import type { CallContext } from './call-context';
import type { CallScope } from './call-scope';
import type { DeferralFacts } from './deferred-call';
import { copyPlain } from './plain-data';
import { decodeAgain } from './call-arguments';
import { viewOf } from './call-view';
import { bounded } from './deadline';
import type { BoundTool } from '../tools/tool-definition';

/** What came of asking. */
export type ApprovalVerdict =
  | { readonly says: 'approve' }
  | { readonly says: 'edit'; readonly value: Record<string, unknown> }
  | { readonly says: 'defer'; readonly facts: DeferralFacts }
  | { readonly says: 'deny'; readonly text: string; readonly reason: 'approval' | 'approval_unavailable'; readonly error?: ErrorFacts };

const UNAVAILABLE =
  'Denied: this call needs the approval of a person, and nobody can be asked here. It was not run. Do not repeat it; go on without it, or say what you would have done.';
const FAILED = 'Denied: this call needs approval, and asking for it failed. It was not run. Do not repeat it; go on without it.';
const MAX_PREVIEW_MS = 10_000;

/**
 * Asks the approver.
 * @throws the signal's reason, when the run aborts while somebody thinks
 */
export async function askApproval(
  subject: CallSubject & { readonly tool: BoundTool },
  why: { readonly cause: ApprovalCause; readonly text: string },
  signals: readonly string[],
  context: CallContext,
  scope: CallScope,
): Promise<ApprovalVerdict> {
  const { approver } = scope;
  if (approver === undefined) return { says: 'deny', text: UNAVAILABLE, reason: 'approval_unavailable' };
  const callId = subject.call.id;
  scope.emit({ type: 'tool.approval', callId, why, ...(signals.length > 0 && { signals }) });
  let verdict: Decided;
  try {
    const preview = await previewOf(subject, context, scope);
    const request: ApprovalRequest = {
      call: viewOf(subject),
      label: subject.tool.definition.label,
      ...preview,
      why,
      signals,
    };
    const answer = typeof approver === 'function' ? approver(request, context) : approver.approve(request, context);
    const decision = await bounded(answer, 'The approver', undefined, scope.signal);
    const deferral = deferralOf(decision);
    if (deferral !== undefined) return { says: 'defer', facts: { why, signals, ...preview, ...deferral } };
    verdict = understood(decision);
  } catch (error) {
    scope.signal.throwIfAborted();
    verdict = { says: 'deny', text: FAILED, reason: 'approval', error: errorFacts(error) };
  }
  scope.emit({
    type: 'tool.approval',
    callId,
    decision: verdict.says,
    ...(verdict.says === 'deny' ? { reason: verdict.text } : undefined),
  });
  return verdict;
}

/** What the approver gave along when it leaves the decision to somebody else; `undefined` when it decided. */
function deferralOf(decision: ApprovalDecision): Pick<DeferralFacts, 'data' | 'expires'> | undefined {
  if (decision === 'defer') return {};
  if (typeof decision !== 'object' || decision === null || !('defer' in decision) || !saysOneThing(decision)) return undefined;
  const { defer: given, expires } = decision;
  const data = copyPlain(given);
  if (!data.ok) throw new Error(`What an approver defers with must be plain data: ${data.problem}${data.path && ` (at ${data.path})`}.`);
  if (expires !== undefined && !(Number.isFinite(expires) && expires > 0))
    throw new Error(`\`expires\` must be milliseconds, more than 0, not ${shown(expires)}.`);
  return { data: data.value, expires };
}

type Decided = Exclude<ApprovalVerdict, { readonly says: 'defer' }>;

function understood(decision: ApprovalDecision): Decided {
  if (decision === true || decision === 'approve') return { says: 'approve' };
  if (decision === false || decision === 'deny') return { says: 'deny', text: refusedBy(undefined), reason: 'approval' };
  if (typeof decision === 'object' && decision !== null && saysOneThing(decision)) {
    if ('deny' in decision && typeof decision.deny === 'string')
      return { says: 'deny', text: refusedBy(decision.deny), reason: 'approval' };
    if ('edit' in decision && typeof decision.edit === 'object' && decision.edit !== null) return { says: 'edit', value: decision.edit };
    if ('approve' in decision && decision.approve === true) return { says: 'approve' };
  }
  throw new Error(
    `An approver must give true, false, 'approve', 'deny', 'defer', { deny: '…' }, { edit: { … } } or { defer: … }, not ${shown(decision)}.`,
  );
}

const ANSWERS = ['approve', 'deny', 'edit', 'defer'];

/** An answer that says two things, such as yes and no, or something that nobody knows, such as other arguments under a wrong name, says nothing. */
function saysOneThing(decision: object): boolean {
  const isKnown = (key: string): boolean => ANSWERS.includes(key) || (key === 'expires' && 'defer' in decision);
  return ANSWERS.filter((key) => key in decision).length === 1 && Object.keys(decision).every(isKnown);
}

/** What the model is told of a person's no. */
export function refusedBy(message: string | undefined): string {
  const said = message === undefined || message === '' ? '' : `\nThey said: ${message}`;
  return `Denied: a person refused this call. It was not run. Do not try it again, and do not look for a way around it.${said}`;
}

/** What the tool would do. It is asked with arguments of its own, so it cannot change those that are run. */
async function previewOf(
  subject: CallSubject & { readonly tool: BoundTool },
  context: CallContext,
  scope: CallScope,
): Promise<{ readonly preview?: unknown; readonly previewError?: string }> {
  const { tool } = subject;
  const { preview, behaviour } = tool.definition;
  if (preview === undefined) return {};
  try {
    const own = await decodeAgain(subject, tool, scope);
    if (!own.ok) return { previewError: 'The arguments could not be decoded again.' };
    const ms = Math.min(behaviour.timeout ?? MAX_PREVIEW_MS, MAX_PREVIEW_MS);
    return { preview: await bounded(preview(tool.host, own.args, context), 'The preview', ms, scope.signal) };
  } catch (error) {
    scope.signal.throwIfAborted();
    return { previewError: errorText(error) };
  }
}
