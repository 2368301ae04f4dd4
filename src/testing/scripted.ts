import { ModelError } from '../errors/run-error';
import type { FinishReason, Model, ModelCapabilities, ModelChunk, ModelRequest, ModelUsage } from '../models/model';
import { chunked } from './chunked';
import { unmetExpectations } from './request-expectation';
import { registerScript, type WatchedScript } from './script-ledger';
import type { ScriptAnswer, ScriptPiece, ScriptStep } from './script-step';
import { jsonText, transcriptText } from './transcript-text';

export interface ScriptedOptions {
  /** How the model is named in events. `scripted:` by default. */
  readonly name?: string;
  /** What the model can do; everything by default. */
  readonly capabilities?: Partial<ModelCapabilities>;
  /** The longest fragment of text or arguments, in UTF-16 code units; 12 by default, `Infinity` for whole texts. */
  readonly chunkSize?: number;
  /** Whether steps that are left over are a fault; `true` by default. */
  readonly strict?: boolean;
}

/** A model that says what the script says, and remembers what it was asked. */
export interface ScriptedModel extends Model, WatchedScript {
  /** The requests so far, with their messages as they were. */
  readonly requests: readonly ModelRequest[];
  /** How many steps are left. */
  readonly remaining: number;
  /** Throws when steps are left, when the script ran out, or when a step threw, with the transcript. */
  assertFinished(): void;
}

/** The script does not fit the run: it ran out, has steps left, or expected another request. */
export class ScriptError extends ModelError {}

const EVERYTHING: ModelCapabilities = {
  tools: true,
  parallelToolCalls: true,
  jsonSchema: true,
  strict: true,
  images: true,
  reasoning: true,
};
const USUAL_USAGE: ModelUsage = { inputTokens: 10, outputTokens: 5 };
const USUAL_CHUNK = 12;

/**
 * A model for tests: each request gets the next answer of the script, streamed in fragments as a provider does.
 *
 * Running out throws a `ScriptError`; under `toolwright/testing/jest` so do steps that are left at the end of the test.
 * @example scripted([callTool('current_weather', { city: 'Oslo' }), say('Take a coat.')])
 */
export function scripted(steps: readonly ScriptStep[], options: ScriptedOptions = {}): ScriptedModel {
  const model = new Script(steps.slice(), options);
  registerScript(model);
  return model;
}

class Script implements ScriptedModel {
  readonly name: string;
  readonly capabilities: ModelCapabilities;
  readonly requests: ModelRequest[] = [];
  private readonly chunkSize: number;
  private readonly strict: boolean;
  private readonly failures: unknown[] = [];
  private asked = 0;
  private calls = 0;

  constructor(
    private readonly steps: readonly ScriptStep[],
    options: ScriptedOptions,
  ) {
    this.name = options.name ?? 'scripted:';
    this.capabilities = { ...EVERYTHING, ...options.capabilities };
    this.chunkSize = options.chunkSize ?? USUAL_CHUNK;
    this.strict = options.strict ?? true;
    if (!(this.chunkSize >= 1)) throw new RangeError(`scripted: chunkSize must be 1 or more, got ${this.chunkSize}.`);
  }

  get remaining(): number {
    return Math.max(0, this.steps.length - this.asked);
  }

  assertFinished(): void {
    if (this.failures.length > 0) throw this.failures[0];
    if (!this.strict || this.remaining === 0) return;
    throw new ScriptError(
      `The script has ${this.remaining} of ${this.steps.length} steps left: the run asked ${this.asked} times.\n` +
        `Next would have been: ${stepText(this.steps[this.asked])}\nThe last request was:\n${this.lastTranscript()}`,
    );
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    request.signal.throwIfAborted();
    // The run may go on writing to its transcript; what was asked is kept as it was.
    this.requests.push({ ...request, messages: request.messages.slice() });
    const step = this.steps[this.asked++];
    let pieces: readonly ScriptPiece[];
    try {
      if (step === undefined) throw this.ranOut();
      pieces = piecesOf(typeof step === 'function' ? await step(request) : step);
      for (const piece of pieces) if (piece.piece === 'expect') this.expect(request, piece.expected);
    } catch (error) {
      // Kept as well, since a fallback or a tool that asks a model may swallow it.
      this.failures.push(error);
      throw error;
    }
    yield* this.play(pieces, request);
  }

