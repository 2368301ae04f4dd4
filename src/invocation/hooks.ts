import type { ToolContext } from '../tools/tool-context';
import type { ToolResult } from '../tools/tool-result';
import type { ToolAnnotations } from '../tools/tool-options';
import type { ToolCallRecord } from '../types/run-result';

/** A call as hooks, policies and approvers see it. */
export interface CallView {
  readonly id: string;
  /** The tool's name; of a call of no known tool, the name that the model used. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly tags: readonly string[];
  /** The decoded arguments as plain data. Changing this object changes nothing; return new arguments instead. */
  readonly arguments: unknown;
  /** The class and the method behind the tool, for reading one's own decorators' metadata; absent for tools that are values. */
  readonly target: { readonly cls: Function; readonly method: string } | undefined;
}

/** What `beforeTool` may say: nothing, a refusal, or other arguments, which are decoded and judged anew. */
export type BeforeToolDecision = void | undefined | { readonly deny: string } | { readonly arguments: Record<string, unknown> };

/** Hooks around each call. A `beforeTool` or `onToolStart` that throws refuses the call. */
export interface ToolHooks<Deps = unknown> {
  /** Before the policies and before anybody is asked; see `BeforeToolDecision`. */
  beforeTool?(call: CallView, context: ToolContext<Deps>): BeforeToolDecision | Promise<BeforeToolDecision>;
  /**
   * Told right before the execution, once for all its attempts: everything is decided, the arguments are final. For what has to be done before
   * the tool acts, such as a line in a log.
   */
  onToolStart?(call: CallView, context: ToolContext<Deps>): void | Promise<void>;
  /** Sees every outcome, refusals included; a value that is returned replaces what the model is told. */
  afterTool?(
    call: CallView,
    result: ToolCallRecord,
    context: ToolContext<Deps>,
  ): void | undefined | ToolResult | string | Promise<void | undefined | ToolResult | string>;
}
