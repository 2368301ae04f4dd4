import type { ToolContext } from '../tools/tool-context';
import type { CallView } from './hooks';

/** What a policy says of a call: nothing (`undefined`), let it pass, ask a person, or refuse. A denial always wins, then a question. */
export type PolicyDecision = void | undefined | 'allow' | 'ask' | 'deny' | { readonly deny: string };

/** A predicate over calls. One that throws refuses the call. */
export type PolicyFunction<Deps = unknown> = (call: CallView, context: ToolContext<Deps>) => PolicyDecision | Promise<PolicyDecision>;

/** Rules by name, tag or annotation; the first list that matches, denials first, decides. */
export interface PolicyRules {
  readonly deny?: readonly CallMatcher[];
  readonly ask?: readonly CallMatcher[];
  readonly allow?: readonly CallMatcher[];
}

/** A tool's name, or the tags or annotations that it must have. */
export type CallMatcher =
  | string
  | {
      readonly name?: string;
      readonly tag?: string;
      readonly readOnly?: boolean;
      readonly destructive?: boolean;
      readonly idempotent?: boolean;
      readonly openWorld?: boolean;
    };

/** What may be called: rules, or a function of the call. */
export type Policy<Deps = unknown> = PolicyRules | PolicyFunction<Deps>;
