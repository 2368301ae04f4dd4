interface Entry {
  readonly value: unknown;
  readonly until: number;
  readonly size: number;
}

/** Results kept, and characters kept in all, of one runner. */
const MAX_ENTRIES = 1_000;
const MAX_SIZE = 20_000_000;

/**
 * Results of read-only tools with `cache`, least recently used first out.
 *
 * Kept apart by tool, instance, `deps` and arguments: two users' runs never share a result, unless they share `deps`. A tool
 * whose answer depends on more than these, such as on `context.state`, must not be cached.
 */
export class ResultCache {
  private readonly entries = new Map<string, Entry>();
  // Numbers stand for objects in the keys, so the cache keeps neither instances nor `deps` alive.
  private readonly identities = new WeakMap<object, number>();
  private lastIdentity = 0;
  private size = 0;

  /** What tells one cached call from another. `args` must be canonical text. */
  key(owner: string, tool: string, host: object | undefined, deps: unknown, args: string): string {
    return JSON.stringify([owner, tool, this.identity(host), this.identity(deps), args]);
  }

  /** The value kept under the key, unless it is older than its time to live. */
  get(key: string, now: number): { readonly value: unknown } | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.forget(key, entry);
    if (entry.until <= now) return undefined;
    this.keep(key, entry);
    return entry;
  }

  /** Keeps a value until the time given; one larger than a twentieth of the whole cache is not kept. */
  set(key: string, value: unknown, until: number, size: number): void {
    const before = this.entries.get(key);
    if (before !== undefined) this.forget(key, before);
    if (size > MAX_SIZE / 20) return;
    this.keep(key, { value, until, size });
    for (const [oldest, entry] of this.entries) {
      if (this.entries.size <= MAX_ENTRIES && this.size <= MAX_SIZE) return;
      this.forget(oldest, entry);
    }
  }

  private keep(key: string, entry: Entry): void {
    this.entries.set(key, entry);
    this.size += entry.size + key.length;
  }

  private forget(key: string, entry: Entry): void {
    this.entries.delete(key);
    this.size -= entry.size + key.length;
  }

  private identity(of: unknown): string {
    if ((typeof of !== 'object' || of === null) && typeof of !== 'function') return `${typeof of}:${String(of)}`;
    let id = this.identities.get(of);
    if (id === undefined) this.identities.set(of, (id = ++this.lastIdentity));
    return `#${id}`;
  }
}
