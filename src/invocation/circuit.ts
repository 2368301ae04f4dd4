/** Whether one tool is left alone because it keeps failing. After the rest one call is let through, and decides how it goes on. */
export class Circuit {
  private failures = 0;
  private restsUntil: number | undefined;
  private trying = false;

  constructor(
    private readonly limit: number,
    /** How long it rests, in milliseconds. */
    private readonly resetAfter: number,
  ) {}

  /** When a call may be tried again; `undefined` when one may be made now. */
  openUntil(now: number): number | undefined {
    if (this.restsUntil === undefined) return undefined;
    if (this.restsUntil > now) return this.restsUntil;
    return this.trying ? now + this.resetAfter : undefined;
  }

  /** A call is made; says whether it is the one that tries. */
  begin(): boolean {
    if (this.restsUntil !== undefined) this.trying = true;
    return this.trying;
  }

  /** How a call came out; `undefined` when that says nothing about the tool. */
  end(worked: boolean | undefined, tried: boolean, now: number): void {
    if (tried) this.trying = false;
    if (worked === undefined) return;
    if (worked) {
      // A success of a call that began before the rest says nothing about now.
      if (this.restsUntil !== undefined && !tried) return;
      this.failures = 0;
      this.restsUntil = undefined;
    } else if (++this.failures >= this.limit || tried) this.restsUntil = now + this.resetAfter;
  }
}
