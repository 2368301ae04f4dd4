/** The longest single event that is read, in UTF-16 code units; a longer one is an attack or a broken server. */
const MAX_EVENT = 16_000_000;

/** One event of a stream. */
export interface SseEvent {
  /** The event's type; empty when the server named none. */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads an event stream piece by piece, wherever the pieces were cut (WHATWG HTML, section 9.2.6).
 *
 * Differs from the specification in one point: `end` gives an event that has no blank line after it, as small servers
 * leave the last one out.
 */
export class SseParser {
  private line = '';
  private data: string | undefined;
  private event = '';
  private skipLineFeed = false;

  /** Takes decoded text and appends the events that it completes to `events`. */
  push(text: string, events: SseEvent[]): void {
    let at = 0;
    if (this.skipLineFeed && text.length > 0) {
      this.skipLineFeed = false;
      if (text.charCodeAt(0) === 10) at = 1;
    }
    let lineFeed = text.indexOf('\n', at);
    let carriageReturn = text.indexOf('\r', at);
    while (lineFeed !== -1 || carriageReturn !== -1) {
      const atReturn = carriageReturn !== -1 && (lineFeed === -1 || carriageReturn < lineFeed);
      const end = atReturn ? carriageReturn : lineFeed;
      const piece = text.slice(at, end);
      this.endLine(this.line === '' ? piece : this.line + piece, events);
      this.line = '';
      at = end + 1;
      if (atReturn) {
        if (at === text.length) this.skipLineFeed = true;
        else if (text.charCodeAt(at) === 10) at += 1;
        carriageReturn = text.indexOf('\r', at);
      }
      if (lineFeed !== -1 && lineFeed < at) lineFeed = text.indexOf('\n', at);
    }
    if (at < text.length) this.line += at === 0 ? text : text.slice(at);
    if (this.line.length > MAX_EVENT) throw new RangeError(`one line of the stream is longer than ${MAX_EVENT} characters`);
  }

  /** The stream is over: what is complete but for its blank line is still an event. */
  end(events: SseEvent[]): void {
    if (this.line !== '') this.endLine(this.line, events);
    this.line = '';
    this.endLine('', events);
  }

  private endLine(line: string, events: SseEvent[]): void {
    if (line === '') {
      if (this.data !== undefined) events.push({ event: this.event, data: this.data });
      this.data = undefined;
      this.event = '';
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field !== 'data' && field !== 'event') return;
    const from = colon === -1 ? line.length : line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1;
    const value = line.slice(from);
    if (field === 'event') this.event = value;
    else this.data = this.data === undefined ? value : `${this.data}\n${value}`;
    if (this.data !== undefined && this.data.length > MAX_EVENT)
      throw new RangeError(`one event of the stream is longer than ${MAX_EVENT} characters`);
  }
}
