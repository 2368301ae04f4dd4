import { withoutSecrets } from './redaction';

/** Tags by which HTML loads something by itself, or runs it. */
const LOADING_TAG =
  /<(?=\/?(?:img|image|picture|iframe|frame|frameset|script|object|embed|applet|link|svg|math|video|audio|track|source|base|meta|style|form|input|body|table|td|th)\b)/gi;

/**
 * An output guardrail for answers that are rendered as Markdown or HTML: nothing in them loads by itself, so that an answer cannot carry anything
 * out by being looked at, and registered secrets are redacted. `![` becomes `!\[`, also in code, and tags that load become text.
 * @example `@AgentConfig({ guardrails: { output: [inertOutput] } })`
 */
export function inertOutput(text: string): { readonly change: string } | undefined {
  const inert = withoutSecrets(text).replaceAll('![', '!\\[').replace(LOADING_TAG, '&lt;');
  return inert === text ? undefined : { change: inert };
}
