import { ModelError } from '../errors/run-error';
import { answerExcerpt, htmlAnswer } from './errors';
import { asPlain } from './plain';
import { SseParser, type SseEvent } from './sse';
import { TextSource } from './text-source';

/** One JSON value of an answer. */
export interface WireItem {
  /** The event's type; empty where there is none. */
  readonly event: string;
  readonly value: unknown;
  /** The answer in one piece, rather than an event of a stream. */
  readonly whole: boolean;
}

/** What marks the end of a chat stream: `[DONE]`. */
export const DONE: WireItem = Object.freeze({ event: '', value: undefined, whole: false });

/** A provider's answer as JSON values, in batches as they arrive. */
export interface Wire {
  /** What came next; `undefined` at the end. */
  next(): Promise<readonly WireItem[] | undefined>;
  /** Nothing more is wanted; a `next` that still waits comes to an end where that can be brought about. Never fails. */
  close(): void;
}

/**
 * Opens a provider's answer: an HTTP response, or what a client of the caller's own gives, a stream of parsed chunks or a parsed answer.
 *
 * The first character of a response decides what it is, whatever its content type says: servers send JSON for a stream, and streams for
 * JSON.
 * @throws ModelError, here or from `next`, for HTML, an empty body, or text that is no answer
 */
export function openWire(answer: unknown): Wire {
  if (isResponse(answer)) return new ResponseWire(answer);
  if (isAsyncIterable(answer)) return new ParsedWire(answer);
  return new WholeWire(answer);
}

interface ResponseLike {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | null;
}

function isResponse(answer: unknown): answer is ResponseLike {
  const it = asPlain(answer);
  return it !== undefined && typeof it['text'] === 'function' && typeof asPlain(it['headers'])?.['get'] === 'function';
}

