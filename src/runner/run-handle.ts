import type { Taint } from '../trust/taint';
import type { RunEvent } from '../types/run-event';
import type { RunResult } from '../types/run-result';
import type { EventStream } from './signals/event-stream';
import type { Inbox, SteerInput } from './conversation/inbox';
import type { Interruption } from './signals/interruption';

/**
 * A run under way: its events, its result, and what may be said to it.
 *
 * Read the events once (`for await`), or only await `result`. A failed run rejects `result`, and ends the iteration by
 * throwing after `run.end`; a handle that nobody looks at raises no unhandled rejection.
 * @example
 * const run = runner.stream(WeatherAgent, 'Coat in Oslo?');
 * for await (const event of run) if (event.type === 'model.delta') process.stdout.write(event.text);
 * const { text } = await run.result;
 */
export class RunHandle<out Output = unknown> implements AsyncIterable<RunEvent> {
  readonly result: Promise<RunResult<Output>>;

  /** Made by the runner. */
  constructor(
    result: Promise<RunResult<Output>>,
    private readonly events: EventStream,
    private readonly interruption: Interruption,
    private readonly told: { readonly inbox: Inbox; readonly taint: Taint; readonly emitter: { readonly runId: string } },
  ) {
    this.result = result;
  }

  /** The id of the run; of one that is resumed, it is known from its first event on. */
  get runId(): string {
    return this.told.emitter.runId;
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, undefined> {
    return this.events[Symbol.asyncIterator]();
  }

  /** Ends the run: its model call and its tools are told, and `result` rejects with a `RunAbortedError`. Later calls do nothing. */
  abort(reason?: unknown): void {
    this.interruption.abort(reason ?? new DOMException('The run was aborted by its handle.', 'AbortError'));
  }

  /** Said to the model before its next request, after the calls that it has made. */
  steer(message: SteerInput): void {
    this.told.inbox.steer(message);
  }

  /** Said to the model when the run would end; the run then goes on. */
  followUp(message: SteerInput): void {
    this.told.inbox.followUp(message);
  }

  /** Cancels the model call in flight and says this at once; while tools run, it is said after them. */
  redirect(message: SteerInput): void {
    this.told.inbox.redirect(message);
  }

  /**
   * Says that all foreign content which the run has read so far may be believed: calls pass again without being asked about. Content that
   * comes later counts anew, and so does the whole transcript when another run is given it.
   */
  clearTaint(): void {
    this.told.taint.clear();
  }
}
