import type { ModelRequest } from './model';

/** A request as the framework's own models know it. */
export interface AbortableRequest extends ModelRequest {
  /** Aborts the request's signal, which belongs to it alone: whoever carries the request out needs none of its own. */
  readonly abort?: (reason: unknown) => void;
  /** Calls back when the request is cut off, without making its signal; the function that comes back stops that. */
  onCut?(listener: (reason: unknown) => void): () => void;
}

/** A signal that follows a request and can abort by itself; `release` leaves no listener behind. */
export class LinkedAbort {
  private readonly controller = new AbortController();
  /** Lets go of what is followed. */
  readonly release: () => void;

  constructor(request: AbortableRequest) {
    this.release = request.onCut?.((reason) => this.abort(reason)) ?? this.followSignal(request.signal);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(reason: unknown): void {
    this.controller.abort(reason);
  }

  private followSignal(parent: AbortSignal): () => void {
    const onAbort = (): void => this.abort(parent.reason);
    if (parent.aborted) onAbort();
    else parent.addEventListener('abort', onAbort, { once: true });
    return () => parent.removeEventListener('abort', onAbort);
  }
}
