import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { ModelError, type Message, type Model, type ModelChunk, type ModelRequest } from 'toolwright';

/** A model behind Ollama's own API, which answers with a JSON value by the line. */
export class NativeOllama implements Model {
  readonly capabilities = { tools: true, parallelToolCalls: true, jsonSchema: false, strict: false, images: false, reasoning: false };

  constructor(
    readonly name: string,
    private readonly address = 'http://localhost:11434',
  ) {}

  async *stream({ messages, tools, settings, signal }: ModelRequest): AsyncGenerator<ModelChunk> {
    const body = {
      model: this.name,
      messages: messages.map(said),
      tools: tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } })),
      options: { temperature: settings.temperature, num_predict: settings.maxTokens },
    };
    const response = await fetch(`${this.address}/api/chat`, { method: 'POST', body: JSON.stringify(body), signal });
    if (!response.ok || response.body === null)
      throw new ModelError(`Ollama answered ${response.status}: ${await response.text()}`, { retryable: response.status >= 500 });
    let calls = 0;
    for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
      const { message, done, done_reason, prompt_eval_count, eval_count } = JSON.parse(line) as Line;
      if (message?.content) yield { type: 'text', text: message.content };
      for (const { function: call } of message?.tool_calls ?? [])
        yield { type: 'call', index: calls++, name: call.name, arguments: JSON.stringify(call.arguments) };
      if (done !== true) continue;
      yield { type: 'usage', usage: { inputTokens: prompt_eval_count ?? 0, outputTokens: eval_count ?? 0 } };
      yield { type: 'end', finish: calls > 0 ? 'tool_calls' : done_reason === 'length' ? 'length' : 'stop' };
    }
  }
}

interface Line {
  readonly message?: {
    readonly content?: string;
    readonly tool_calls?: readonly { readonly function: { name: string; arguments: object } }[];
  };
  readonly done?: boolean;
  readonly done_reason?: string;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
}

function said(message: Message): object {
  const text =
    message.role === 'system'
      ? message.text
      : message.parts.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part))).join('\n');
  const calls = message.role === 'assistant' ? message.calls : [];
  return {
    role: message.role,
    content: text,
    ...(message.role === 'tool' && { tool_name: message.name }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({ function: { name: call.name, arguments: JSON.parse(call.arguments) as object } })),
    }),
  };
}
