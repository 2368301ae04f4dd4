import { ModelError } from '../errors/run-error';
import type { ModelChunk } from './model';
import { asJson, asPlain, asText, type Plain } from './plain';

/** More calls than this in one answer are a fault of the server. */
const MAX_CALLS = 1_000;
/** What OpenAI's models sometimes call instead of the tools themselves: a wrapper around several calls. */
const WRAPPER = 'multi_tool_use.parallel';

interface Slot {
  id: string | undefined;
  name: string;
  /** All argument text so far. */
  text: string;
  /** How much of it was passed on. */
  sent: number;
  /** Its place among the calls of the answer; `undefined` until the first piece was passed on. */
  index: number | undefined;
  extra: unknown;
}

/**
 * Puts the fragments of an answer's calls together, whatever the provider left out or repeated.
 *
 * A fragment belongs to the call of its `index`; without one, to that of its id; without both, to the last call, unless it
 * brings a name of its own. Places in the answer are dense and in order of arrival. A repeated id is left out: the run makes
 * one up.
 */
export class CallAssembler {
  private readonly slots: Slot[] = [];
  private readonly byIndex = new Map<number, Slot>();
  private readonly byId = new Map<string, Slot>();
  private readonly usedIds = new Set<string>();
  private opened = 0;
  /** Provider data of calls that must go back with them, by place. */
  readonly extras = new Map<number, unknown>();

  constructor(private readonly out: ModelChunk[]) {}

  /** How many calls were passed on. */
  get count(): number {
    return this.opened;
  }

  /** Whether anything that looks like a call has come. */
  get any(): boolean {
    return this.slots.some(isCall);
  }

  /** Whether every call's arguments are whole JSON values. */
  get complete(): boolean {
    return this.slots.every((slot) => slot.text === '' || isJson(slot.text));
  }

  /** Takes one fragment; `position` is its place in a list that has no indexes because it is whole. */
  push(fragment: Plain, position?: number): void {
    const call = asPlain(fragment['function']) ?? asPlain(fragment['custom']) ?? fragment;
    const id = asText(fragment['id']);
    const name = cleanName(call['name']);
    const index = indexOf(fragment['index']) ?? position;
    const text = argumentText(call['arguments'] ?? call['input'] ?? (call === fragment ? fragment['parameters'] : undefined));
    const slot = this.slotOf(index, id, name, text);
    if (fragment['extra_content'] !== undefined && fragment['extra_content'] !== null) slot.extra = fragment['extra_content'];
    if (name !== '' && slot.text === '' && slot.name !== name) slot.name += name;
    if (text !== '') this.append(slot, text, id);
    if (slot.text !== '' && slot.text !== '{}' && slot.name !== '' && slot.name !== WRAPPER) this.flushThrough(slot);
  }

  /** The answer is over: passes on what was held back. */
  end(): void {
    for (const slot of this.slots) if (isCall(slot) && slot.name !== WRAPPER) this.flush(slot);
    for (const slot of this.slots) if (slot.name === WRAPPER) this.unwrap(slot);
  }

  private slotOf(index: number | undefined, id: string | undefined, name: string, text: string): Slot {
    const last = this.slots.at(-1);
    if (index !== undefined) {
      const slot = this.byIndex.get(index);
      if (slot === undefined)
        // An index that counts fragments rather than calls: nothing else says that a new call begins.
        return last !== undefined && id === undefined && name === '' && !isJson(last.text) ? last : this.open(index, id);
      return this.isAnother(slot, id, name, text) ? this.open(index, id) : this.adopt(slot, id);
    }
    if (id !== undefined) {
      const slot = this.byId.get(id);
      if (slot !== undefined) return slot;
      return last !== undefined && name === '' && last.id !== undefined && !isJson(last.text) ? last : this.open(undefined, id);
    }
    if (last === undefined || (name !== '' && (last.name !== name || last.text === '' || isJson(last.text))))
      return this.open(undefined, id);
    return last;
  }

