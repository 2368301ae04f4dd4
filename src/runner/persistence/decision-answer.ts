import { isRecord, shown } from '../../errors/option-check';
import type { PendingCall } from '../../types/pending-call';

/** The words of which a decision says one. */
export const ANSWERS: readonly string[] = ['approve', 'deny', 'edit', 'result', 'failure'];

/** What is wrong with an answer to this call, if anything. */
export function answerFault(word: string, value: unknown, call: PendingCall, now: number): string | undefined {
  const isExternal = call.why.cause === 'external';
  const { callId, name } = call;
  if (isExternal && (word === 'approve' || word === 'edit'))
    return `the call ${callId} needs no approval: \`${name}\` is executed elsewhere. Give its \`result\` or its \`failure\`, or deny it.`;
  if (!isExternal && (word === 'result' || word === 'failure'))
    return `the call ${callId} waits for approval, and \`${name}\` is executed here: it cannot be given a ${word}. Approve, edit or deny it.`;
  if (word === 'approve' && value !== true) return `\`approve\` can only be true, not ${shown(value)}; to refuse, write \`deny: '…'\`.`;
  if ((word === 'deny' || word === 'failure') && typeof value !== 'string') return `\`${word}\` must be a text, not ${shown(value)}.`;
  if (word === 'edit' && !isRecord(value)) return `\`edit\` must be an object of arguments, not ${shown(value)}.`;
  if (call.expiresAt !== undefined && now >= call.expiresAt && word !== 'deny' && word !== 'failure')
    return `the question about the call ${callId} expired at ${new Date(call.expiresAt).toISOString()}. It can only be denied${isExternal ? ', or declared failed' : ''}.`;
  return undefined;
}
