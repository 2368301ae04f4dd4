import type { RunContext } from '../tools/tool-context';

/** What a guardrail says: nothing to allow, other text, or a refusal. One that throws refuses. */
export type GuardrailDecision = void | undefined | { readonly change: string } | { readonly refuse: string };

/** Looks at a text before it goes on: may let it pass, change it, or refuse it. One that throws refuses. */
export type Guardrail<Deps = unknown> = (text: string, context: RunContext<Deps>) => GuardrailDecision | Promise<GuardrailDecision>;

/** Checks around a run: `input` on each user text before the first request, `output` on the final answer before anyone sees it. */
export interface Guardrails<Deps = unknown> {
  readonly input?: readonly Guardrail<Deps>[];
  readonly output?: readonly Guardrail<Deps>[];
}
