import { hideSensitiveProperties } from './json-text';
import { secretNeedles } from './secrets';
import { isSensitiveKey } from './sensitive-keys';

/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

const HINT = /pass|pwd|secret|token|key|auth|cookie|credential|bearer|jwt|connection|session|otp|cvv|ssn/i;
const DEEPEST = 100;
const MOST_NODES = 200_000;
/** A sparse list has as many places as its length says. */
const LONGEST_LIST = 2_000_000;

/** A text without registered secrets, and without what stands under a sensitive key in JSON inside it. */
export function redactText(text: string): string {
  const out = withoutSecrets(text);
  return out.includes('"') && HINT.test(out) ? hideSensitiveProperties(out, REDACTED) : out;
}

/** A text without registered secrets. Nothing is done while none is registered. */
export function withoutSecrets(text: string): string {
  let out = text;
  for (const needle of secretNeedles()) if (out.includes(needle)) out = out.replaceAll(needle, REDACTED);
  return out;
}

/**
 * A value without secrets: registered ones in any text, and everything under sensitive keys. What holds none comes back as it is; nothing
 * is ever changed in place.
 * @example log(redact({ user: 'ada', apiKey: key })) // { user: 'ada', apiKey: '[redacted]' }
 */
export function redact<T>(value: T): T {
  return new Redaction().of(value, 0) as T;
}

class Redaction {
  private nodes = 0;
  private readonly path = new Set<object>();

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return redactText(value);
    if (typeof value !== 'object' || value === null || this.path.has(value)) return value;
    // What is too deep or too much to be looked through is not shown.
    if (depth > DEEPEST || ++this.nodes > MOST_NODES) return REDACTED;
    this.path.add(value);
    try {
      return this.object(value, depth);
    } catch {
      return '[unreadable]';
    } finally {
      this.path.delete(value);
    }
  }

  private object(value: object, depth: number): unknown {
    if (Array.isArray(value)) return this.list(value, depth);
    if (value instanceof Map) return this.map(value, depth);
    if (value instanceof Set) {
      const items = [...value];
      const clean = this.list(items, depth);
      return clean === items ? value : typeof clean === 'string' ? clean : new Set(clean);
    }
    if (value instanceof Date || value instanceof Promise || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value;
    return this.fields(value, depth);
  }

  private list(items: readonly unknown[], depth: number): readonly unknown[] | string {
    if (items.length > LONGEST_LIST) return REDACTED;
    let copy: unknown[] | undefined;
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      const clean = this.of(item, depth + 1);
      if (clean !== item) (copy ??= items.slice())[at] = clean;
    }
    return copy ?? items;
  }

  private map(entries: ReadonlyMap<unknown, unknown>, depth: number): ReadonlyMap<unknown, unknown> {
    let changed = false;
    const copy = new Map<unknown, unknown>();
    for (const [key, value] of entries) {
      const clean = typeof key === 'string' ? this.property(key, value, depth) : this.of(value, depth + 1);
      const cleanKey = this.of(key, depth + 1);
      changed ||= clean !== value || cleanKey !== key;
      copy.set(cleanKey, clean);
    }
    return changed ? copy : entries;
  }

  /** The own properties, accessors left alone; the copy has them without what hides, and the same prototype. */
  private fields(value: object, depth: number): object {
    let copy: PropertyDescriptorMap | undefined;
    const operated = isSensitivePath((value as { path?: unknown }).path);
    for (const key of Object.keys(value)) {
      const descriptor = Object.getOwnPropertyDescriptor(value, key);
      if (descriptor === undefined || !('value' in descriptor)) continue;
      const before: unknown = descriptor.value;
      const after = operated && key === 'value' ? hidden(before) : this.property(key, before, depth);
      if (after === before) continue;
      copy ??= Object.getOwnPropertyDescriptors(value);
      copy[key] = { ...descriptor, value: after };
    }
    return copy === undefined ? value : (Object.create(Object.getPrototypeOf(value) as object | null, copy) as object);
  }

  private property(key: string, value: unknown, depth: number): unknown {
    return isSensitiveKey(key) ? hidden(value) : this.of(value, depth + 1);
  }
}

/** Nothing, flags and empty texts say no secret. */
function hidden(value: unknown): unknown {
  return value === undefined || value === null || typeof value === 'boolean' || value === '' ? value : REDACTED;
}

/** Whether a change of state writes under a sensitive key. */
function isSensitivePath(path: unknown): boolean {
  const last: unknown = Array.isArray(path) ? path.at(-1) : typeof path === 'string' ? path.slice(path.lastIndexOf('.') + 1) : undefined;
  return typeof last === 'string' && isSensitiveKey(last);
}

/**
 * An error whose texts, and those of its causes, hold no registered secret. One that holds none comes back as it is; else a copy of the same
 * class does, and the original is left alone.
 */
export function redactError<E>(error: E): E {
  return secretNeedles().length === 0 ? error : (cleanError(error, 0) as E);
}

const DEEPEST_CAUSE = 8;

function cleanError(error: unknown, depth: number): unknown {
  if (typeof error === 'string') return withoutSecrets(error);
  if (!(error instanceof Error)) return error;
  try {
    const said = error as Error & { readonly advice?: unknown };
    const message = cleaned(said.message);
    const stack = cleaned(said.stack);
    const advice = cleaned(said.advice);
    // A chain longer than this is not looked through, so it is not shown.
    const cause = said.cause === undefined || depth >= DEEPEST_CAUSE ? undefined : cleanError(said.cause, depth + 1);
    if (message === said.message && stack === said.stack && advice === said.advice && cause === said.cause) return error;
    const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(error);
    for (const [key, value] of Object.entries({ message, stack, advice, cause }))
      if (value !== undefined) descriptors[key] = { value, writable: true, configurable: true, enumerable: key === 'advice' };
    if (cause === undefined) delete descriptors['cause'];
    return Object.create(Object.getPrototypeOf(error) as object, descriptors);
  } catch {
    // What cannot be looked through is not shown.
    return new Error(REDACTED);
  }
}

const cleaned = <T>(text: T): T => (typeof text === 'string' ? (withoutSecrets(text) as T) : text);
