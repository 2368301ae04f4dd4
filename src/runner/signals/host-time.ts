import { bounded, settled } from '../../invocation/deadline';
import { isThenable } from '../../invocation/maybe-promise';
import type { Interruption } from './interruption';

/** In milliseconds: the most that one hook or guardrail may take, and what it may always take. */
const LONGEST = 300_000;
const SHORTEST = 1_000;

/** How long a run waits for its host: for the hooks and guardrails around it, which must not outlast the run's own time. */
export class HostTime {
  /** @param left milliseconds that the run may still last */
  constructor(
    private readonly interruption: Interruption,
    private readonly left: () => number,
  ) {}

  /** Whether the run was aborted. */
  get isOver(): boolean {
    return this.interruption.aborted;
  }

  /** @throws what the work throws, the reason of an abort, or a `ToolTimeoutError` when the time is up */
  async wait<T>(work: T | PromiseLike<T>): Promise<T> {
    const { interruption } = this;
    const ms = Math.max(SHORTEST, Math.min(LONGEST, this.left()));
    const value = isThenable(work) ? await bounded(work, 'It', ms, interruption.signal) : work;
    if (interruption.aborted) throw interruption.reason;
    return value;
  }

  /** For what is to hear of the run's end, also of one that was aborted. */
  async waitAtEnd(work: unknown): Promise<void> {
    if (!isThenable(work)) return;
    const { signal } = this.interruption;
    const ended = signal.aborted ? undefined : await settled(work, LONGEST, [signal]);
    if (ended === undefined || ended.how === 'aborted') await bounded(work, 'It', SHORTEST);
    else if (ended.how === 'expired') throw new Error(`It did not answer within ${LONGEST} ms.`);
    else if (ended.how === 'threw') throw ended.error;
  }
}
