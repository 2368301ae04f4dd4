import type { AssistantMessage, Message, SystemMessage, TextPart, ToolMessage, UserMessage } from '../types/message';
import type { Model, ModelCapabilities, ModelChunk, ModelRequest, ModelTool, ToolChoice } from './model';
import { textOf, renderToolMessage } from './tool-text';
import { WrittenCallReader } from './written-calls';

/**
 * Gives tools to a model that cannot call them: they are described in the system prompt, and calls are read from the reply.
 *
 * Text that looks like a call in a tool's result or in a person's message is not taken for one: only the reply is read.
 * @example promptedTools(new OpenAIChatModel({ model: 'small', baseURL, capabilities: { tools: false } }))
 */
export function promptedTools(model: Model): Model {
  return new PromptedModel(model);
}

class PromptedModel implements Model {
  readonly capabilities: ModelCapabilities;
  private readonly told = new WeakMap<Message, Message>();
  private readonly contracts = new WeakMap<readonly ModelTool[], string>();
  private readonly systems = new WeakMap<Message, { readonly addition: string; readonly message: SystemMessage }>();

  constructor(private readonly model: Model) {
    this.capabilities = Object.freeze({ ...model.capabilities, tools: true, parallelToolCalls: false, strict: false });
  }

  get name(): string {
    return this.model.name;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    const offered = request.tools.length > 0 && request.toolChoice !== 'none';
    const reader = offered ? new WrittenCallReader(request.tools.map((tool) => tool.name)) : undefined;
    for await (const chunk of this.model.stream(this.requestOf(request))) {
      if (reader === undefined) yield chunk;
      else if (chunk.type === 'text') {
        const text = reader.push(chunk.text);
        if (text !== '') yield { type: 'text', text };
      } else if (chunk.type !== 'end') yield chunk;
      else {
        const { text, calls, source } = reader.end();
        // A reply that was cut off is not acted upon.
        const whole = chunk.finish === 'stop' || chunk.finish === 'other' || chunk.finish === 'tool_calls';
        const said = whole ? text : source;
        if (said !== '') yield { type: 'text', text: said };
        if (!whole || calls.length === 0) {
          yield chunk;
          continue;
        }
        for (const [index, call] of calls.entries())
          yield {
            type: 'call',
            index,
            name: call.name,
            arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
          };
        yield { type: 'end', finish: 'tool_calls' };
      }
    }
  }

  private requestOf(request: ModelRequest): ModelRequest {
    const messages = request.messages.map((message) => this.tell(message));
    if (request.tools.length === 0) return { ...request, messages };
    const addition = this.contractOf(request.tools) + choiceText(request.toolChoice);
    const [first, ...rest] = messages;
    const contracted = first?.role === 'system' ? [this.systemOf(first, addition), ...rest] : [system(addition), ...messages];
    return { ...request, messages: contracted, tools: [], toolChoice: 'auto' };
  }

  /** Calls and results as text, each message once. */
  private tell(message: Message): Message {
    if (message.role !== 'tool' && (message.role !== 'assistant' || message.calls.length === 0)) return message;
    let told = this.told.get(message);
    if (told === undefined) this.told.set(message, (told = message.role === 'tool' ? resultAsText(message) : callsAsText(message)));
    return told;
  }

  private contractOf(tools: readonly ModelTool[]): string {
    let contract = this.contracts.get(tools);
    if (contract === undefined) this.contracts.set(tools, (contract = contractText(tools)));
    return contract;
  }

  private systemOf(message: SystemMessage, addition: string): SystemMessage {
    const kept = this.systems.get(message);
    if (kept?.addition === addition) return kept.message;
    const made = system(`${message.text}\n\n${addition}`);
    this.systems.set(message, { addition, message: made });
    return made;
  }
}

function contractText(tools: readonly ModelTool[]): string {
  const lines = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  return [
    'You can call tools. To call one, write exactly this, with arguments that fit its JSON Schema, and then stop:',
    '<tool_call>{"name": "<tool>", "arguments": {<arguments>}}</tool_call>',
    'Its result comes in the next message, between <tool_response> marks. Never write such marks yourself. Answer in plain text when no tool is needed.',
    'The tools:',
    ...lines,
  ].join('\n');
}

function choiceText(choice: ToolChoice): string {
  if (choice === 'auto') return '';
  if (choice === 'none') return '\nAnswer now, without calling a tool.';
  return choice === 'required' ? '\nCall a tool now.' : `\nCall the tool ${choice.tool} now.`;
}

function system(text: string): SystemMessage {
  return { v: 1, role: 'system', text };
}

function callsAsText(message: AssistantMessage): AssistantMessage {
  const calls = message.calls.map(
    ({ name, arguments: args }) => `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${args}}</tool_call>`,
  );
  const said = textOf(message.parts);
  const text = [...(said === '' ? [] : [said]), ...calls].join('\n');
  return { ...message, parts: [{ type: 'text', text }], calls: [] };
}

function resultAsText(message: ToolMessage): UserMessage {
  // A result must not be able to end its own marks.
  const body = renderToolMessage(message).replace(/<(\/?)(tool_(?:response|call))/gi, '<$1 $2');
  const text: TextPart = { type: 'text', text: `<tool_response name=${JSON.stringify(message.name)}>\n${body}\n</tool_response>` };
  return { v: 1, role: 'user', parts: [text, ...message.parts.filter((part) => part.type === 'image' || part.type === 'file')] };
}
