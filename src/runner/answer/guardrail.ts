import type { Guardrail } from '../../agent/guardrails';
import { errorText } from '../../errors/error-facts';
import type { RunContext } from '../../tools/tool-context';
import type { Message, Part, UserMessage } from '../../types/message';
import type { HostTime } from '../signals/host-time';

/** What guardrails see of the run, and how long they are waited for. */
export interface Guarding {
  readonly view: RunContext;
  readonly host: HostTime;
}

/** A text after its guardrails: as it may pass, or why it may not. */
export type Guarded<T> = { readonly passed: true; readonly value: T } | { readonly passed: false; readonly refusal: string };

/** Asks each guardrail in order; each sees what the one before it left. One that throws refuses. */
export async function guardText(text: string, guardrails: readonly Guardrail[], { view, host }: Guarding): Promise<Guarded<string>> {
  let value = text;
  for (const guardrail of guardrails) {
    try {
      const decision = await host.wait(guardrail(value, view));
      if (decision === undefined) continue;
      if ('refuse' in decision) return { passed: false, refusal: String(decision.refuse) };
      if (typeof decision.change !== 'string') return { passed: false, refusal: 'A guardrail gave a change that is no text.' };
      value = decision.change;
    } catch (error) {
      return { passed: false, refusal: `A guardrail failed: ${errorText(error)}` };
    }
  }
  return { passed: true, value };
}

/** The messages with each text of a person guarded; all else stays as it is. */
export async function guardMessages<M extends Message>(
  messages: readonly M[],
  guardrails: readonly Guardrail[],
  run: Guarding,
): Promise<Guarded<readonly M[]>> {
  if (guardrails.length === 0) return { passed: true, value: messages };
  const guarded: M[] = [];
  for (const message of messages) {
    if (message.role !== 'user') {
      guarded.push(message);
      continue;
    }
    const parts = await guardParts(message, guardrails, run);
    if (!parts.passed) return parts;
    guarded.push({ ...message, parts: parts.value });
  }
  return { passed: true, value: guarded };
}

async function guardParts(message: UserMessage, guardrails: readonly Guardrail[], run: Guarding): Promise<Guarded<readonly Part[]>> {
  const parts: Part[] = [];
  for (const part of message.parts) {
    if (part.type !== 'text') {
      parts.push(part);
      continue;
    }
    const text = await guardText(part.text, guardrails, run);
    if (!text.passed) return text;
    parts.push(text.value === part.text ? part : { type: 'text', text: text.value });
  }
  return { passed: true, value: parts };
}
