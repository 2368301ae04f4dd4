import type { ToolContext } from '../tools/tool-context';
import type { ApprovalCause } from '../types/outcome';
import type { CallView } from './hooks';

export interface ApprovalRequest {
  /** The call with its final arguments. */
  readonly call: CallView;
  readonly label: string;
  /** What the tool's `@Preview` method gave. */
  readonly preview?: unknown;
  /** Why there is no preview although the tool has one: it threw, or took too long. */
  readonly previewError?: string;
  readonly why: { readonly cause: ApprovalCause; readonly text: string };
  /** What in the conversation's untrusted content looks like an attempt at an injection; empty when nothing does. */
  readonly signals: readonly string[];
}

/** What an approver says. `edit` sends the call through the gate again, once, with other arguments. */
export type ApprovalDecision =
  boolean | 'approve' | 'deny' | { readonly approve: true } | { readonly deny: string } | { readonly edit: Record<string, unknown> };

/** Decides on calls that need approval. One that throws refuses the call. */
export type ApproverFunction<Deps = unknown> = (
  request: ApprovalRequest,
  context: ToolContext<Deps>,
) => ApprovalDecision | Promise<ApprovalDecision>;

/** An approver as a service. */
export interface ApproverService<Deps = unknown> {
  approve(request: ApprovalRequest, context: ToolContext<Deps>): ApprovalDecision | Promise<ApprovalDecision>;
}

/** A function, or an object with `approve`. */
export type Approver<Deps = unknown> = ApproverFunction<Deps> | ApproverService<Deps>;
