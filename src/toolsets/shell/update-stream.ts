const EVERY = 100;
const LONGEST = 4_000;

/** Passes text on in few, bounded pieces: at most one each 100 ms, at most 4 000 characters long, the newest of what there is. */
export class UpdateStream {
  private waiting = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly show: (text: string) => void) {}

  add(text: string): void {
    this.waiting = `${this.waiting}${text}`.slice(-LONGEST);
    this.timer ??= setTimeout(() => this.flush(), EVERY);
  }

  /** Shows what is left. */
  end(): void {
    this.flush();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.waiting.toWellFormed();
    this.waiting = '';
    if (text !== '') this.show(text);
  }
}