function isAsyncIterable(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

class ParsedWire implements Wire {
  private readonly chunks: AsyncIterator<unknown>;

  constructor(chunks: AsyncIterable<unknown>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  async next(): Promise<readonly WireItem[] | undefined> {
    const next = await this.chunks.next();
    return next.done === true ? undefined : [{ event: '', value: next.value, whole: false }];
  }

  close(): void {
    void Promise.resolve(this.chunks.return?.()).catch(() => undefined);
  }
}

class WholeWire implements Wire {
  private isRead = false;

  constructor(private readonly answer: unknown) {}

  next(): Promise<readonly WireItem[] | undefined> {
    if (this.isRead) return Promise.resolve(undefined);
    this.isRead = true;
    const { answer } = this;
    return Promise.resolve(typeof answer === 'string' ? wholeBody(answer, 200) : [{ event: '', value: answer, whole: true }]);
  }

  close(): void {
    this.isRead = true;
  }
}

class ResponseWire implements Wire {
  private readonly source: TextSource;
  private readonly status: number;
  private readonly parser = new SseParser();
  private readonly events: SseEvent[] = [];
  private state: 'begins' | 'streams' | 'over' = 'begins';
  /** Whether there was any event, and the beginning of the text as long as there was none. */
  private spoke = false;
  private head = '';

  constructor({ status, body }: ResponseLike) {
    if (body === null) throw emptyAnswer(status);
    this.status = status;
    this.source = new TextSource(body);
  }

  async next(): Promise<readonly WireItem[] | undefined> {
    if (this.state === 'begins') {
      const begin = await this.beginning();
      if (kindOf(begin) === 'whole') {
        this.state = 'over';
        return wholeBody(await this.toItsEnd(begin), this.status);
      }
      this.state = 'streams';
      const items = this.take(begin);
      if (items.length > 0) return items;
    }
    while (this.state === 'streams') {
      const items = this.take(await this.source.read());
      if (items.length > 0) return items;
    }
    return undefined;
  }

  close(): void {
    this.source.close();
  }

  /** As much of the text as tells what it is. */
  private async beginning(): Promise<string> {
    let begin = '';
    for (let text = await this.source.read(); text !== undefined; text = await this.source.read()) {
      begin += text;
      if (kindOf(begin) !== 'unknown') return begin;
    }
    throw emptyAnswer(this.status);
  }

  private async toItsEnd(begin: string): Promise<string> {
    const pieces = [begin];
    for (let text = await this.source.read(); text !== undefined; text = await this.source.read()) pieces.push(text);
    return pieces.join('');
  }

  /** The items that a piece of text completes; `undefined` for the end of the text. */
  private take(text: string | undefined): readonly WireItem[] {
    const { events } = this;
    if (text === undefined) this.parser.end(events);
    else this.parser.push(text, events);
    const items = events.length === 0 ? NOTHING : itemsOf(events, text === undefined);
    if (items.length > 0) this.spoke = true;
    else if (!this.spoke && events.length === 0 && this.head.length < 400) this.head += text ?? '';
    events.length = 0;
    if (items.at(-1) === DONE) {
      this.source.finish();
      this.state = 'over';
    } else if (text === undefined) {
      if (!this.spoke) throw noAnswer(this.head);
      this.state = 'over';
    }
    return items;
  }
}

const NOTHING: readonly WireItem[] = Object.freeze([]);

type AnswerKind = 'unknown' | 'events' | 'whole';

function kindOf(begin: string): AnswerKind {
  const first = begin.trimStart().charAt(0);
  if (first === '') return begin.length > 10_000 ? 'events' : 'unknown';
  return first === '{' || first === '[' || first === '<' ? 'whole' : 'events';
}

/** The JSON values of events, up to and with the end marker. */
function itemsOf(events: readonly SseEvent[], atEnd: boolean): WireItem[] {
  const items: WireItem[] = [];
  for (const { event, data } of events) {
    const text = data.trim();
    if (text === '[DONE]') {
      items.push(DONE);
      break;
    }
    if (!text.startsWith('{') && !text.startsWith('[')) {
      // Text that is no JSON is a keep-alive, unless it is called an error; the answer's own end is checked anyway.
      if (event === 'error') items.push({ event, value: { error: text }, whole: false });
      continue;
    }
    try {
      items.push({ event, value: JSON.parse(text) as unknown, whole: false });
    } catch (cause) {
      // What the connection's end cut off is no event; the answer's missing end tells.
      if (atEnd) continue;
      throw new ModelError(`The model's stream holds an event that is not JSON: ${answerExcerpt(text)}.`, { retryable: true, cause });
    }
  }
  return items;
}

function wholeBody(text: string, status: number): WireItem[] {
  const body = text.trim();
  if (body === '') throw emptyAnswer(status);
  if (body.startsWith('<')) throw htmlAnswer(body);
  try {
    return [{ event: '', value: JSON.parse(body) as unknown, whole: true }];
  } catch (cause) {
    const lines = jsonLines(body);
    if (lines !== undefined) return lines;
    throw new ModelError(
      `The model's answer is not valid JSON; it begins with ${answerExcerpt(body)} and may have been cut off on its way.`,
      { retryable: true, cause },
    );
  }
}

/** A JSON value by the line, as some local servers stream. */
function jsonLines(body: string): WireItem[] | undefined {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  try {
    return lines.map((line) => ({ event: '', value: JSON.parse(line) as unknown, whole: false }));
  } catch {
    return undefined;
  }
}

function emptyAnswer(status: number): ModelError {
  return new ModelError(`The model's server answered ${status} with an empty body.`, {
    retryable: true,
    advice: 'If it happens again, check the base URL and any proxy in between.',
  });
}

function noAnswer(text: string): ModelError {
  const body = text.trim();
  if (body === '') return new ModelError("The model's server sent no answer, only an empty body.", { retryable: true });
  return new ModelError(`The model's server sent no answer, but the text ${answerExcerpt(body)}.`, {
    retryable: true,
    advice: 'Check that the base URL is that of an OpenAI-compatible API; it usually ends in /v1.',
  });
}
