import type { Message, Part } from '../../types/message';

/**
 * Whether an address stood in the conversation as it is, before the model wrote it anywhere. Such an address carries nothing out: whoever gave it
 * knew all of it.
 *
 * What the model itself wrote first does not count when it comes back, in an error or as an echo, plain or percent-encoded; nor does a part of a longer
 * address, since where it is cut would tell something.
 */
export function stoodInConversation(address: string, messages: readonly Message[]): boolean {
  if (address.length < 8 || /\s/.test(address)) return false;
  for (const message of messages) {
    if (message.role === 'assistant') {
      if (textsOfModel(message).some((text) => mentions(text, address))) return false;
    } else if (message.role === 'system') {
      if (holds(message.text, address)) return true;
    } else if (message.role === 'user' || message.outcome === 'ok') {
      if (message.parts.some((part) => holds(textOf(part), address))) return true;
    }
  }
  return false;
}

function textsOfModel(message: Extract<Message, { readonly role: 'assistant' }>): string[] {
  return [
    ...message.parts.map(textOf),
    message.reasoning ?? '',
    ...message.calls.flatMap((call) => [call.arguments, ...textsIn(call.arguments)]),
  ];
}

function textOf(part: Part): string {
  if (part.type === 'text') return part.text;
  return part.type === 'json' ? (JSON.stringify(part.value) ?? '') : '';
}

/** The texts in JSON, as they are without its escapes. */
function textsIn(json: string): string[] {
  const texts: string[] = [];
  try {
    JSON.parse(json, (key, value: unknown) => {
      texts.push(key);
      if (typeof value === 'string') texts.push(value);
      return value;
    });
  } catch {
    // The raw text is looked at beside these.
  }
  return texts;
}

const MOST_DECODINGS = 3;

/** Whether a text contains the address anywhere, as it is or percent-encoded. */
function mentions(text: string, address: string): boolean {
  let seen = text;
  for (let round = 0; round <= MOST_DECODINGS; round++) {
    if (seen.includes(address)) return true;
    const decoded = seen.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('utf8'));
    if (decoded === seen) return false;
    seen = decoded;
  }
  return false;
}

/** Whether the address stands in a text by itself: not as the beginning, or the end, of a longer one. */
function holds(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + address.length, at + address.length + 2);
    if (!/[\w%+.:/?#&=@-]/.test(before) && /^(?:$|[\s"'<>()[\]{}|\\^`]|[.,;:!?](?:$|[\s"'<>)\]]))/.test(after)) return true;
  }
  return false;
}
