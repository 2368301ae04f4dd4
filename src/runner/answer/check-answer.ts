import type { Guardrail } from '../../agent/guardrails';
import { transcriptArguments } from '../../invocation/argument-text';
import type { RequestedCall } from '../../invocation/call';
import type { AssistantMessage, MessageCall } from '../../types/message';
import { guardText, type Guarding } from './guardrail';
import { readAttempt, type Checking, type OutputAttempt } from './read-answer';
import type { OutputPlan } from './structured-output';
import { textOf } from '../conversation/transcript';

/** An answer with what it says as final output. */
export interface CheckableAnswer {
  readonly message: AssistantMessage;
  readonly calls: readonly RequestedCall[];
  readonly attempts: readonly OutputAttempt[];
}

/**
 * The output guardrails over all that gives the run's answer: its text, and the arguments of each call of the output tool. What they change
 * is read anew; what they refuse leaves no text behind.
 * @param isAnswer whether the text is the answer, rather than what is said beside calls
 * @param outputTool the name of the tool that the final answer is given by, where it is
 */
export async function checkAnswer(
  answer: CheckableAnswer,
  isAnswer: boolean,
  guardrails: readonly Guardrail[],
  plan: OutputPlan | undefined,
  outputTool: string | undefined,
  run: Guarding & Checking,
): Promise<CheckableAnswer & { readonly refusal: string | undefined }> {
  const { message, calls } = answer;
  const given = calls.filter((call) => call.name === outputTool);
  const isSaid = isAnswer && (calls.length === 0 || message.parts.length > 0);
  const texts = isSaid ? [{ index: -1, arguments: textOf(message.parts) }, ...given] : given;
  let checked = answer;
  for (const { index, arguments: text } of texts) {
    const guarded = await guardText(text, guardrails, run);
    if (!guarded.passed) return { ...refused(answer, outputTool), refusal: guarded.refusal };
    if (guarded.value !== text) checked = await changed(checked, index, guarded.value, plan, run);
  }
  return { ...checked, refusal: undefined };
}

async function changed(
  { message, calls, attempts }: CheckableAnswer,
  at: number,
  text: string,
  plan: OutputPlan | undefined,
  run: Checking,
): Promise<CheckableAnswer> {
  const anew = plan === undefined ? undefined : await readAttempt(plan, at, text, run);
  return {
    message:
      at < 0
        ? { ...message, parts: [{ type: 'text', text }] }
        : withArguments(message, (_, index) => index === at, transcriptArguments(text)),
    calls: calls.map((one) => (one.index === at ? { ...one, arguments: text } : one)),
    attempts: attempts.map((attempt) => (attempt.index === at && anew !== undefined ? anew : attempt)),
  };
}

function refused({ message, calls }: CheckableAnswer, outputTool: string | undefined): CheckableAnswer {
  return {
    message: withheld(withArguments(message, ({ name }) => name === outputTool, '{}')),
    calls: calls.map((call) => (call.name === outputTool ? { ...call, arguments: '{}' } : call)),
    attempts: [],
  };
}

function withArguments(message: AssistantMessage, which: (call: MessageCall, index: number) => boolean, text: string): AssistantMessage {
  return { ...message, calls: message.calls.map((call, index) => (which(call, index) ? { ...call, arguments: text } : call)) };
}

/** The message without what no guardrail has seen: text and reasoning beside calls are no answer, and are not shown. */
export function withheld(message: AssistantMessage): AssistantMessage {
  return { v: 1, role: 'assistant', parts: [], calls: message.calls };
}
