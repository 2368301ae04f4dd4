import { UsageError } from '../../errors/usage-error';
import { asShown } from '../../trust/fence';
import type { AssistantMessage, Message, MessageCall, Part, ToolMessage, UserMessage } from '../../types/message';

/** The append-only log of a run. It never holds a call without its one adjacent result. */
export class Transcript {
  private readonly log: Message[];
  /** Made when first needed: most runs start with nothing. */
  private ids: Set<string> | undefined;

  /** @param start how many of the messages were there before this run */
  constructor(
    given: readonly Message[],
    readonly start: number = given.length,
  ) {
    this.log = given.slice();
  }

  /** The messages from a place on. */
  since(length: number): Message[] {
    return this.log.slice(length);
  }

  get length(): number {
    return this.log.length;
  }

  append(...messages: readonly Message[]): void {
    for (const message of messages) {
      this.log.push(message);
      if (this.ids !== undefined) noteIds(this.ids, message);
    }
  }

  /** Whether a call with this id was made before, in this run or an earlier one. */
  knows(callId: string): boolean {
    if (this.ids === undefined) {
      this.ids = new Set();
      for (const message of this.log) noteIds(this.ids, message);
    }
    return this.ids.has(callId);
  }

  /** A copy of what there is now, with something before and after it. */
  snapshot(before: readonly Message[] = [], after: readonly Message[] = []): Message[] {
    return before.length === 0 && after.length === 0 ? this.log.slice() : [...before, ...this.log, ...after];
  }

  /** All of it as a request shows it, with something before and after it: foreign content stands between fences. */
  shown(before: readonly Message[], after: readonly Message[]): Message[] {
    return [...before, ...this.log, ...after].map(asShown);
  }

  /** What this run added. */
  added(): Message[] {
    return this.log.slice(this.start);
  }
}

function noteIds(ids: Set<string>, message: Message): void {
  if (message.role === 'assistant') for (const call of message.calls) ids.add(call.id);
}

/** A message of a person. */
export function userMessage(parts: readonly Part[]): UserMessage {
  return { v: 1, role: 'user', parts };
}

/** Text as a message of a person. */
export function userText(text: string): UserMessage {
  return userMessage([{ type: 'text', text }]);
}

/** The text of a message's parts, joined. */
export function textOf(parts: readonly Part[]): string {
  if (parts.length === 1 && parts[0]?.type === 'text') return parts[0].text;
  return parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('');
}

const LOST = 'The result of this call was lost; it is not known whether it took effect. Check before repeating it.';

/**
 * A given transcript made valid for a next request: a call without a result is answered as lost, a result without its
 * call is dropped, results stand right behind their calls in call order. What is valid comes back as it is.
 */
export function repaired(messages: readonly Message[]): { readonly messages: readonly Message[]; readonly changed: boolean } {
  const valid: Message[] = [];
  for (let at = 0; at < messages.length;) {
    const message = messages[at++] as Message;
    if (message.role === 'tool') continue;
    valid.push(message);
    if (message.role !== 'assistant' || message.calls.length === 0) continue;
    // Results belong to this message up to the model's next answer; what stands between them follows after them.
    const results: ToolMessage[] = [];
    const between: Message[] = [];
    for (let next = messages[at]; next !== undefined && next.role !== 'assistant'; next = messages[++at]) {
      if (next.role === 'tool') results.push(next);
      else between.push(next);
    }
    valid.push(...paired(message.calls, results), ...between);
  }
  const changed = valid.length !== messages.length || valid.some((message, at) => message !== messages[at]);
  return changed ? { messages: valid, changed } : { messages, changed };
}

function paired(calls: readonly MessageCall[], results: readonly ToolMessage[]): ToolMessage[] {
  const left = results.slice();
  return calls.map((call) => {
    const at = left.findIndex((result) => result.callId === call.id);
    const found = at < 0 ? undefined : left.splice(at, 1)[0];
    return found ?? lostResult(call);
  });
}

function lostResult(call: MessageCall): ToolMessage {
  return {
    v: 1,
    role: 'tool',
    callId: call.id,
    name: call.name,
    parts: [{ type: 'text', text: LOST }],
    outcome: 'unsettled',
    trust: 'trusted',
  };
}

const ROLES = new Set(['system', 'user', 'assistant', 'tool']);
const PART_TYPES = new Set(['text', 'image', 'file', 'json']);

/**
 * Checks that a value is a list of messages; `where` names it in the error.
 * @throws UsageError for anything else, naming the place
 */
export function checkMessages(value: unknown, where: string): readonly Message[] {
  if (!Array.isArray(value)) throw new UsageError(`${where} must be a list of messages; got ${kindOf(value)}.`);
  for (const [at, message] of value.entries()) {
    const fault = messageFault(message);
    if (fault !== undefined) throw new UsageError(`${where}[${at}] ${fault}`);
  }
  return value as readonly Message[];
}

function messageFault(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null) return `must be a message; got ${kindOf(message)}.`;
  const { role, v } = message as Message;
  if (!ROLES.has(role)) return "must have a `role`: 'system', 'user', 'assistant' or 'tool'.";
  if (v !== undefined && v !== 1) return `is of version ${String(v)}, which was written by a newer toolwright; this one reads version 1.`;
  switch (role) {
    case 'system':
      return typeof (message as { text?: unknown }).text === 'string' ? undefined : 'must have `text`, a string.';
    case 'user':
      return partsFault((message as UserMessage).parts);
    case 'assistant':
      return partsFault((message as AssistantMessage).parts) ?? callsFault((message as AssistantMessage).calls);
    case 'tool':
      return typeof (message as ToolMessage).callId === 'string' && typeof (message as ToolMessage).name === 'string'
        ? partsFault((message as ToolMessage).parts)
        : 'must have `callId` and `name`, both strings.';
  }
}

/** What is wrong with a list of parts, if anything. */
export function partsFault(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return `must have \`parts\`, a list; got ${kindOf(parts)}.`;
  for (const [at, part] of parts.entries()) {
    if (typeof part !== 'object' || part === null || !PART_TYPES.has((part as Part).type))
      return `parts[${at}] must have a \`type\`: 'text', 'image', 'file' or 'json'.`;
    if ((part as Part).type === 'text' && typeof (part as { text?: unknown }).text !== 'string')
      return `parts[${at}] must have \`text\`, a string.`;
  }
  return undefined;
}

function callsFault(calls: unknown): string | undefined {
  if (!Array.isArray(calls)) return `must have \`calls\`, a list (empty when there are none); got ${kindOf(calls)}.`;
  for (const [at, call] of (calls as Partial<MessageCall>[]).entries()) {
    if (typeof call?.id !== 'string' || typeof call.name !== 'string' || typeof call.arguments !== 'string')
      return `calls[${at}] must have \`id\`, \`name\` and \`arguments\`, all strings.`;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
