import { checkedOptions, isRecord, oneOfTexts, rulesOf, shown } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import { transcriptArguments } from '../invocation/argument-text';
import { ChatMessages } from '../models/chat-messages';
import type { AssistantMessage, Message, MessageCall, Part, ToolMessage } from '../types/message';
import { asShown } from '../trust/fence';
import type { Trust } from '../types/outcome';
import { transcriptName } from './answer/read-answer';
import { textOf } from './conversation/transcript';

/** How far a conversation from elsewhere is believed. */
export interface FromOpenAIChatOptions {
  /** Whether the results of tools may be believed. `untrusted` by default: nobody here saw where they came from. */
  readonly trust?: Trust;
}

const RULES = rulesOf<FromOpenAIChatOptions>({ trust: oneOfTexts('trusted', 'untrusted') });

/**
 * A conversation in the format of OpenAI's Chat Completions API as messages of this package. What is missing, such as the result of a call,
 * is mended when a run is given them, and told in its warnings.
 *
 * @throws UsageError for what is no such conversation, naming the place, and for options that do not exist or do not fit
 * @example runner.run(SupportAgent, 'And now?', { messages: fromOpenAIChat(saved) });
 */
export function fromOpenAIChat(messages: readonly object[], options?: FromOpenAIChatOptions): Message[] {
  if (!Array.isArray(messages)) throw new UsageError(`fromOpenAIChat takes a list of messages; got ${shown(messages)}.`);
  const { trust = 'untrusted' } = checkedOptions(options, RULES, 'fromOpenAIChat');
  return new Reader(trust).read(messages as readonly unknown[]);
}

/**
 * Messages of this package in the format of OpenAI's Chat Completions API, as a request would hold them: foreign results stand in their fence,
 * images of results follow in a message of the user.
 * @example await saveForChatUi(toOpenAIChat(result.messages));
 */
export function toOpenAIChat(messages: readonly Message[]): object[] {
  return new ChatMessages({ images: true, reasoningField: undefined }).convert(messages.map(asShown));
}

class Reader {
  /** The names of the calls so far, by id: a result does not say its tool. */
  private readonly names = new Map<string, string>();
  private at = 0;
  /** The last call in the format of old, which has no id. */
  private lastCall: string | undefined;

  constructor(private readonly trust: Trust) {}

  read(messages: readonly unknown[]): Message[] {
    return messages.map((message, at) => {
      this.at = at;
      return this.message(message);
    });
  }

  private message(message: unknown): Message {
    if (!isRecord(message)) throw this.fault(`must be a message; got ${shown(message)}.`);
    const { role, content } = message;
    switch (role) {
      case 'system':
      case 'developer':
        return { v: 1, role: 'system', text: textOf(this.parts(content)) };
      case 'user':
        return { v: 1, role: 'user', parts: this.parts(content) };
      case 'assistant':
        return this.assistant(message);
      case 'tool':
        return this.result(message['tool_call_id'], content, this.names.get(String(message['tool_call_id'])));
      case 'function':
        return this.result(this.lastCall ?? '', content, typeof message['name'] === 'string' ? message['name'] : undefined);
      default:
        throw this.fault("must have a `role`: 'system', 'developer', 'user', 'assistant', 'tool' or 'function'.");
    }
  }

  private assistant(message: Readonly<Record<string, unknown>>): AssistantMessage {
    const { content, refusal, tool_calls: calls, function_call: old, reasoning_content: reasoning } = message;
    const said = this.parts(content);
    const parts = said.length === 0 && typeof refusal === 'string' && refusal !== '' ? [{ type: 'text' as const, text: refusal }] : said;
    return {
      v: 1,
      role: 'assistant',
      parts,
      calls: this.calls(calls, old),
      ...(typeof reasoning === 'string' && reasoning !== '' && { reasoning }),
    };
  }

  private calls(calls: unknown, old: unknown): MessageCall[] {
    if (isRecord(old)) {
      this.lastCall = `call_${this.at}`;
      return [this.call(this.lastCall, old)];
    }
    if (calls === undefined || calls === null) return [];
    if (!Array.isArray(calls)) throw this.fault(`must have \`tool_calls\`, a list; got ${shown(calls)}.`);
    return (calls as unknown[]).map((call, index) => {
      if (!isRecord(call)) throw this.fault(`tool_calls[${index}] must be a call; got ${shown(call)}.`);
      const { id, function: made } = call;
      if (typeof id !== 'string' || !isRecord(made)) throw this.fault(`tool_calls[${index}] must have an \`id\` and a \`function\`.`);
      return this.call(id, made);
    });
  }

  private call(id: string, { name, arguments: given }: Readonly<Record<string, unknown>>): MessageCall {
    if (typeof name !== 'string') throw this.fault('has a call without a `name`.');
    const legal = transcriptName(name);
    this.names.set(id, legal);
    const text = typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given);
    return { id, name: legal, arguments: transcriptArguments(text) };
  }

  private result(callId: unknown, content: unknown, name: string | undefined): ToolMessage {
    if (typeof callId !== 'string') throw this.fault('must have `tool_call_id`, a text.');
    const parts = this.parts(content);
    return { v: 1, role: 'tool', callId, name: transcriptName(name ?? 'unknown'), parts, outcome: 'ok', trust: this.trust };
  }

  private parts(content: unknown): Part[] {
    if (content === undefined || content === null || content === '') return [];
    if (typeof content === 'string') return [{ type: 'text', text: content }];
    if (!Array.isArray(content)) throw this.fault(`must have \`content\`, a text or a list of parts; got ${shown(content)}.`);
    return (content as unknown[]).map((part, index) => this.part(part, index));
  }

  private part(part: unknown, index: number): Part {
    if (isRecord(part)) {
      const { type, text, refusal, image_url: image, file, input_audio: audio } = part;
      if (type === 'text' && typeof text === 'string') return { type: 'text', text };
      if (type === 'refusal' && typeof refusal === 'string') return { type: 'text', text: refusal };
      if (type === 'image_url' && isRecord(image) && typeof image['url'] === 'string') return imagePart(image['url']);
      if (type === 'file' && isRecord(file) && typeof file['file_data'] === 'string') return filePart(file['file_data'], file['filename']);
      if (type === 'input_audio' && isRecord(audio) && typeof audio['data'] === 'string')
        return { type: 'file', data: audio['data'], mediaType: `audio/${String(audio['format'])}` };
    }
    throw this.fault(
      `content[${index}] must be a part of the type text, image_url, file with its data, or input_audio; got ${shown(part)}.`,
    );
  }

  private fault(what: string): UsageError {
    return new UsageError(`The message ${this.at} given to fromOpenAIChat ${what}`);
  }
}

const DATA_URL = /^data:([^;,]+);base64,([\s\S]*)$/;

function imagePart(url: string): Part {
  const [, mediaType, data] = DATA_URL.exec(url) ?? [];
  return mediaType === undefined || data === undefined ? { type: 'image', url } : { type: 'image', data, mediaType };
}

function filePart(fileData: string, filename: unknown): Part {
  const [, mediaType, data = fileData] = DATA_URL.exec(fileData) ?? [];
  const named = typeof filename === 'string' ? { name: filename } : undefined;
  return { type: 'file', data, ...named, ...(mediaType !== undefined && { mediaType }) };
}
