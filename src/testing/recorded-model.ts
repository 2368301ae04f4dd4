import { ModelError } from '../errors/run-error';
import { aFunction, checkedOptions, oneOfTexts, rulesOf } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import type { Model, ModelCapabilities, ModelChunk, ModelRef, ModelRequest } from '../models/model';
import { resolveModel } from '../models/resolve-model';
import { commonLines, lineDiff } from './line-diff';
import { keptChunks, readRecording, requestText, writeRecording, type Exchange } from './recording';

/** When a recorded model asks the real one, and how requests are compared. */
export interface RecordedModelOptions {
  /**
   * What becomes of a request: `replay` answers from the file only, `record` asks the model and replaces the file, `auto` answers from
   * the file what it can and records the rest. `auto` by default when there is a model, but `replay` under `CI` in the environment.
   */
  readonly mode?: 'replay' | 'record' | 'auto';
  /** Makes texts of requests comparable, such as those with today's date in them. Applied to every text. */
  readonly normalise?: (text: string) => string;
}

/** A request that no recording answers. Its message shows how it differs from the nearest one. */
export class RecordingError extends ModelError {
  static override readonly name: string = 'RecordingError';
}

const RULES = rulesOf<RecordedModelOptions>({ mode: oneOfTexts('replay', 'record', 'auto'), normalise: aFunction });

/**
 * A model that answers from a file of recordings, and makes them.
 *
 * With a model, requests that the file does not answer go to it, and what it says is recorded: secrets redacted, the file replaced in one
 * step, requests that failed left out. Without one, such a request is an error that shows the difference to the nearest
 * recording. Equal requests get their recordings in the order in which they were made.
 * @param file a path to a JSON file; it belongs into version control
 * @param model what is recorded: a model, a provider string, or a list of them
 * @throws UsageError for a file that is missing or broken, or an unknown option
 * @example recordedModel('tests/recordings/weather.json', 'openai:gpt-5-mini')
 */
export function recordedModel(file: string, model?: ModelRef | readonly ModelRef[], options?: RecordedModelOptions): Model {
  const sound = checkedOptions(options, RULES, 'recordedModel');
  return new RecordedModel(file, model === undefined ? undefined : resolveModel(model), sound);
}

class RecordedModel implements Model {
  readonly name: string;
  readonly capabilities: ModelCapabilities;
  private readonly mode: 'replay' | 'record' | 'auto';
  private readonly normalise: (text: string) => string;
  private exchanges: Exchange[];
  /** How many recordings of a request were used, by its text. */
  private readonly used = new Map<string, number>();

  constructor(
    private readonly file: string,
    private readonly model: Model | undefined,
    options: RecordedModelOptions,
  ) {
    this.mode = options.mode ?? (model === undefined || inContinuousIntegration() ? 'replay' : 'auto');
    this.normalise = options.normalise ?? ((text) => text);
    if (this.mode !== 'replay' && model === undefined)
      throw new UsageError(`recordedModel: there is no model to record. Write \`recordedModel(file, 'openai:gpt-5-mini')\`.`);
    const recording = this.mode === 'record' ? undefined : readRecording(file);
    if (recording === undefined && this.mode === 'replay')
      throw new UsageError(
        `recordedModel: there is no file ${file}. Record it: write \`recordedModel(file, 'openai:gpt-5-mini')\` and run once, without CI in the environment.`,
      );
    this.name = model?.name ?? recording!.model;
    this.capabilities = model?.capabilities ?? recording!.capabilities;
    this.exchanges = [...(recording?.exchanges ?? [])];
  }

  /** @throws RecordingError when no recording answers; what the model throws when it is asked */
  async *stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    request.signal.throwIfAborted();
    const text = requestText(request, this.normalise);
    const kept = this.next(text);
    if (kept !== undefined) yield* kept.chunks;
    else if (this.mode === 'replay') throw this.unmatched(text);
    else yield* this.record(text, request);
  }

  private next(text: string): Exchange | undefined {
    const used = this.used.get(text) ?? 0;
    const kept = this.exchanges.filter(({ request }) => request === text)[used];
    if (kept !== undefined) this.used.set(text, used + 1);
    return kept;
  }

  private async *record(text: string, request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    const chunks: ModelChunk[] = [];
    for await (const chunk of this.model!.stream(request)) {
      chunks.push(chunk);
      // Before its end is told: nobody reads on after it.
      if (chunk.type === 'end') this.keep({ request: text, chunks: keptChunks(chunks) });
      yield chunk;
    }
  }

  private keep(exchange: Exchange): void {
    this.exchanges = [...this.exchanges, exchange];
    this.used.set(exchange.request, (this.used.get(exchange.request) ?? 0) + 1);
    writeRecording(this.file, { model: this.name, capabilities: this.capabilities, exchanges: this.exchanges });
  }

  private unmatched(text: string): RecordingError {
    const same = this.exchanges.filter(({ request }) => request === text).length;
    const advice = `Record it: run without CI in the environment and with a model, or delete ${this.file} and record everything again.`;
    if (same > 0) return new RecordingError(`${this.file} has ${same} recordings of this request, and it was made once more.`, { advice });
    const nearest = this.exchanges
      .map(({ request }) => ({ request, common: commonLines(request, text) }))
      .sort((a, b) => b.common - a.common)[0];
    const difference =
      nearest === undefined
        ? 'It has none at all.'
        : `The nearest one (-) differs from the request (+):\n${lineDiff(nearest.request, text)}`;
    return new RecordingError(`${this.file} has no recording of this request. ${difference}`, { advice });
  }
}

function inContinuousIntegration(): boolean {
  return !['', '0', 'false'].includes(process.env['CI'] ?? '');
}
