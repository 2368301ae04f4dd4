import type { AssistantMessage, Message, ToolMessage } from '../types/message';
import { attachmentsOf, contentOf, type ContentWords } from './content-parts';
import type { ModelTool } from './model';
import { asPlain, type Plain } from './plain';
import { wireName } from './tool-names';
import { renderToolMessage, textOf } from './tool-text';

export interface ChatMessagesOptions {
  readonly images: boolean;
  /** The field in which the model's reasoning is sent back with its calls; absent where it is not. */
  readonly reasoningField: 'reasoning_content' | 'reasoning' | undefined;
}

const WORDS: ContentWords = {
  text: (text) => ({ type: 'text', text }),
  image: (url) => ({ type: 'image_url', image_url: { url } }),
  file: (filename, file_data) => ({ type: 'file', file: { filename, file_data } }),
  audio: (data, format) => ({ type: 'input_audio', input_audio: { data, format } }),
};

/**
 * Says a transcript in the chat format. A message is converted once, however many requests it is part of, and to the same bytes
 * each time, so that a provider's prompt cache holds.
 */
export class ChatMessages {
  private readonly converted = new WeakMap<Message, object>();
  private readonly attachments = new WeakMap<ToolMessage, object>();
  private readonly tools = new WeakMap<readonly ModelTool[], readonly object[]>();
  /** What a run's last request came to, by the first message of both: the next one mostly begins with all of it. */
  private readonly requests = new WeakMap<Message, { readonly messages: readonly Message[]; readonly wire: readonly object[] }>();

  constructor(private readonly options: ChatMessagesOptions) {}

  /** The messages; images of tool results follow the results of their turn in a message of the user. */
  convert(messages: readonly Message[]): object[] {
    const first = messages[0];
    const last = first === undefined ? undefined : this.requests.get(first);
    const known = last !== undefined && last.messages.every((message, at) => message === messages[at]) ? last : undefined;
    const wire = known === undefined ? [] : known.wire.slice();
    let attached = false;
    let pending: object[] = [];
    for (let at = known?.messages.length ?? 0; at < messages.length; at++) {
      const message = messages[at] as Message;
      if (message.role !== 'tool' && pending.length > 0) {
        wire.push(...pending);
        pending = [];
      }
      wire.push(this.message(message));
      if (message.role === 'tool' && message.parts.some((part) => part.type === 'image' || part.type === 'file'))
        attached = pending.push(this.attachment(message)) > 0;
    }
    wire.push(...pending);
    // Where attachments follow depends on what comes after them.
    if (first !== undefined && !attached) this.requests.set(first, { messages, wire });
    return wire;
  }

  /** The tools, converted once per list. */
  convertTools(tools: readonly ModelTool[], strict: boolean): readonly object[] {
    let wire = this.tools.get(tools);
    if (wire === undefined) this.tools.set(tools, (wire = tools.map((tool) => chatTool(tool, strict))));
    return wire;
  }

  private message(message: Message): object {
    let wire = this.converted.get(message);
    if (wire === undefined) this.converted.set(message, (wire = this.say(message)));
    return wire;
  }

  private say(message: Message): object {
    switch (message.role) {
      case 'system':
        return { role: 'system', content: message.text };
      case 'user':
        return { role: 'user', content: contentOf(message.parts, WORDS, this.options.images) };
      case 'tool':
        return { role: 'tool', tool_call_id: message.callId, content: renderToolMessage(message) };
      case 'assistant':
        return this.assistant(message);
    }
  }

  private assistant(message: AssistantMessage): object {
    const text = textOf(message.parts);
    const extra = asPlain(message.extra?.['chat']);
    if (message.calls.length === 0) return { role: 'assistant', content: text, ...details(extra) };
    const extras = asPlain(extra?.['calls']);
    const field = this.options.reasoningField;
    return {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(field !== undefined && message.reasoning !== undefined ? { [field]: message.reasoning } : {}),
      ...details(extra),
      tool_calls: message.calls.map((call, index) => ({
        id: call.id,
        type: 'function',
        function: { name: wireName(call.name), arguments: call.arguments },
        ...(extras !== undefined && Object.hasOwn(extras, index) ? { extra_content: extras[index] } : {}),
      })),
    };
  }

  private attachment(message: ToolMessage): object {
    let wire = this.attachments.get(message);
    if (wire === undefined) {
      const parts = attachmentsOf(message.parts);
      const intro = `Attached by the tool ${wireName(message.name)} (call ${message.callId}):`;
      const shown = parts.map((part) =>
        part.type === 'image' && !this.options.images ? ({ type: 'text', text: '[an image that you cannot see]' } as const) : part,
      );
      wire = { role: 'user', content: contentOf([{ type: 'text', text: intro }, ...shown], WORDS, this.options.images) };
      this.attachments.set(message, wire);
    }
    return wire;
  }
}

function details(extra: Plain | undefined): object {
  const reasoning = extra?.['reasoning_details'];
  return Array.isArray(reasoning) ? { reasoning_details: reasoning as unknown[] } : {};
}

function chatTool(tool: ModelTool, strict: boolean): object {
  const asStrict = strict && tool.strict !== undefined;
  const description = tool.description === '' ? undefined : tool.description;
  return {
    type: 'function',
    function: asStrict
      ? { name: tool.name, description, parameters: tool.strict, strict: true }
      : { name: tool.name, description, parameters: tool.parameters },
  };
}
