/** The beginning and the end of a text that may be long; what is between them is counted and let go. */
export class OutputWindow {
  private head = '';
  private tail = '';
  private total = 0;

  /** @param first characters kept of the beginning @param last and of the end */
  constructor(
    private readonly first: number,
    private readonly last: number,
  ) {}

  add(text: string): void {
    this.total += text.length;
    const room = this.first - this.head.length;
    if (room > 0) this.head += text.slice(0, room);
    if (text.length <= room) return;
    this.tail += text.slice(Math.max(0, room));
    // Cut now and then only, so that many small pieces cost no more than few large ones.
    if (this.tail.length > 2 * this.last + 1_000) this.tail = this.tail.slice(-this.last);
  }

  text(): string {
    const tail = this.tail.slice(-this.last);
    const left = this.total - this.head.length - tail.length;
    return `${this.head}${left > 0 ? `\n[… ${left} characters left out …]\n` : ''}${tail}`.toWellFormed();
  }
}
