import type { Message, Part } from '../types/message';

const LONGEST_LINE = 300;

/**
 * A transcript for people: one line per message, calls and results under each other.
 * @example console.log(transcriptText(result.messages));
 */
export function transcriptText(messages: readonly Message[]): string {
  return messages.length === 0 ? '  (no messages)' : messages.map((message) => `  ${messageText(message)}`).join('\n');
}

function messageText(message: Message): string {
  switch (message.role) {
    case 'system':
      return `system: ${shorten(message.text)}`;
    case 'user':
      return `user: ${shorten(partsText(message.parts))}`;
    case 'assistant': {
      const calls = message.calls.map((call) => `-> ${call.name}(${shorten(call.arguments)})`);
      const text = partsText(message.parts);
      return ['assistant:', ...(text === '' ? [] : [shorten(text)]), ...calls].join(' ');
    }
    case 'tool':
      return `tool ${message.name} [${message.outcome}]: ${shorten(partsText(message.parts))}`;
  }
}

/** The text of parts as a model would read it; what is not text is named. */
export function partsText(parts: readonly Part[]): string {
  return parts.map(partText).join('\n');
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'json':
      return jsonText(part.value);
    case 'image':
      return '[image]';
    case 'file':
      return `[file ${part.name ?? ''}]`;
  }
}

/** JSON text of anything; what cannot be said so is named instead of thrown. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function shorten(text: string): string {
  const line = text.replaceAll('\n', '\\n');
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}... (${line.length} characters)`;
}
