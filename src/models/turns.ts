// Not the global one, which tests replace.
import { setImmediate } from 'node:timers';

/** Lets so much begin in one turn of the event loop and no more, so that a crowd does not hold up everything else. */
export class Turns {
  private begun = 0;
  private armed = false;
  private waiting: (() => void)[] = [];

  constructor(private readonly perTurn: number) {}

  /** @returns `undefined` when it may begin at once; else what is fulfilled when it may, in order of arrival */
  next(): Promise<void> | undefined {
    if (!this.armed) {
      this.armed = true;
      setImmediate(() => this.turn());
    }
    if (this.begun < this.perTurn) {
      this.begun += 1;
      return undefined;
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private turn(): void {
    const next = this.waiting.splice(0, this.perTurn);
    this.begun = next.length;
    this.armed = next.length > 0;
    if (this.armed) setImmediate(() => this.turn());
    for (const begin of next) begin();
  }
}
