import { ModelError } from '../errors/run-error';

/** The longest answer that is read, in bytes. */
const MAX_ANSWER = 64_000_000;
/** How long the rest of a finished answer may take before its connection is given up. Milliseconds. */
const DRAIN_TIME = 1_000;

/** The body of an HTTP answer as decoded text, bounded, and let go in any case. */
export class TextSource {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly decoder = new TextDecoder();
  private total = 0;
  private state: 'open' | 'finished' | 'ended' = 'open';

  constructor(body: ReadableStream<Uint8Array>) {
    this.reader = body.getReader();
  }

  /** The next piece of text, which may be empty; `undefined` at the end. */
  async read(): Promise<string | undefined> {
    if (this.state === 'ended') return undefined;
    const { done, value } = await this.reader.read();
    if (done) {
      this.state = 'ended';
      const rest = this.decoder.decode();
      return rest === '' ? undefined : rest;
    }
    this.total += value.byteLength;
    if (this.total > MAX_ANSWER) throw new ModelError(`The model's answer is longer than ${MAX_ANSWER} bytes.`);
    return this.decoder.decode(value, { stream: true });
  }

  /** The answer said that it is over: nothing more is wanted, but its connection may be. */
  finish(): void {
    if (this.state === 'open') this.state = 'finished';
  }

  /** Lets the body go. After `finish`, its end is awaited for a moment so that the connection can be used again. Never fails. */
  close(): void {
    if (this.state === 'ended') return;
    const giveUp = (): void => void this.reader.cancel().catch(() => undefined);
    if (this.state === 'open') return giveUp();
    const timer = setTimeout(giveUp, DRAIN_TIME);
    timer.unref();
    void this.reader
      .read()
      .then(({ done }) => (done ? undefined : giveUp()))
      .catch(() => undefined)
      .finally(() => clearTimeout(timer));
  }
}
