/**
 * Something that can be cut off: a run, a model call, a batch. Its `AbortSignal` is made only when somebody asks for it.
 */
export class Interruption {
  private controller: AbortController | undefined;
  private cause: { readonly reason: unknown } | undefined;
  // A reason may be anything; whoever rejects with it treats it as an error.
  private readonly listeners = new Set<(reason: Error) => void>();

  /** @param parent cuts this off as well, until `release` */
  constructor(private readonly parent?: Interruption) {
    if (parent?.cause !== undefined) this.cause = parent.cause;
    else parent?.listeners.add(this.follow);
  }

  private readonly follow = (reason: Error): void => this.abort(reason);

  /** What was guarded is over: the parent forgets this. */
  release(): void {
    this.parent?.listeners.delete(this.follow);
  }

  get aborted(): boolean {
    return this.cause !== undefined;
  }

  get reason(): unknown {
    return this.cause?.reason;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.cause !== undefined) this.controller.abort(this.cause.reason);
    }
    return this.controller.signal;
  }

  /** The first reason counts; later ones do nothing. */
  abort(reason: unknown): void {
    if (this.cause !== undefined) return;
    this.cause = { reason };
    for (const listener of [...this.listeners]) listener(reason as Error);
    this.listeners.clear();
    this.controller?.abort(reason);
  }

  /** Calls back once, at once if this is cut off already; the function that comes back takes the listener away. */
  onAbort(listener: (reason: unknown) => void): () => void {
    if (this.cause !== undefined) listener(this.cause.reason);
    else this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Settles as the promise does, or rejects with the reason as soon as this is cut off. What comes later is swallowed. */
  race<T>(promise: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const cut = (reason: Error): void => reject(reason);
      promise.then(
        (value) => {
          this.listeners.delete(cut);
          resolve(value);
        },
        (error: Error) => {
          this.listeners.delete(cut);
          reject(error);
        },
      );
      if (this.cause !== undefined) cut(this.cause.reason as Error);
      else this.listeners.add(cut);
    });
  }
}
