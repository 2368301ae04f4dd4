import type { ApprovalCause } from './outcome';
import type { PathStep } from './run-path';

/** Why a call waits: somebody must approve it, or it is executed elsewhere. */
export type WaitCause = ApprovalCause | 'external';

/** A call that waits for a decision: plain data, for whoever decides. */
export interface PendingCall {
  /** Of a call inside a run inside this one, the ids of the calls that lead there stand before its own. */
  readonly callId: string;
  /** Set for a call inside a run inside this one: the calls that lead there. */
  readonly path?: readonly PathStep[];
  /** The tool's name. */
  readonly name: string;
  readonly label: string;
  /** The final arguments: decoded, with defaults, after every hook. */
  readonly arguments: unknown;
  /** The arguments before they were decoded, where a transformation keeps `arguments` from being decoded again at the resume. */
  readonly sent?: unknown;
  /** What a decision names beside the id: it stands for this run, this call, these arguments and this question. */
  readonly digest: string;
  readonly why: { readonly cause: WaitCause; readonly text: string };
  /** What the tool's `@Preview` method gave. */
  readonly preview?: unknown;
  readonly previewError?: string;
  /** What in the conversation's untrusted content looks like an attempt at an injection. */
  readonly signals?: readonly string[];
  /** What the approver gave with `{ defer: … }`, for those who decide. */
  readonly data?: unknown;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  /** From then on the call can only be denied, or declared failed. Milliseconds since 1970. */
  readonly expiresAt?: number;
  /** Said in front of the result, where the arguments are not those that the model sent. */
  readonly note?: string;
}
