import type { ApprovalDecision, ApprovalRequest } from 'toolwright';

/** Asks a person one question and gives their answer. */
export type Ask = (question: string) => Promise<string>;

/** An approver for a terminal: it shows what would be done, and takes y, n, or a reason why not. */
export function terminalApprover(ask: Ask, write: (text: string) => void) {
  return async ({ label, preview, previewError, why }: ApprovalRequest): Promise<ApprovalDecision> => {
    write(`\n${label}: ${why.text}\n${shown(preview ?? previewError ?? '(no preview)')}\n`);
    const answer = (await ask('Do it? [y/n, or why not] ')).trim();
    if (/^y(es)?$/i.test(answer)) return true;
    return /^(no?)?$/i.test(answer) ? false : { deny: answer };
  };
}

/** What a model wrote must not steer the terminal. */
function shown(preview: unknown): string {
  const text = typeof preview === 'string' ? preview : (JSON.stringify(preview, undefined, 2) ?? '');
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�');
}
