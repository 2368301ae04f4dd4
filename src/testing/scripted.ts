import { aBoolean, anObject, aText, checkedOptions, rule, rulesOf } from '../errors/option-check';
import { ModelError } from '../errors/run-error';
import type { Model, ModelCapabilities, ModelChunk, ModelRequest } from '../models/model';
import { piecesOf, playAnswer, playingWith, type Playing } from './play-answer';
import { unmetExpectations } from './request-expectation';
import { registerScript, type WatchedScript } from './script-ledger';
import type { ScriptPiece, ScriptStep } from './script-step';
import { jsonText, transcriptText } from './transcript-text';

/** How a scripted model is named, what it can do, and how it streams. */
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
export class ScriptError extends ModelError {
  static override readonly name: string = 'ScriptError';
}

const aChunkSize = rule('a number of UTF-16 code units, 1 or more', '12', (value) => typeof value === 'number' && value >= 1);

/** What models of the test kit take. */
export const SCRIPTED_RULES = rulesOf<ScriptedOptions>({ name: aText, capabilities: anObject, chunkSize: aChunkSize, strict: aBoolean });

/** What test models can do unless it is said otherwise. */
export const EVERYTHING: ModelCapabilities = {
  tools: true,
  parallelToolCalls: true,
  jsonSchema: true,
  strict: true,
  images: true,
  reasoning: true,
};

/**
 * A model for tests: each request gets the next answer of the script, streamed in fragments as a provider does.
 *
 * Running out throws a `ScriptError`; under `toolwright/testing/jest` so do steps that are left at the end of the test.
 * @throws UsageError for options that do not exist or do not fit
 * @example scripted([callTool('current_weather', { city: 'Oslo' }), say('Take a coat.')])
 */
export function scripted(steps: readonly ScriptStep[], options?: ScriptedOptions): ScriptedModel {
  const model = new Script(steps.slice(), checkedOptions(options, SCRIPTED_RULES, 'scripted()'));
  registerScript(model);
  return model;
}

class Script implements ScriptedModel {
  readonly name: string;
  readonly capabilities: ModelCapabilities;
  readonly requests: ModelRequest[] = [];
  private readonly playing: Playing;
  private readonly strict: boolean;
  private readonly failures: unknown[] = [];
  private asked = 0;

  constructor(
    private readonly steps: readonly ScriptStep[],
    options: ScriptedOptions,
  ) {
    this.name = options.name ?? 'scripted:';
    this.capabilities = { ...EVERYTHING, ...options.capabilities };
    this.strict = options.strict ?? true;
    this.playing = playingWith(options);
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
    yield* playAnswer(pieces, request, this.playing);
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

function stepText(step: ScriptStep | undefined): string {
  return typeof step === 'function' ? 'a function of the request' : jsonText(step);
}
