import type { AssistantMessage, Message } from '../types/message';
import { contentOf, type ContentWords } from './content-parts';
import type { ModelTool } from './model';
import { asPlain } from './plain';
import { wireName } from './tool-names';
import { renderToolMessage, textOf } from './tool-text';

const WORDS: ContentWords = {
  text: (text) => ({ type: 'input_text', text }),
  image: (image_url) => ({ type: 'input_image', image_url, detail: 'auto' }),
  file: (filename, file_data) => ({ type: 'input_file', filename, file_data }),
};

/** Says a transcript as input items of the Responses API; each message once, to the same bytes in every request. */
export class ResponsesInput {
  private readonly converted = new WeakMap<Message, readonly object[]>();
  private readonly tools = new WeakMap<readonly ModelTool[], readonly object[]>();

  constructor(private readonly images: boolean) {}

  convert(messages: readonly Message[]): object[] {
    return messages.flatMap((message) => {
      let items = this.converted.get(message);
      if (items === undefined) this.converted.set(message, (items = this.say(message)));
      return items;
    });
  }

  /** The tools, converted once per list. */
  convertTools(tools: readonly ModelTool[], strict: boolean): readonly object[] {
    let items = this.tools.get(tools);
    if (items === undefined) this.tools.set(tools, (items = tools.map((tool) => responsesTool(tool, strict))));
    return items;
  }

  private say(message: Message): readonly object[] {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: message.text }];
      case 'user':
        return [{ role: 'user', content: contentOf(message.parts, WORDS, this.images) }];
      case 'tool': {
        const plain = message.parts.every((part) => part.type === 'text' || part.type === 'json') || !this.images;
        const output = plain ? renderToolMessage(message) : contentOf(message.parts, WORDS, true);
        return [{ type: 'function_call_output', call_id: message.callId, output }];
      }
      case 'assistant':
        return assistantItems(message);
    }
  }
}

/** Reasoning first, as it came: the API refuses a call whose reasoning is missing. */
function assistantItems(message: AssistantMessage): readonly object[] {
  const kept = asPlain(message.extra?.['responses'])?.['reasoning'];
  const reasoning = Array.isArray(kept) ? kept.filter((item): item is object => asPlain(item) !== undefined) : [];
  const text = textOf(message.parts);
  return [
    ...reasoning,
    ...(text === '' && message.calls.length > 0 ? [] : [{ role: 'assistant', content: text }]),
    ...message.calls.map((call) => ({
      type: 'function_call',
      call_id: call.id,
      name: wireName(call.name),
      arguments: call.arguments,
    })),
  ];
}

function responsesTool(tool: ModelTool, strict: boolean): object {
  const asStrict = strict && tool.strict !== undefined;
  return {
    type: 'function',
    name: tool.name,
    ...(tool.description === '' ? {} : { description: tool.description }),
    parameters: asStrict ? tool.strict : tool.parameters,
    // Here strict is the default, so that its absence must be said.
    strict: asStrict,
  };
}