  /** Whether a fragment under a known index begins another call: some providers give every call the index 0. */
  private isAnother(slot: Slot, id: string | undefined, name: string, text: string): boolean {
    if (name === '' || slot.name === '') return false;
    if (id !== undefined && slot.id !== undefined && id !== slot.id) return true;
    return (id === undefined || slot.id === undefined) && text !== '' && isJson(slot.text);
  }

  private open(index: number | undefined, id: string | undefined): Slot {
    if (this.slots.length >= MAX_CALLS) throw new ModelError(`The model made more than ${MAX_CALLS} calls in one answer.`);
    const slot: Slot = { id: undefined, name: '', text: '', sent: 0, index: undefined, extra: undefined };
    this.slots.push(slot);
    if (index !== undefined) this.byIndex.set(index, slot);
    return this.adopt(slot, id);
  }

  private adopt(slot: Slot, id: string | undefined): Slot {
    if (id === undefined || slot.id !== undefined) return slot;
    slot.id = id;
    if (!this.byId.has(id)) this.byId.set(id, slot);
    return slot;
  }

  private append(slot: Slot, text: string, id: string | undefined): void {
    // The whole call once more, as some providers end with.
    if (slot.text === text && id !== undefined && id === slot.id && text.length > 1 && isJson(text)) return;
    // An empty object as a place-holder, before the arguments come in pieces.
    if (slot.text === '{}' && slot.sent === 0 && text.trimStart().startsWith('{')) slot.text = text;
    else slot.text += text;
  }

  /** Passes a call on, after all that came before it, so that places follow the order of arrival. */
  private flushThrough(slot: Slot): void {
    if (slot.index === undefined)
      for (const earlier of this.slots) {
        if (earlier === slot) break;
        if (earlier.index === undefined && earlier.name !== '' && earlier.name !== WRAPPER) this.emit(earlier, '');
      }
    this.flush(slot);
  }

  private flush(slot: Slot): void {
    if (slot.index !== undefined && slot.sent === slot.text.length) return;
    const piece = slot.sent === 0 ? slot.text : slot.text.slice(slot.sent);
    slot.sent = slot.text.length;
    this.emit(slot, piece);
  }

  private emit(slot: Slot, piece: string): void {
    if (slot.index !== undefined) {
      this.out.push({ type: 'call', index: slot.index, arguments: piece });
      return;
    }
    slot.index = this.opened++;
    if (slot.extra !== undefined) this.extras.set(slot.index, slot.extra);
    const fresh = slot.id !== undefined && !this.usedIds.has(slot.id);
    if (fresh) this.usedIds.add(slot.id!);
    const head = fresh ? { id: slot.id!, name: slot.name } : { name: slot.name };
    this.out.push({ type: 'call', index: slot.index, ...head, arguments: piece });
  }

  private unwrap(slot: Slot): void {
    const uses = asPlain(parsed(slot.text))?.['tool_uses'];
    const calls = Array.isArray(uses) ? uses.map(asPlain) : [];
    if (calls.length === 0 || calls.some((use) => asText(use?.['recipient_name']) === undefined)) return this.flush(slot);
    for (const use of calls) {
      const name = cleanName(use!['recipient_name']).replace(/^functions\./, '');
      this.push({ name, arguments: use!['parameters'] ?? {} }, -1 - this.slots.length);
      this.flush(this.slots.at(-1)!);
    }
  }
}

function isCall(slot: Slot): boolean {
  return slot.name !== '' || slot.text !== '' || slot.id !== undefined;
}

/** An index, also where it comes as text. */
function indexOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

/** A name without the channel markup that some servers leak into it. */
function cleanName(name: unknown): string {
  if (typeof name !== 'string') return '';
  const markup = name.indexOf('<|');
  return (markup === -1 ? name : name.slice(0, markup)).trim();
}

function argumentText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : asJson(value);
}

function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
