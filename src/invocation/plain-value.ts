import { types } from 'node:util';

/** What a copy may hold at most; beyond it the copy says what is missing. */
const MAX_DEPTH = 100;
const MAX_NODES = 200_000;
const MAX_CHARS = 20_000_000;

/**
 * A value as data that JSON can say, whatever it is: never throws, and says something true of what JSON has no form for.
 *
 * Dates become ISO text, maps and sets objects and lists, big integers digits, binary data a note of its size, errors their name and
 * message; cycles, unreadable properties and too deep nesting are named in place. Functions and symbols are left out of objects.
 */
export function toPlain(value: unknown): unknown {
  return isSimple(value) ? value : new Copy().of(value, 0);
}

/** Values that are data as they stand: most arguments and many results. */
function isSimple(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

class Copy {
  private nodes = 0;
  private chars = 0;
  private readonly path = new Set<object>();

  of(value: unknown, depth: number): unknown {
    this.nodes++;
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
        return this.text(String(value));
      case 'symbol':
        return this.text(value.toString());
      case 'function':
        return '[function]';
      case 'object':
        return value === null ? null : this.object(value, depth);
      default:
        return value;
    }
  }

  private text(value: string): string {
    this.chars += value.length;
    return this.chars > MAX_CHARS ? '[text left out: the result is too large]' : value.toWellFormed();
  }

  private object(value: object, depth: number): unknown {
    if (this.path.has(value)) return '[circular]';
    if (depth >= MAX_DEPTH) return '[nested too deeply]';
    this.path.add(value);
    try {
      return this.read(value, depth);
    } catch {
      return '[unreadable]';
    } finally {
      this.path.delete(value);
    }
  }

  private read(value: object, depth: number): unknown {
    if (Array.isArray(value)) return this.list(value, value.length, depth);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      const special = this.special(value, depth);
      if (special !== undefined) return special.value;
    }
    const toJson = (value as { readonly toJSON?: unknown }).toJSON;
    if (typeof toJson === 'function') return this.ownJson(value, toJson as () => unknown, depth);
    return this.fields(value, depth);
  }

  /** Values of built-in classes whose properties do not say what they are; of another realm too, as those of Node's own are inside a test. */
  private special(value: object, depth: number): { readonly value: unknown } | undefined {
    if (types.isDate(value)) return { value: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() };
    if (types.isMap(value)) return { value: this.map(value, depth) };
    if (types.isSet(value)) return { value: this.list([...value.values()], value.size, depth) };
    if (types.isNativeError(value) || value instanceof Error) return { value: this.error(value, depth) };
    if (types.isRegExp(value) || value instanceof URLSearchParams) return { value: this.text(String(value)) };
    if (types.isBoxedPrimitive(value)) return { value: this.of(value.valueOf(), depth) };
    if (types.isPromise(value)) return { value: '[promise]' };
    if (types.isAnyArrayBuffer(value)) return { value: `[binary data, ${value.byteLength} bytes]` };
    if (value instanceof Headers || value instanceof FormData) return { value: this.of([...value], depth + 1) };
    if (!ArrayBuffer.isView(value)) return undefined;
    if (types.isUint8Array(value) || types.isDataView(value)) return { value: `[binary data, ${value.byteLength} bytes]` };
    const numbers = value as unknown as ArrayLike<unknown>;
    return { value: this.list(numbers, numbers.length, depth) };
  }

  private list(items: ArrayLike<unknown>, length: number, depth: number): unknown[] {
    const copy: unknown[] = [];
    for (let at = 0; at < length; at++) {
      if (this.nodes > MAX_NODES) {
        copy.push(`[${length - at} more items left out]`);
        break;
      }
      copy.push(this.item(items, at, depth) ?? null);
    }
    return copy;
  }

  private item(items: ArrayLike<unknown>, at: number, depth: number): unknown {
    try {
      return this.of(items[at], depth + 1);
    } catch {
      return '[unreadable]';
    }
  }

  private map(map: ReadonlyMap<unknown, unknown>, depth: number): unknown {
    const entries = [...map];
    const keyed = entries.every(([key]) => typeof key === 'string' || typeof key === 'number');
    if (!keyed) return this.list(entries, entries.length, depth);
    const copy: Record<string, unknown> = {};
    for (const [key, value] of entries) this.put(copy, String(key), () => value, depth);
    return copy;
  }

  private error(error: Error, depth: number): unknown {
    const copy: Record<string, unknown> = {};
    this.put(copy, 'name', () => error.name, depth);
    this.put(copy, 'message', () => error.message, depth);
    if (error.cause !== undefined) this.put(copy, 'cause', () => error.cause, depth);
    for (const key of Object.keys(error)) this.put(copy, key, () => (error as unknown as Record<string, unknown>)[key], depth);
    return copy;
  }

  private ownJson(value: object, toJson: (key: string) => unknown, depth: number): unknown {
    let said: unknown;
    try {
      said = toJson.call(value, '');
    } catch {
      return this.fields(value, depth);
    }
    // One that gives itself would go round for ever.
    return said === value ? this.fields(value, depth) : this.of(said, depth + 1);
  }

  private fields(value: object, depth: number): unknown {
    const copy: Record<string, unknown> = {};
    const keys = Object.keys(value);
    for (const [at, key] of keys.entries()) {
      if (this.nodes > MAX_NODES) {
        copy['…'] = `[${keys.length - at} more properties left out]`;
        break;
      }
      this.put(copy, key, () => (value as Record<string, unknown>)[key], depth);
    }
    return copy;
  }

  private put(copy: Record<string, unknown>, key: string, read: () => unknown, depth: number): void {
    let value: unknown;
    try {
      value = read();
    } catch {
      value = '[unreadable]';
    }
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return;
    const plain = this.of(value, depth + 1);
    if (plain === undefined) return;
    // Assigning `__proto__` would set the prototype instead of a property.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: plain, enumerable: true, writable: true, configurable: true });
    else copy[key.toWellFormed()] = plain;
  }
}
