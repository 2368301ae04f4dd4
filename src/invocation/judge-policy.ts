import { shown } from '../errors/option-check';
import type { ToolAnnotations } from '../tools/tool-options';
import type { ToolContext } from '../tools/tool-context';
import type { CallView } from './hooks';
import type { CallMatcher, Policy, PolicyDecision } from './policy';

/** What all policies together say. */
export type PolicyVerdict = { readonly says: 'nothing' | 'allow' | 'ask' } | { readonly says: 'deny'; readonly text: string | undefined };

/**
 * Asks every policy: a denial wins over a question, a question over a permission.
 * @throws what a policy throws, and an error for a decision or a rule that cannot be understood; the caller refuses the call
 */
export async function judgePolicies(
  policies: readonly Policy[],
  view: () => CallView,
  context: ToolContext,
  wait: <T>(work: T | PromiseLike<T>) => T | Promise<T>,
): Promise<PolicyVerdict> {
  let says: 'nothing' | 'allow' | 'ask' = 'nothing';
  for (const policy of policies) {
    const decision: PolicyDecision = typeof policy === 'function' ? await wait(policy(view(), context)) : byRules(policy, view());
    if (decision === undefined) continue;
    if (decision === 'deny') return { says: 'deny', text: undefined };
    if (typeof decision === 'object' && decision !== null && typeof decision.deny === 'string')
      return { says: 'deny', text: decision.deny };
    if (decision !== 'ask' && decision !== 'allow')
      throw new Error(`A policy must give 'allow', 'ask', 'deny', { deny: '…' } or nothing, not ${shown(decision)}.`);
    if (says !== 'ask') says = decision;
  }
  return { says };
}

function byRules(rules: Exclude<Policy, (...args: never[]) => unknown>, view: CallView): PolicyDecision {
  for (const decision of ['deny', 'ask', 'allow'] as const) {
    if (rules[decision]?.some((matcher) => matches(matcher, view)) === true) return decision;
  }
  return undefined;
}

/** What annotations mean where they are not set: a tool that may change things, not destructive, not idempotent, open. */
function meant({ readOnly, destructive, idempotent, openWorld }: ToolAnnotations): Record<string, boolean> {
  return {
    readOnly: readOnly === true,
    destructive: destructive === true,
    idempotent: idempotent === true,
    openWorld: openWorld !== false,
  };
}

function matches(matcher: CallMatcher, view: CallView): boolean {
  if (typeof matcher === 'string') return matcher === view.name;
  const wanted = Object.entries(matcher).filter(([, value]) => value !== undefined);
  if (wanted.length === 0) throw new Error(`A rule of a policy is empty, so it is not clear which calls it means. Write a tool's name.`);
  const annotations = meant(view.annotations);
  return wanted.every(([key, value]) => {
    if (key === 'name') return value === view.name;
    if (key === 'tag') return view.tags.includes(value as string);
    if (!Object.hasOwn(annotations, key)) throw new Error(`A rule of a policy has the unknown key ${shown(key)}.`);
    return annotations[key] === value;
  });
}
