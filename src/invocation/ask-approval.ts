import { errorFacts } from '../errors/error-facts';
import { shown } from '../errors/option-check';
import type { ApprovalCause } from '../types/outcome';
import type { ErrorFacts } from '../types/run-result';
import type { ApprovalDecision, ApprovalRequest } from './approval';
import type { CallSubject } from './call';
import type { CallContext } from './call-context';
import type { CallScope } from './call-scope';
import { decodeArguments } from './call-arguments';
import { viewOf } from './call-view';
import { bounded } from './deadline';
import type { BoundTool } from '../tools/tool-definition';

/** What came of asking. */
export type ApprovalVerdict =
  | { readonly says: 'approve' }
  | { readonly says: 'edit'; readonly value: Record<string, unknown> }
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
  let verdict: ApprovalVerdict;
  try {
    const request: ApprovalRequest = {
      call: viewOf(subject),
      label: subject.tool.definition.label,
      ...(await previewOf(subject, context, scope)),
      why,
      signals,
    };
    const answer = typeof approver === 'function' ? approver(request, context) : approver.approve(request, context);
    verdict = understood(await bounded(answer, 'The approver', undefined, scope.signal));
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

function understood(decision: ApprovalDecision): ApprovalVerdict {
  if (decision === true || decision === 'approve') return { says: 'approve' };
  if (decision === false || decision === 'deny') return { says: 'deny', text: refusedBy(undefined), reason: 'approval' };
  if (typeof decision === 'object' && decision !== null) {
    if ('deny' in decision && typeof decision.deny === 'string')
      return { says: 'deny', text: refusedBy(decision.deny), reason: 'approval' };
    if ('edit' in decision && typeof decision.edit === 'object' && decision.edit !== null) return { says: 'edit', value: decision.edit };
    if ('approve' in decision && decision.approve === true) return { says: 'approve' };
  }
  throw new Error(`An approver must give true, false, 'approve', 'deny', { deny: '…' } or { edit: { … } }, not ${shown(decision)}.`);
}

function refusedBy(message: string | undefined): string {
  const said = message === undefined || message === '' ? '' : `\nThey said: ${message}`;
  return `Denied: a person refused this call. It was not run. Do not try it again, and do not look for a way around it.${said}`;
}

/** What the tool would do. It is asked with arguments of its own, so it cannot change those that are run. */
async function previewOf(
  { tool, shown: asked }: CallSubject & { readonly tool: BoundTool },
  context: CallContext,
  scope: CallScope,
): Promise<{ readonly preview?: unknown; readonly previewError?: string }> {
  const { preview, behaviour } = tool.definition;
  if (preview === undefined) return {};
  try {
    const own = await decodeArguments(asked, tool);
    if (!own.ok) return { previewError: 'The arguments could not be decoded again.' };
    const ms = Math.min(behaviour.timeout ?? MAX_PREVIEW_MS, MAX_PREVIEW_MS);
    return { preview: await bounded(preview(tool.host, own.args, context), 'The preview', ms, scope.signal) };
  } catch (error) {
    scope.signal.throwIfAborted();
    return { previewError: errorFacts(error).message };
  }
}
