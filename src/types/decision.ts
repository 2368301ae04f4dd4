/** What is decided about a call that waits. */
export type DecisionAnswer =
  | { readonly approve: true }
  /** The reason is told to the model; it may be empty. */
  | { readonly deny: string }
  /** Other arguments, which pass the gate again; nobody is asked a second time. */
  | { readonly edit: { readonly [key: string]: unknown } }
  /** For an `external` tool: what it gave. */
  | { readonly result: unknown }
  /** For an `external` tool: why it failed. */
  | { readonly failure: string };

/**
 * A decision, bound to one call of one run, with its arguments: plain data that may travel. Make it with `decide`.
 * @example { callId: 'call_1', name: 'send_mail', digest: 'e3b0…', approve: true }
 */
export type Decision = DecisionTarget & DecisionAnswer;

/** Which call a decision is about; each of the three must fit. */
export interface DecisionTarget {
  readonly callId: string;
  readonly name: string;
  readonly digest: string;
}

/**
 * Decides about a pending call.
 * @example runner.resume(MailAgent, snapshot, { decisions: pending.map((call) => decide(call, 'approve')) })
 */
export function decide(call: DecisionTarget, answer: 'approve' | 'deny' | DecisionAnswer): Decision {
  const { callId, name, digest } = call;
  const said = answer === 'approve' ? { approve: true as const } : answer === 'deny' ? { deny: '' } : answer;
  return { callId, name, digest, ...said };
}
