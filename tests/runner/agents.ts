import 'reflect-metadata';
import { Agent } from '../../src/agent/agent';
import type { AgentRunner } from '../../src/runner/agent-runner';
import { AgentConfig } from '../../src/decorators/agent-config';
import { Ctx } from '../../src/decorators/ctx';
import { Param } from '../../src/decorators/param';
import { Tool } from '../../src/decorators/tool';
import type { ToolContext } from '../../src/tools/tool-context';
import type { Message } from '../../src/types/message';
import type { RunEvent } from '../../src/types/run-event';

/** Looks things up, and changes nothing. */
@AgentConfig({ instructions: 'You look things up.' })
export class LookupAgent extends Agent {
  @Tool({ description: 'Looks a word up.', annotations: { readOnly: true } })
  lookUp(@Param('word', { type: String }) word: string): string {
    return `${word} means ${word.length}`;
  }

  @Tool({ description: 'Counts up.' })
  next(): number {
    return ++counter.value;
  }

  @Tool({ description: 'Waits for a job.', polling: true, annotations: { readOnly: true } })
  poll(): string {
    return 'still running';
  }

  @Tool({ description: 'The answer itself.', returnDirect: true, annotations: { readOnly: true } })
  direct(): string {
    return 'straight from the tool';
  }

  @Tool({ description: 'Works until it is told to stop.', annotations: { readOnly: true } })
  async work(@Ctx() context: ToolContext): Promise<string> {
    started.resolve();
    return new Promise((_, reject) => context.signal.addEventListener('abort', () => reject(context.signal.reason as Error)));
  }
}

/** State that tests look at; reset by `fresh`. */
export const counter = { value: 0 };
export let started = deferred();
export function fresh(): void {
  counter.value = 0;
  started = deferred();
}

export function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Whether each call has exactly one adjacent result, in call order. */
export function isValidTranscript(messages: readonly Message[]): boolean {
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    if (message.role === 'tool') return false;
    if (message.role !== 'assistant') continue;
    for (const call of message.calls) {
      const result = messages[++at];
      if (result?.role !== 'tool' || result.callId !== call.id) return false;
    }
  }
  return true;
}

export async function eventsOf(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

/** The texts of a message list, by role, for short comparisons. */
export function brief(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    if (message.role === 'system') return `system: ${message.text}`;
    const text = message.parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('');
    if (message.role === 'assistant')
      return `assistant: ${[text, ...message.calls.map((call) => `${call.name}(${call.arguments})`)].filter(Boolean).join(' ')}`;
    return message.role === 'tool' ? `tool ${message.outcome}: ${text}` : `user: ${text}`;
  });
}

export type AnyRunner = AgentRunner;
