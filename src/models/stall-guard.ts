import { ToolwrightError } from '../errors/toolwright-error';

/** Watches over promises that are awaited one after the other: one timer for all, which costs a promise nothing but a look at the clock. */
export class StallGuard {
  private timer: NodeJS.Timeout | undefined;
  private waitingSince: number | undefined;
  private giveUp: ((reason: Error) => void) | undefined;
  /** Whether a promise took too long. */
  stalled = false;

  /** @param timeout the longest that one promise may take, in milliseconds */
  constructor(private readonly timeout: number) {}

  /** Settles as the promise does, or rejects when it takes too long; `stalled` tells which. */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waitingSince = performance.now();
      this.giveUp = reject;
      this.timer ??= this.arm(this.timeout);
      promise.then(
        (value) => {
          this.waitingSince = undefined;
          resolve(value);
        },
        (error: Error) => {
          this.waitingSince = undefined;
          reject(error);
        },
      );
    });
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private arm(delay: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.timer = undefined;
      // Time that nobody waited does not count.
      if (this.waitingSince === undefined) return;
      const left = this.timeout - (performance.now() - this.waitingSince);
      if (left > 1) this.timer = this.arm(left);
      else {
        this.stalled = true;
        this.giveUp?.(new ToolwrightError('STALLED', `nothing came for ${this.timeout} ms`));
      }
    }, delay);
  }
}
