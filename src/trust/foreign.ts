import type { Message, ToolMessage } from '../types/message';
import { signalsOf } from './fence';
import { FENCE_WORD } from './neutralise';

/** What is known of the foreign content in a conversation. */
export interface ForeignFacts {
  /** The tools that brought it, and `the input` for what the host wrapped itself. */
  readonly from: readonly string[];
  /** Why its form looks like an attempt at an injection; empty for ordinary content. */
  readonly signals: readonly string[];
}

/** What is said of it at most: foreign content must not decide how long a question to a person is. */
const MOST_SOURCES = 10;
const MOST_SIGNALS = 10;

/** Whether a message brings foreign content into the conversation: an untrusted result, or `wrapExternal` in what a person said. */
export function isForeign(message: Message): boolean {
  switch (message.role) {
    case 'tool':
      return message.trust !== 'trusted';
    case 'user':
      return message.parts.some((part) => part.type === 'text' && part.text.includes(`<${FENCE_WORD} `));
    default:
      return false;
  }
}

/** Where the foreign content of some messages comes from, and what is suspicious about it. */
export function foreignFacts(messages: readonly Message[]): ForeignFacts {
  const from = new Set<string>();
  const signals = new Set<string>();
  for (const message of messages) {
    if (!isForeign(message)) continue;
    from.add(message.role === 'tool' ? message.name : 'the input');
    if (message.role === 'tool') for (const signal of signalsOf(message)) signals.add(signal);
  }
  return { from: [...from].slice(0, MOST_SOURCES), signals: [...signals].slice(0, MOST_SIGNALS) };
}

/** Says it in a sentence of a warning; `undefined` when nothing is suspicious. */
export function suspicion(message: ToolMessage): string | undefined {
  const signals = signalsOf(message);
  if (signals.length === 0) return undefined;
  return `The untrusted result of \`${message.name}\` holds what injections use: ${signals.slice(0, MOST_SIGNALS).join('; ')}. It was made inert in the request.`;
}
