import type { Connection } from './connection';
import { toModelError } from './errors';
import { joinPieces } from './join-pieces';
import { LinkedAbort, type AbortableRequest } from './linked-abort';
import type { ModelChunk } from './model';
import { pricedUsage } from './prices';
import { StallGuard } from './stall-guard';
import { Turns } from './turns';
import { DONE, openWire, type Wire, type WireItem } from './wire';

/** How long a server may keep a connection open after it said why its answer ended. Milliseconds. */
const AFTER_FINISH = 5_000;

/** Requests that begin in one turn of the event loop: making one, and its connection, is the dearest part of it, whatever client makes it. */
const turns = new Turns(32);

/** Reads one API's events into the chunks of the port. */
export interface AnswerReader {
  /** Where `push` and `end` put what they read. */
  readonly out: ModelChunk[];
  /** Whether the answer is over, but for its usage. */
  readonly finished: boolean;
  push(item: WireItem): void;
  end(): void;
}

/**
 * Asks a model and reads its answer to the end.
 * @param name the model's full name, by which its prices are known
 * @throws ModelError for everything that goes wrong; the signal's reason when it aborts
 */
export async function* askAndRead(
  name: string,
  request: AbortableRequest,
  connection: Connection,
  ask: (signal: AbortSignal) => unknown,
  reader: AnswerReader,
): AsyncGenerator<ModelChunk, void, undefined> {
  request.signal.throwIfAborted();
  const own = request.abort === undefined ? new LinkedAbort(request) : undefined;
  let wire: Wire | undefined;
  let guard: StallGuard | undefined;
  try {
    try {
      const turn = turns.next();
      if (turn !== undefined) {
        await turn;
        request.signal.throwIfAborted();
      }
      wire = openWire(await ask(own?.signal ?? request.signal));
      for (;;) {
        if (reader.finished) guard ??= new StallGuard(AFTER_FINISH);
        const items = await (guard === undefined ? wire.next() : guard.race(wire.next()));
        if (items === undefined) break;
        for (const item of items) reader.push(item);
        joinPieces(reader.out);
        for (const chunk of reader.out) yield chunk;
        reader.out.length = 0;
        if (items.at(-1) === DONE) break;
      }
    } catch (error) {
      // The answer was whole; only its usage may be missing.
      if (!reader.finished || request.signal.aborted) {
        // What came before the failure was said.
        if (!request.signal.aborted) for (const chunk of reader.out) yield chunk;
        throw error;
      }
    }
    reader.end();
    for (const chunk of reader.out) yield chunk.type === 'usage' ? { type: 'usage', usage: pricedUsage(name, chunk.usage) } : chunk;
  } catch (error) {
    request.signal.throwIfAborted();
    throw toModelError(error, connection.place);
  } finally {
    guard?.stop();
    if (guard?.stalled === true) (own ?? request).abort?.(new Error('The answer is over.'));
    own?.release();
    wire?.close();
  }
}

/** The HTTP response behind a client's answer; the parsed answer, where a client of the caller's own gives nothing else. */
export function rawAnswer(answer: unknown): unknown {
  const asResponse = (answer as { readonly asResponse?: unknown } | undefined)?.asResponse;
  return typeof asResponse === 'function' ? (asResponse.call(answer) as unknown) : answer;
}
