/** Calls of one tool in a sliding window of time: exact, and no larger than the number of calls that it allows. */
export class RateWindow {
  /** When the last calls were made, as a ring; the oldest is at `next` once it is full. */
  private readonly times: number[] = [];
  private next = 0;

  constructor(
    private readonly calls: number,
    /** Milliseconds. */
    private readonly per: number,
  ) {}

  /** When a call may be made again; `undefined` when it may be made now. */
  fullUntil(now: number): number | undefined {
    if (this.times.length < this.calls) return undefined;
    const free = (this.times[this.next] as number) + this.per;
    return free > now ? free : undefined;
  }

  /** Counts a call. */
  take(now: number): void {
    this.times[this.next] = now;
    this.next = (this.next + 1) % this.calls;
  }
}
