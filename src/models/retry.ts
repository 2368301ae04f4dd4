import { ModelError } from '../errors/run-error';
import { anyOf, aPositiveCount, checkedOptions, nothing, rule, rulesOf } from '../errors/option-check';
import type { Environment } from '../types/environment';
import { LinkedAbort, type AbortableRequest } from './linked-abort';
import type { Model, ModelChunk, ModelRequest } from './model';
import { StallGuard } from './stall-guard';
import { wait } from './wait';

/** How requests are repeated. Times in milliseconds. */
export interface RetryOptions {
  /** How often a request is made at most, from 1. 3 by default. */
  readonly attempts?: number;
  /** How long all waits of one request together may take. 60 000 by default. */
  readonly maxWait?: number;
  /** The first wait; doubled from attempt to attempt. 500 by default. */
  readonly firstWait?: number;
  /** How long a model may say nothing before it is given up; `null` for ever. 300 000 by default. */
  readonly stallTimeout?: number | null;
}

/** Where time and chance come from. */
export type RetryEnvironment = Pick<Environment, 'sleep' | 'random'>;

const isFrom = (least: number) => (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= least;
const aWait = rule('milliseconds: a number, 0 or more', '500', isFrom(0));

const RULES = rulesOf<RetryOptions>({
  attempts: aPositiveCount,
  maxWait: aWait,
  firstWait: aWait,
  stallTimeout: anyOf(rule('milliseconds: a number, 1 or more', '300_000', isFrom(1)), nothing),
});

/**
 * A model whose requests are repeated when they fail and may succeed later, as long as nothing of the answer was seen.
 *
 * Waits double and are jittered; the provider's `Retry-After` is honoured, and one that is longer than what is left of
 * `maxWait` ends the trying. A repeat is told by a `warning`. A silent model is given up after `stallTimeout`; the time
 * that the reader takes does not count.
 * @throws UsageError for an unknown option, or a number out of its range
 * @example withRetries(new OpenAIChatModel({ model: 'gpt-5-mini' }), { attempts: 5 })
 */
export function withRetries(model: Model, options: RetryOptions = {}, environment: RetryEnvironment = SYSTEM): Model {
  return new RetryingModel(model, checkedOptions(options, RULES, 'withRetries'), environment);
}

const SYSTEM: RetryEnvironment = { sleep: wait, random: Math.random };

class RetryingModel implements Model {
  constructor(
    private readonly model: Model,
    private readonly options: RetryOptions,
    private readonly environment: RetryEnvironment,
  ) {}

  get name(): string {
    return this.model.name;
  }

  get capabilities(): Model['capabilities'] {
    return this.model.capabilities;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    const { attempts = 3, maxWait = 60_000, firstWait = 500, stallTimeout = 300_000 } = this.options;
    let waited = 0;
    for (let attempt = 1; ; attempt += 1) {
      let shown = false;
      let failure: ModelError;
      const answer = new GuardedAnswer(this.model, request, stallTimeout);
      try {
        for (;;) {
          const next = await answer.next();
          if (next.done === true) return;
          shown ||= isOutput(next.value);
          yield next.value;
        }
      } catch (error) {
        if (request.signal.aborted || shown || attempt >= attempts || !ModelError.is(error) || !error.retryable) throw error;
        failure = error;
      } finally {
        answer.leave();
      }
      const pause = failure.retryAfter ?? firstWait * 2 ** (attempt - 1) * (0.5 + this.environment.random() / 2);
      if (waited + pause > maxWait) throw failure;
      waited += pause;
      yield { type: 'warning', text: `${failure.message} Trying again (${attempt + 1} of ${attempts}) in ${Math.round(pause)} ms.` };
      await this.environment.sleep(pause, request.signal);
    }
  }
}

/** One answer of a model, which is given up when it says nothing for too long. */
class GuardedAnswer {
  private readonly abort: LinkedAbort | undefined;
  private readonly guard: StallGuard | undefined;
  private readonly chunks: AsyncIterator<ModelChunk>;
  private over = false;

  constructor(
    private readonly model: Model,
    request: ModelRequest,
    private readonly timeout: number | null,
  ) {
    if (timeout === null) this.chunks = model.stream(request)[Symbol.asyncIterator]();
    else {
      this.abort = new LinkedAbort(request);
      this.guard = new StallGuard(timeout);
      const { abort } = this;
      const { messages, tools, toolChoice, parallelToolCalls, output, settings } = request;
      // Field by field: a spread would make the signal that nobody needs.
      const own: AbortableRequest = {
        messages,
        tools,
        toolChoice,
        parallelToolCalls,
        output,
        settings,
        signal: abort.signal,
        abort: (reason) => abort.abort(reason),
      };
      this.chunks = model.stream(own)[Symbol.asyncIterator]();
    }
  }

  /** @throws ModelError when nothing came in time; what the model throws otherwise */
  async next(): Promise<IteratorResult<ModelChunk>> {
    try {
      const next = this.chunks.next();
      const result = await (this.guard === undefined ? next : this.guard.race(next));
      this.over = result.done === true;
      return result;
    } catch (error) {
      if (this.guard?.stalled !== true) {
        this.over = true;
        throw error;
      }
      const stall = new ModelError(`${this.model.name} sent nothing for ${this.timeout} ms.`, {
        retryable: true,
        cause: error,
        advice: 'If the model needs longer to think, raise `stallTimeout`.',
      });
      this.abort?.abort(stall);
      throw stall;
    }
  }

  /** A model that does not listen must not hold up the run that left it. */
  leave(): void {
    this.guard?.stop();
    this.abort?.release();
    if (!this.over) void this.chunks.return?.().then(undefined, () => undefined);
  }
}

/** Whether a chunk is part of the answer: once one was seen, another request would say it twice. */
export function isOutput({ type }: ModelChunk): boolean {
  return type !== 'warning' && type !== 'usage' && type !== 'extra';
}