  private async *play(pieces: readonly ScriptPiece[], request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    let index = 0;
    let finish: FinishReason | undefined;
    let usage = USUAL_USAGE;
    for (const piece of pieces) {
      request.signal.throwIfAborted();
      switch (piece.piece) {
        case 'text':
        case 'reasoning':
        case 'refusal':
          yield* this.fragments(piece.piece, piece.text, request.signal);
          break;
        case 'call':
          yield* this.call(index++, piece.name, piece.arguments, piece.id, request.signal);
          break;
        case 'output': {
          const tool = request.output === undefined ? outputTool(request) : undefined;
          if (tool === undefined) yield* this.fragments('text', jsonText(piece.value), request.signal);
          else yield* this.call(index++, tool, jsonText(piece.value), undefined, request.signal);
          break;
        }
        case 'usage':
          usage = piece.usage;
          break;
        case 'finish':
          finish = piece.finish;
          break;
        case 'expect':
          break;
        case 'fail':
          throw piece.error;
        case 'stall':
          await aborted(request.signal);
          break;
        case 'cut':
          return;
      }
    }
    yield { type: 'usage', usage };
    yield { type: 'end', finish: finish ?? (index > 0 ? 'tool_calls' : 'stop') };
  }

  private *fragments(type: 'text' | 'reasoning' | 'refusal', text: string, signal: AbortSignal): Generator<ModelChunk> {
    for (const fragment of chunked(text, this.chunkSize)) {
      signal.throwIfAborted();
      yield { type, text: fragment };
    }
  }

  // As providers do: id and name first, then the arguments in fragments.
  private *call(index: number, name: string, args: string, id: string | undefined, signal: AbortSignal): Generator<ModelChunk> {
    yield { type: 'call', index, id: id ?? `call_${++this.calls}`, name };
    for (const fragment of chunked(args, this.chunkSize)) {
      signal.throwIfAborted();
      yield { type: 'call', index, arguments: fragment };
    }
  }

  private expect(request: ModelRequest, expected: Parameters<typeof unmetExpectations>[1]): void {
    const unmet = unmetExpectations(request, expected);
    if (unmet.length === 0) return;
    throw new ScriptError(
      `Request ${this.asked} is not as the script expects:\n${unmet.map((line) => `  - ${line}`).join('\n')}\n` +
        `The transcript:\n${transcriptText(request.messages)}`,
    );
  }

  private ranOut(): ScriptError {
    const count = this.steps.length;
    return new ScriptError(
      `The script ran out: it has ${count === 1 ? 'one step' : `${count} steps`} and this is request ${this.asked}.\n` +
        `Add a step for it, such as say('...'). The transcript:\n${this.lastTranscript()}`,
    );
  }

  private lastTranscript(): string {
    return transcriptText(this.requests.at(-1)?.messages ?? []);
  }
}

function piecesOf(answer: ScriptAnswer): readonly ScriptPiece[] {
  if (typeof answer === 'string') return [{ piece: 'text', text: answer }];
  if (answer === undefined || answer === null)
    throw new ScriptError("A step of the script gave nothing. Return an answer from the function, such as say('...').");
  return 'piece' in answer ? [answer] : answer;
}

/** The tool by which the final answer is given, where a request has one: the one it forces. */
function outputTool(request: ModelRequest): string | undefined {
  return typeof request.toolChoice === 'object' ? request.toolChoice.tool : undefined;
}

function stepText(step: ScriptStep | undefined): string {
  return typeof step === 'function' ? 'a function of the request' : jsonText(step);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
