import { ModelError } from '../errors/run-error';
import { asPlain } from '../models/plain';
import { wireName } from '../models/tool-names';
import { renderToolMessage, textOf } from '../models/tool-text';
import type { AssistantMessage, FilePart, ImagePart, Message, Part, ToolMessage } from '../types/message';
import type { SdkContentPart, SdkMessage, SdkMetadata, SdkVersion } from './sdk-model';

/** The key under which an answer's data for its provider is kept in a message. */
export const EXTRA = 'ai-sdk';

export interface SdkPromptOptions {
  readonly version: SdkVersion;
  readonly provider: string;
  readonly images: boolean;
}

/** Says a transcript as a prompt of the AI SDK; each message once, to the same values in every request. */
export class SdkPrompt {
  private readonly converted = new WeakMap<Message, SdkMessage>();

  constructor(private readonly options: SdkPromptOptions) {}

  /** The messages; results that stand next to each other become one message, as the SDK itself sends them. */
  convert(messages: readonly Message[]): SdkMessage[] {
    const prompt: SdkMessage[] = [];
    for (const message of messages) {
      const said = this.message(message);
      const last = prompt.at(-1);
      if (said.role === 'tool' && last?.role === 'tool')
        prompt[prompt.length - 1] = { role: 'tool', content: [...last.content, ...said.content] };
      else prompt.push(said);
    }
    return prompt;
  }

  private message(message: Message): SdkMessage {
    let said = this.converted.get(message);
    if (said === undefined) this.converted.set(message, (said = this.say(message)));
    return said;
  }

  private say(message: Message): SdkMessage {
    switch (message.role) {
      case 'system':
        return { role: 'system', content: message.text };
      case 'user':
        return { role: 'user', content: message.parts.map((part) => this.part(part)) };
      case 'assistant':
        return { role: 'assistant', content: this.assistantParts(message) };
      case 'tool':
        return { role: 'tool', content: [this.result(message)] };
    }
  }

  private part(part: Part): SdkContentPart {
    if (part.type === 'text' || part.type === 'json') return { type: 'text', text: textOf([part]) };
    if (part.type === 'image' && !this.options.images)
      throw new ModelError('The messages hold an image, and this model cannot see images.', {
        advice: 'Use a model with images, or send a description instead.',
      });
    return {
      type: 'file',
      mediaType: mediaTypeOf(part),
      data: this.data(part),
      ...(part.type === 'file' && part.name !== undefined ? { filename: part.name } : {}),
    };
  }

  private data(part: ImagePart | FilePart): unknown {
    const tagged = this.options.version === 'v4';
    if (part.data !== undefined) return tagged ? { type: 'data', data: part.data } : part.data;
    const { url } = part;
    if (url === undefined || !URL.canParse(url))
      throw new ModelError(`A part of type ${part.type} has neither \`data\` nor a \`url\` that is an address.`, {
        advice: `Write { type: '${part.type}', url: 'https://…' } or { type: '${part.type}', data: base64, mediaType }.`,
      });
    return tagged ? { type: 'url', url: new URL(url) } : new URL(url);
  }

  /** Reasoning first, with what its provider signed, as far as this provider wrote it. */
  private assistantParts(message: AssistantMessage): SdkContentPart[] {
    const kept = asPlain(message.extra?.[EXTRA]);
    const own = kept?.['provider'] === this.options.provider ? kept : undefined;
    const reasoning = Array.isArray(own?.['reasoning']) ? (own['reasoning'] as unknown[]) : [];
    const calls = asPlain(own?.['calls']) ?? {};
    const text = textOf(message.parts);
    return [
      ...reasoning.flatMap((value): SdkContentPart[] => {
        const part = asPlain(value);
        return typeof part?.['text'] === 'string' ? [{ type: 'reasoning', text: part['text'], ...optionsOf(part['metadata']) }] : [];
      }),
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
      ...message.calls.map((call, at): SdkContentPart => ({
        type: 'tool-call',
        toolCallId: call.id,
        toolName: wireName(call.name),
        input: JSON.parse(call.arguments) as unknown,
        ...(Object.hasOwn(calls, at) ? optionsOf(calls[at]) : {}),
      })),
    ];
  }

  private result(message: ToolMessage): SdkContentPart {
    const { version, images } = this.options;
    const value = renderToolMessage(message);
    const shown = images ? message.parts.filter((part) => part.type === 'image' || part.type === 'file') : [];
    const media = shown.flatMap((part) => mediaOf(part, version) ?? []);
    const failed = message.outcome !== 'ok';
    const output =
      media.length > 0
        ? { type: 'content', value: [{ type: 'text', text: value }, ...media] }
        : { type: failed ? 'error-text' : 'text', value };
    return { type: 'tool-result', toolCallId: message.callId, toolName: wireName(message.name), output };
  }
}

function optionsOf(metadata: unknown): { readonly providerOptions?: SdkMetadata } {
  const options = asPlain(metadata);
  return options === undefined ? {} : { providerOptions: options };
}

function mediaTypeOf(part: ImagePart | FilePart): string {
  return part.mediaType ?? (part.type === 'image' ? 'image/*' : 'application/octet-stream');
}

/** An image or file among a result's content: each version has its own words, and the first has none for an address. */
function mediaOf(part: ImagePart | FilePart, version: SdkVersion): object | undefined {
  const { data, url } = part;
  const mediaType = mediaTypeOf(part);
  if (version === 'v2') return data === undefined ? undefined : { type: 'media', data, mediaType };
  if (version === 'v3') {
    if (data !== undefined) return { type: part.type === 'image' ? 'image-data' : 'file-data', data, mediaType };
    return url === undefined ? undefined : { type: part.type === 'image' ? 'image-url' : 'file-url', url };
  }
  if (data !== undefined) return { type: 'file', data: { type: 'data', data }, mediaType };
  return url !== undefined && URL.canParse(url) ? { type: 'file', data: { type: 'url', url: new URL(url) }, mediaType } : undefined;
}
