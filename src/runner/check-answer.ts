import type { Guardrail } from '../agent/guardrails';
import type { RequestedCall } from '../invocation/call';
import type { AssistantMessage } from '../types/message';
import { guardText, type Guarding } from './guardrail';
import { readAttempt, type OutputAttempt } from './read-answer';
import type { OutputPlan } from './structured-output';
import { textOf } from './transcript';

/** An answer with what it says as final output. */
export interface CheckableAnswer {
  readonly message: AssistantMessage;
  readonly calls: readonly RequestedCall[];
  readonly attempts: readonly OutputAttempt[];
}

/**
 * The output guardrails over what would be the run's answer: the text of an answer without calls, or its valid output.
 * What they change is read anew; what they refuse leaves no text behind.
 */
export async function checkAnswer(
  answer: CheckableAnswer,
  guardrails: readonly Guardrail[],
  plan: OutputPlan | undefined,
  run: Guarding,
): Promise<CheckableAnswer & { readonly refusal: string | undefined }> {
  const { message, calls, attempts } = answer;
  const unchanged = { ...answer, refusal: undefined };
  const final = attempts.find((attempt) => attempt.ok);
  if (calls.length > 0 && final === undefined) return unchanged;
  const text = calls.length === 0 ? textOf(message.parts) : (final?.source ?? '');

  const guarded = await guardText(text, guardrails, run);
  if (!guarded.passed) return { message: withheld(message), calls, attempts: [], refusal: guarded.refusal };
  if (guarded.value === text) return unchanged;

  const at = calls.length === 0 ? -1 : (final?.index ?? -1);
  const changed = plan === undefined ? undefined : await readAttempt(plan, at, guarded.value);
  return {
    message: at < 0 ? { ...message, parts: [{ type: 'text', text: guarded.value }] } : withArguments(message, at, guarded.value),
    calls: calls.map((call) => (call.index === at ? { ...call, arguments: guarded.value } : call)),
    attempts: changed === undefined ? [] : attempts.map((attempt) => (attempt.index === at ? changed : attempt)),
    refusal: undefined,
  };
}

function withArguments(message: AssistantMessage, at: number, text: string): AssistantMessage {
  return { ...message, calls: message.calls.map((call, index) => (index === at ? { ...call, arguments: text } : call)) };
}

/** The message without what no guardrail has seen: text and reasoning beside calls are no answer, and are not shown. */
export function withheld(message: AssistantMessage): AssistantMessage {
  return { v: 1, role: 'assistant', parts: [], calls: message.calls };
}
