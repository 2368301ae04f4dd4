import { ModelError } from '../../errors/run-error';
import type { FinishReason, Model, ModelChunk, ModelRequest, ModelUsage } from '../../models/model';
import type { Interruption } from '../signals/interruption';

/** One call of an answer, as its fragments say. */
interface AnswerCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly arguments: string;
}

/** An answer read to its end. */
export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  readonly calls: readonly AnswerCall[];
  readonly finish: FinishReason;
  readonly usage: ModelUsage | undefined;
  readonly extra: { readonly [key: string]: unknown } | undefined;
}

/** Who watches an answer come; absent where nobody does. */
export interface AnswerWatcher {
  delta(kind: 'text' | 'reasoning' | 'arguments', text: string, index?: number): void;
}

/** The most that one answer may hold, in UTF-16 code units and in calls: a server that never stops must not fill the memory. */
const LONGEST_ANSWER = 16_000_000;
const MOST_CALLS = 4_096;
/** After so many chunks others get their turn. */
const PATIENCE = 1_000;

/**
 * Asks the model and reads its answer to the end. Calls are complete only then.
 *
 * @throws the interruption's reason as soon as it is cut off, even if the model does not listen to the request's signal
 * @throws ModelError when the stream stops without its end; what the model throws otherwise
 */
export function collectAnswer(
  model: Model,
  request: ModelRequest,
  interruption: Interruption,
  watcher: AnswerWatcher | undefined,
  warn: (text: string) => void,
): Promise<Answer> {
  const assembly = new Assembly(watcher, warn);
  return interruption.race(read(model, request, interruption, assembly));
}

async function read(model: Model, request: ModelRequest, interruption: Interruption, assembly: Assembly): Promise<Answer> {
  const chunks = model.stream(request)[Symbol.asyncIterator]();
  try {
    for (let taken = 1; ; taken++) {
      const step = await chunks.next();
      // One that never waits would keep every timer and every abort from being heard.
      if (taken % PATIENCE === 0) await new Promise((resolve) => setImmediate(resolve));
      if (interruption.aborted) throw interruption.reason;
      if (step.done === true) throw stoppedShort(model);
      const finish = assembly.take(step.value);
      if (finish !== undefined) return assembly.answer(finish);
    }
  } finally {
    close(chunks);
  }
}

/** Tells the stream that nobody reads on, and does not wait for it: what it still does is its own affair. */
function close(chunks: AsyncIterator<ModelChunk>): void {
  try {
    chunks.return?.().then(undefined, () => undefined);
  } catch {
    // A stream that cannot even be closed changes nothing about the answer.
  }
}

function stoppedShort(model: Model): ModelError {
  return new ModelError(`The answer of ${model.name} stopped before its end.`, {
    retryable: true,
    advice: 'The connection was probably cut. Run again, or go on from `partial` with `continueFrom`.',
  });
}

class Assembly {
  private text = '';
  private reasoning = '';
  private refusal = '';
  private usage: ModelUsage | undefined;
  private extra: { readonly [key: string]: unknown } | undefined;
  private readonly calls = new Map<number, { id: string | undefined; name: string; arguments: string }>();
  private size = 0;

  constructor(
    private readonly watcher: AnswerWatcher | undefined,
    private readonly warn: (text: string) => void,
  ) {}

  /** Takes a chunk; the last one gives the reason for the end. Chunks of unknown kinds are passed over. */
  take(chunk: ModelChunk): FinishReason | undefined {
    switch (chunk?.type) {
      case 'text':
        this.text += this.counted(chunk.text);
        this.watcher?.delta('text', chunk.text);
        return undefined;
      case 'reasoning':
        this.reasoning += this.counted(chunk.text);
        this.watcher?.delta('reasoning', chunk.text);
        return undefined;
      case 'refusal':
        this.refusal += this.counted(chunk.text);
        return undefined;
      case 'call':
        this.takeCall(chunk);
        return undefined;
      case 'usage':
        this.usage = this.usage === undefined ? { ...chunk.usage } : { ...this.usage, ...chunk.usage };
        return undefined;
      case 'extra':
        this.extra = { ...this.extra, ...chunk.extra };
        return undefined;
      case 'warning':
        this.warn(chunk.text);
        return undefined;
      case 'end':
        return chunk.finish;
      default:
        return undefined;
    }
  }

  answer(finish: FinishReason): Answer {
    const calls = [...this.calls].sort(([a], [b]) => a - b).map(([, call]) => call);
    const { text, reasoning, refusal, usage, extra } = this;
    return { text, reasoning, refusal, calls, finish, usage, extra };
  }

  private takeCall(chunk: ModelChunk & { readonly type: 'call' }): void {
    let call = this.calls.get(chunk.index);
    if (call === undefined) {
      if (this.calls.size >= MOST_CALLS) throw tooLarge(`more than ${MOST_CALLS} calls`);
      this.calls.set(chunk.index, (call = { id: undefined, name: '', arguments: '' }));
    }
    // An id that is no text is none, and a new one is made.
    if (typeof chunk.id === 'string' && chunk.id !== '') call.id = this.counted(chunk.id);
    if (chunk.name !== undefined) call.name += this.counted(chunk.name);
    if (chunk.arguments === undefined || chunk.arguments === '') return;
    call.arguments += this.counted(chunk.arguments);
    this.watcher?.delta('arguments', chunk.arguments, chunk.index);
  }

  private counted(text: string): string {
    if (typeof text !== 'string') throw new ModelError(`The model gave ${typeof text} where text belongs.`);
    this.size += text.length;
    if (this.size > LONGEST_ANSWER) throw tooLarge(`more than ${LONGEST_ANSWER} characters`);
    return text;
  }
}

function tooLarge(what: string): ModelError {
  return new ModelError(`The model's answer has ${what}; it was cut off.`, {
    advice: 'Set `modelSettings.maxTokens`, or look at what the server sends.',
  });
}
