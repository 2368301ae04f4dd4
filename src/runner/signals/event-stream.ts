import { UsageError } from '../../errors/usage-error';
import type { RunEvent } from '../../types/run-event';

/** Events that wait before a slow reader is given deltas in larger pieces. */
const COMFORTABLE = 256;
/** How far back a delta looks for one that it may join: as many texts and calls may go on side by side. */
const REACH = 256;

type Waiting = { readonly resolve: (result: IteratorResult<RunEvent, undefined>) => void; readonly reject: (error: unknown) => void };

/**
 * The events of one run on their way to one reader.
 *
 * They wait for the first reader. When many wait, deltas of one text are joined and of several updates of one call the
 * newest stays; life-cycle events are never lost. A second reader is an error, and leaving early calls `onLeave`.
 */
export class EventStream implements AsyncIterable<RunEvent> {
  private queue: RunEvent[] = [];
  private head = 0;
  private readonly waiting: Waiting[] = [];
  private read = false;
  private over = false;
  private failure: { readonly error: unknown } | undefined;

  constructor(private readonly onLeave: () => void) {}

  push(event: RunEvent): void {
    if (this.over) return;
    const reader = this.waiting.shift();
    if (reader !== undefined) reader.resolve({ done: false, value: event });
    else if (this.queue.length - this.head < COMFORTABLE || !this.joined(event)) this.queue.push(event);
  }

  /** Nothing more will come; with an error, reading ends by throwing it. */
  end(failure?: { readonly error: unknown }): void {
    if (this.over) return;
    this.over = true;
    this.failure = failure;
    for (const reader of this.waiting.splice(0)) this.last(reader);
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, undefined> {
    if (this.read)
      throw new UsageError('The events of this run already have a reader. Read them once, and pass them on; or give `onEvent` as well.');
    this.read = true;
    return {
      next: () => this.next(),
      return: async () => {
        this.leave();
        return { done: true, value: undefined };
      },
    };
  }

  private next(): Promise<IteratorResult<RunEvent, undefined>> {
    const event = this.queue[this.head];
    if (event !== undefined) {
      this.forget();
      return Promise.resolve({ done: false, value: event });
    }
    return new Promise((resolve, reject) => {
      if (this.over) this.last({ resolve, reject });
      else this.waiting.push({ resolve, reject });
    });
  }

  private forget(): void {
    this.head++;
    if (this.head < COMFORTABLE && this.head < this.queue.length) return;
    this.queue = this.queue.slice(this.head);
    this.head = 0;
  }

  private leave(): void {
    const early = !this.over;
    this.over = true;
    this.failure = undefined;
    this.queue = [];
    this.head = 0;
    for (const reader of this.waiting.splice(0)) this.last(reader);
    if (early) this.onLeave();
  }

  private last(reader: Waiting): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure === undefined) reader.resolve({ done: true, value: undefined });
    else reader.reject(failure.error);
  }

  private joined(event: RunEvent): boolean {
    if (event.type !== 'model.delta' && event.type !== 'tool.update') return false;
    for (let at = this.queue.length - 1; at >= Math.max(this.head, this.queue.length - REACH); at--) {
      const earlier = this.queue[at] as RunEvent;
      // An answer that was cancelled is not continued by the next one, which has the same turn.
      if (earlier.type === 'turn.start' && earlier.runId === event.runId) return false;
      const joint = join(earlier, event);
      if (joint === undefined) continue;
      this.queue[at] = joint;
      return true;
    }
    return false;
  }
}

function join(earlier: RunEvent, later: RunEvent): RunEvent | undefined {
  if (earlier.turn !== later.turn || earlier.runId !== later.runId) return undefined;
  if (earlier.type === 'model.delta' && later.type === 'model.delta')
    return earlier.kind === later.kind && earlier.index === later.index ? { ...earlier, text: earlier.text + later.text } : undefined;
  if (earlier.type === 'tool.update' && later.type === 'tool.update')
    return earlier.callId === later.callId ? { ...earlier, data: later.data } : undefined;
  return undefined;
}
