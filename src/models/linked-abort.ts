import type { ModelRequest } from './model';

/** A request whose signal belongs to it alone: whoever carries it out may abort it, and needs no signal of its own. */
export interface AbortableRequest extends ModelRequest {
  readonly abort?: (reason: unknown) => void;
}

/** A signal that follows another one and can abort by itself; `release` leaves no listener behind. */
export class LinkedAbort {
  private readonly controller = new AbortController();
  private readonly onAbort: () => void;

  constructor(private readonly parent: AbortSignal) {
    this.onAbort = () => this.controller.abort(parent.reason);
    if (parent.aborted) this.controller.abort(parent.reason);
    else parent.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(reason: unknown): void {
    this.controller.abort(reason);
  }

  release(): void {
    this.parent.removeEventListener('abort', this.onAbort);
  }
}
