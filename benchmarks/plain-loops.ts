import type OpenAI from 'openai';
import type { Model, ModelTool } from 'toolwright';

type Call = { id: string; name: string; arguments: string };
type Execute = (city: string) => unknown;

const WEATHER: ModelTool = {
  name: 'current_weather',
  description: 'Current weather for a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'City name' } },
    required: ['city'],
    additionalProperties: false,
  },
};

/** The loop one would write by hand over an in-process model. */
export async function plainModelLoop(model: Model, execute: Execute, question: string): Promise<string> {
  const messages: unknown[] = [{ v: 1, role: 'user', parts: [{ type: 'text', text: question }] }];
  for (let turn = 0; turn < 60; turn++) {
    let text = '';
    const calls: Call[] = [];
    const request = {
      messages: messages as never,
      tools: [WEATHER],
      toolChoice: 'auto' as const,
      parallelToolCalls: false,
      settings: {},
      signal: new AbortController().signal,
    };
    for await (const chunk of model.stream(request)) {
      if (chunk.type === 'text') text += chunk.text;
      else if (chunk.type === 'call') {
        const call = (calls[chunk.index] ??= { id: '', name: '', arguments: '' });
        call.id ||= chunk.id ?? '';
        call.name ||= chunk.name ?? '';
        call.arguments += chunk.arguments ?? '';
      }
    }
    messages.push({ v: 1, role: 'assistant', parts: text === '' ? [] : [{ type: 'text', text }], calls });
    if (calls.length === 0) return text;
    for (const call of calls) {
      const value = await execute((JSON.parse(call.arguments) as { city: string }).city);
      messages.push({
        v: 1,
        role: 'tool',
        callId: call.id,
        name: call.name,
        parts: [{ type: 'text', text: JSON.stringify(value) }],
        outcome: 'ok',
        trust: 'trusted',
      });
    }
  }
  throw new Error('The loop did not end.');
}

export type PlainTool = OpenAI.Chat.Completions.ChatCompletionTool;

export const PLAIN_WEATHER: PlainTool = {
  type: 'function',
  function: { name: WEATHER.name, description: WEATHER.description, parameters: WEATHER.parameters, strict: true },
};

/** The loop one would write by hand over the `openai` package. */
export async function plainOpenAILoop(
  client: OpenAI,
  tools: PlainTool[],
  execute: Execute,
  question: string,
  parallel = false,
): Promise<string> {
  const messages: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You answer questions about the weather.' },
    { role: 'user', content: question },
  ];
  for (let turn = 0; turn < 60; turn++) {
    const stream = await client.chat.completions.create({
      model: 'm',
      messages,
      tools,
      parallel_tool_calls: parallel,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    const calls: Call[] = [];
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta;
      if (delta?.content) text += delta.content;
      for (const part of delta?.tool_calls ?? []) {
        const call = (calls[part.index] ??= { id: '', name: '', arguments: '' });
        call.id ||= part.id ?? '';
        call.name ||= part.function?.name ?? '';
        call.arguments += part.function?.arguments ?? '';
      }
    }
    if (calls.length === 0) return text;
    messages.push({
      role: 'assistant',
      content: text === '' ? null : text,
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function' as const,
        function: { name: call.name, arguments: call.arguments },
      })),
    });
    const run = async (call: Call): Promise<string> => JSON.stringify(await execute((JSON.parse(call.arguments) as { city: string }).city));
    const results = parallel ? await Promise.all(calls.map(run)) : [];
    for (const [at, call] of calls.entries())
      messages.push({ role: 'tool', tool_call_id: call.id, content: results[at] ?? (await run(call)) });
  }
  throw new Error('The loop did not end.');
}
