import type { ToolContext } from '../tools/tool-context';
import type { ApprovalCause } from '../types/outcome';
import type { PathStep } from '../types/run-path';
import type { CallView } from './hooks';

/** What an approver is asked. */
export interface ApprovalRequest {
  /** Set when the call is made by a run inside this one: the calls that lead there, this run's own first. */
  readonly path?: readonly PathStep[];
  /** The call with its final arguments. */
  readonly call: CallView;
  /** The tool's name for people. */
  readonly label: string;
  /** What the tool's `@Preview` method gave. */
  readonly preview?: unknown;
  /** Why there is no preview although the tool has one: it threw, or took too long. */
  readonly previewError?: string;
  readonly why: { readonly cause: ApprovalCause; readonly text: string };
  /** What in the conversation's untrusted content looks like an attempt at an injection; empty when nothing does. */
  readonly signals: readonly string[];
}

/**
 * What an approver says. `edit` sends the call through the gate again, once, with other arguments. `defer` pauses the run: somebody else
 * decides later, through `resume`; the plain data given with it comes back in the pending call, and after `expires` milliseconds the call
 * can only be denied.
 */
export type ApprovalDecision =
  | boolean
  | 'approve'
  | 'deny'
  | 'defer'
  | { readonly approve: true }
  | { readonly deny: string }
  | { readonly edit: Record<string, unknown> }
  | { readonly defer: unknown; readonly expires?: number };

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
