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

/**
 * Reads a provider's answer as JSON values, in batches as they arrive.
 *
 * An answer is an HTTP response, or what a client of the caller's own gives: a stream of parsed chunks, or a parsed answer. Its
 * first character decides what it is, whatever its content type says: servers send JSON for a stream, and streams for JSON.
 * @throws ModelError for HTML, an empty body, or text that is no answer
 */
export function readWire(answer: unknown): AsyncGenerator<WireItem[], void, undefined> {
  if (isResponse(answer)) return readResponse(answer);
  if (isAsyncIterable(answer)) return readParsed(answer);
  return readWhole(answer);
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

async function* readParsed(chunks: AsyncIterable<unknown>): AsyncGenerator<WireItem[], void, undefined> {
  for await (const value of chunks) yield [{ event: '', value, whole: false }];
}

async function* readWhole(value: unknown): AsyncGenerator<WireItem[], void, undefined> {
  if (typeof value === 'string') yield wholeBody(value, 200);
  else yield [{ event: '', value, whole: true }];
}

async function* readResponse(response: ResponseLike): AsyncGenerator<WireItem[], void, undefined> {
  if (response.body === null) throw emptyAnswer(response.status);
  const source = new TextSource(response.body);
  try {
    let begin = '';
    let kind: AnswerKind = 'unknown';
    for (let text = await source.read(); text !== undefined; text = await source.read()) {
      begin += text;
      kind = kindOf(begin);
      if (kind !== 'unknown') break;
    }
    if (kind === 'unknown') throw emptyAnswer(response.status);
    if (kind === 'events') {
      yield* readEvents(source, begin);
      return;
    }
    const pieces = [begin];
    for (let text = await source.read(); text !== undefined; text = await source.read()) pieces.push(text);
    yield wholeBody(pieces.join(''), response.status);
  } finally {
    source.close();
  }
}

type AnswerKind = 'unknown' | 'events' | 'whole';

function kindOf(begin: string): AnswerKind {
  const first = begin.trimStart().charAt(0);
  if (first === '') return begin.length > 10_000 ? 'events' : 'unknown';
  return first === '{' || first === '[' || first === '<' ? 'whole' : 'events';
}

async function* readEvents(source: TextSource, begin: string): AsyncGenerator<WireItem[], void, undefined> {
  const parser = new SseParser();
  const events: SseEvent[] = [];
  let head = '';
  for (let text: string | undefined = begin; ; text = await source.read()) {
    if (text === undefined) parser.end(events);
    else parser.push(text, events);
    if (events.length > 0) {
      const items = itemsOf(events, text === undefined);
      events.length = 0;
      const over = items.at(-1) === DONE;
      if (over) source.finish();
      if (items.length > 0) {
        head = 'events';
        yield items;
      }
      if (over) return;
    } else if (head.length < 400) head += text ?? '';
    if (text !== undefined) continue;
    if (head !== 'events') throw noAnswer(head);
    return;
  }
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
    return jsonLines(body) ?? fail(cause);
  }
  function fail(cause: unknown): never {
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
