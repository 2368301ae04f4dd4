import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** How much of a body waits for its reader before the server is held back, in bytes. */
const MOST_WAITING = 1_000_000;
/** How much of a failure's body is read, in bytes, and for how long, in milliseconds: a server must not hold up the news that it failed. */
const MOST_FAILURE_TEXT = 1_000_000;
const FAILURE_TIME = 10_000;

type Read = { readonly done: false; readonly value: Uint8Array } | { readonly done: true; readonly value: undefined };

/** What clients use of a `Response`, over an answer of `node:http`. */
export class LeanResponse {
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly headers: LeanHeaders;
  readonly body: LeanBody;

  constructor(
    answer: IncomingMessage,
    readonly url: string,
  ) {
    this.status = answer.statusCode ?? 0;
    this.statusText = answer.statusMessage ?? '';
    this.ok = this.status >= 200 && this.status <= 299;
    this.headers = new LeanHeaders(answer.headers);
    this.body = new LeanBody(decompressed(answer), answer);
  }

  /** The whole body as text; of a failure only what comes soon. */
  async text(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    let size = 0;
    const timer = this.ok ? undefined : setTimeout(() => void this.body.cancel(), FAILURE_TIME);
    try {
      for (;;) {
        const { done, value } = await this.body.read();
        if (done) return text + decoder.decode();
        text += decoder.decode(value, { stream: true });
        size += value.byteLength;
        if (!this.ok && size > MOST_FAILURE_TEXT) {
          void this.body.cancel();
          return text;
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown;
  }
}

/** The headers of an answer; names in any case. */
export class LeanHeaders {
  constructor(private readonly fields: IncomingMessage['headers']) {}

  get(name: string): string | null {
    const key = name.toLowerCase();
    const value = Object.hasOwn(this.fields, key) ? this.fields[key] : undefined;
    return value === undefined ? null : textOf(value);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.fields, name.toLowerCase());
  }

  *entries(): Generator<[string, string], void, undefined> {
    for (const name of Object.keys(this.fields)) yield [name, textOf(this.fields[name] ?? '')];
  }

  [Symbol.iterator](): Generator<[string, string], void, undefined> {
    return this.entries();
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this.entries()) visit(value, name);
  }
}

function textOf(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.join(', ');
}

/**
 * The body of an answer, read as by a `ReadableStream`'s reader; `getReader` gives the body itself. What came since the last read is
 * read in one piece, so that a reader who is late has less to do.
 */
export class LeanBody {
  private pieces: Buffer[] = [];
  private size = 0;
  private paused = false;
  private state: 'open' | 'ended' | 'failed' = 'open';
  private error: unknown;
  private waiting: { readonly resolve: (read: Read) => void; readonly reject: (error: unknown) => void } | undefined;

  constructor(
    private readonly source: Readable,
    private readonly answer: IncomingMessage,
  ) {
    source.on('data', (piece: Buffer) => this.take(piece));
    source.on('end', () => this.settle('ended'));
    // An error of the connection itself comes before the `close`, and a better one than this says why it was closed.
    source.on('close', () => this.fail(new TypeError('terminated: the connection was closed before the answer was complete')));
    source.on('error', (error) => this.fail(new TypeError('terminated', { cause: error })));
  }

  getReader(): this {
    return this;
  }

  releaseLock(): void {}

  /** The next piece. @throws TypeError when the connection broke; the reason of the abort after one */
  read(): Promise<Read> {
    return new Promise((resolve, reject) => {
      if (this.size > 0) resolve({ done: false, value: this.drain() });
      else if (this.state === 'open') this.waiting = { resolve, reject };
      else if (this.state === 'ended') resolve({ done: true, value: undefined });
      else reject(this.error);
    });
  }

  /** Lets the rest go, and the connection with it. */
  cancel(): Promise<void> {
    this.pieces = [];
    this.size = 0;
    if (this.state === 'open') {
      this.settle('ended');
      this.answer.destroy();
      if (this.source !== this.answer) this.source.destroy();
    }
    return Promise.resolve();
  }

  /** The body ends here, with an error; what came before it can still be read. */
  fail(error: unknown): void {
    if (this.state !== 'open') return;
    this.error = error;
    this.settle('failed');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (let read = await this.read(); !read.done; read = await this.read()) yield read.value;
    } finally {
      await this.cancel();
    }
  }

  private take(piece: Buffer): void {
    if (this.state !== 'open' || piece.length === 0) return;
    this.pieces.push(piece);
    this.size += piece.length;
    if (this.waiting !== undefined) this.wake();
    else if (this.size > MOST_WAITING && !this.paused) {
      this.paused = true;
      this.source.pause();
    }
  }

  // In a microtask, so that all pieces that the socket gave at once are read at once.
  private wake(): void {
    const { resolve } = this.waiting!;
    this.waiting = undefined;
    queueMicrotask(() => resolve({ done: false, value: this.drain() }));
  }

  private drain(): Uint8Array {
    const all = this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces, this.size);
    this.pieces = [];
    this.size = 0;
    if (this.paused) {
      this.paused = false;
      this.source.resume();
    }
    return all;
  }

  private settle(state: 'ended' | 'failed'): void {
    if (this.state !== 'open') return;
    this.state = state;
    const waiting = this.waiting;
    this.waiting = undefined;
    if (waiting === undefined) return;
    if (state === 'ended') waiting.resolve({ done: true, value: undefined });
    else waiting.reject(this.error);
  }
}

/** The bytes of an answer without the compression that a server may apply unasked. */
function decompressed(answer: IncomingMessage): Readable {
  const coding = answer.headers['content-encoding']?.trim().toLowerCase();
  if (coding === undefined || coding === '' || coding === 'identity') return answer;
  // Loaded for answers that are compressed, which none is asked to be.
  const { constants: zlib, createBrotliDecompress, createGunzip, createInflate } = process.getBuiltinModule('node:zlib');
  const flush = { flush: zlib.Z_SYNC_FLUSH, finishFlush: zlib.Z_SYNC_FLUSH };
  const decoder =
    coding === 'gzip' || coding === 'x-gzip'
      ? createGunzip(flush)
      : coding === 'deflate'
        ? createInflate(flush)
        : coding === 'br'
          ? createBrotliDecompress({ flush: zlib.BROTLI_OPERATION_FLUSH, finishFlush: zlib.BROTLI_OPERATION_FLUSH })
          : undefined;
  if (decoder === undefined) return answer;
  answer.on('error', (error) => decoder.destroy(error));
  decoder.on('error', () => answer.destroy());
  return answer.pipe(decoder);
}
