/** Serialises work by key, in the order in which it asked. Holders are not revealed and keys that nobody uses are forgotten. */
export class Locks {
  private readonly tails = new Map<string, Promise<void>>();

  /**
   * Waits until all earlier holders of the key released it. The returned function releases it; calling it twice does nothing.
   * @throws the signal's reason, when it aborts while waiting
   */
  async acquire(key: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    let release!: () => void;
    const mine = new Promise<void>((resolve) => (release = resolve));
    const before = this.tails.get(key);
    const tail = (before ?? Promise.resolve()).then(() => mine);
    this.tails.set(key, tail);
    void tail.then(() => {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    });
    if (before === undefined) return release;
    try {
      await (signal === undefined ? before : settledOrAborted(before, signal));
    } catch (reason) {
      release();
      throw reason;
    }
    return release;
  }
}

function settledOrAborted(waitedFor: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    void waitedFor.then(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}
