import { offlineModel } from '../../../src/models/offline/offline-model';
import type { ModelChunk, ModelTool, ToolChoice } from '../../../src/models/model';
import type { AssistantMessage, Message } from '../../../src/types/message';

/** A tool as a suite writes it: what the model is shown, and what it does. */
export interface WorldTool extends ModelTool {
  readonly execute: (args: Record<string, unknown>) => unknown;
}

export interface Asked {
  readonly calls: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
  readonly text: string;
}

/** Asks the offline model in the plainest loop there is. */
export async function ask(tools: readonly WorldTool[], question: string, toolChoice: ToolChoice = 'auto'): Promise<Asked> {
  const model = offlineModel();
  const messages: Message[] = [{ v: 1, role: 'user', parts: [{ type: 'text', text: question }] }];
  const calls: { name: string; arguments: Record<string, unknown> }[] = [];
  const shown = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  for (let turn = 0; turn < tools.length + 2; turn++) {
    const answer = await answerOf(
      model.stream({ messages, tools: shown, toolChoice, parallelToolCalls: false, settings: {}, signal: new AbortController().signal }),
    );
    messages.push(answer);
    const call = answer.calls[0];
    const text = answer.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    if (call === undefined) return { calls, text };
    const args = JSON.parse(call.arguments) as Record<string, unknown>;
    calls.push({ name: call.name, arguments: args });
    if (toolChoice !== 'auto') return { calls, text };
    messages.push(resultOf(call.id, call.name, args, tools));
  }
  throw new Error('The model did not come to an end.');
}

function resultOf(callId: string, name: string, args: Record<string, unknown>, tools: readonly WorldTool[]): Message {
  try {
    const value = tools.find((tool) => tool.name === name)?.execute(args);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { v: 1, role: 'tool', callId, name, parts: [{ type: 'text', text }], outcome: 'ok', trust: 'trusted' };
  } catch (error) {
    return { v: 1, role: 'tool', callId, name, parts: [{ type: 'text', text: String(error) }], outcome: 'error', trust: 'trusted' };
  }
}

async function answerOf(stream: AsyncIterable<ModelChunk>): Promise<AssistantMessage> {
  let text = '';
  let ends = 0;
  const calls: { id: string; name: string; arguments: string }[] = [];
  for await (const chunk of stream) {
    if (chunk.type === 'text') text += chunk.text;
    if (chunk.type === 'end') ends += 1;
    if (chunk.type === 'call') {
      const call = (calls[chunk.index] ??= { id: '', name: '', arguments: '' });
      call.id ||= chunk.id ?? '';
      call.name ||= chunk.name ?? '';
      call.arguments += chunk.arguments ?? '';
    }
  }
  if (ends !== 1) throw new Error(`A stream must end once, this one ended ${ends} times.`);
  return { v: 1, role: 'assistant', parts: text === '' ? [] : [{ type: 'text', text }], calls };
}
