import { ModelError } from '../errors/run-error';
import { UsageError } from '../errors/usage-error';
import type { Model, ModelCapabilities, ModelChunk, ModelRequest } from './model';
import { isOutput } from './retry';

/**
 * A chain of models: the next is asked when one fails, as long as nothing of the answer was seen. A `warning` tells.
 *
 * It can do what all of them can, so an agent behaves the same whichever answers.
 * @throws UsageError for an empty list
 */
export function fallbackModel(models: readonly Model[]): Model {
  const [first] = models;
  if (first === undefined) throw new UsageError("A list of models is empty. Write `model: ['openai:gpt-5-mini', 'groq:...']`.");
  return models.length === 1 ? first : new FallbackModel(models);
}

class FallbackModel implements Model {
  readonly name: string;
  readonly capabilities: ModelCapabilities;

  constructor(private readonly models: readonly Model[]) {
    this.name = models.map((model) => model.name).join(' | ');
    const all = (key: keyof ModelCapabilities): boolean => models.every((model) => model.capabilities[key]);
    this.capabilities = Object.freeze({
      tools: all('tools'),
      parallelToolCalls: all('parallelToolCalls'),
      jsonSchema: all('jsonSchema'),
      strict: all('strict'),
      images: all('images'),
      reasoning: all('reasoning'),
    });
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    const failures: string[] = [];
    for (const [at, model] of this.models.entries()) {
      let shown = false;
      try {
        for await (const chunk of model.stream(request)) {
          shown ||= isOutput(chunk);
          yield chunk;
        }
        return;
      } catch (error) {
        if (request.signal.aborted || shown || !ModelError.is(error)) throw error;
        failures.push(error.message);
        const next = this.models[at + 1];
        if (next === undefined) throw exhausted(error, failures);
        yield { type: 'warning', text: `${model.name} failed: ${error.message} Asking ${next.name} instead.` };
      }
    }
  }
}

/** The last failure, with all of them told. */
function exhausted(last: ModelError, failures: readonly string[]): ModelError {
  return new ModelError(`All ${failures.length} models failed.\n${failures.map((text, at) => `  ${at + 1}. ${text}`).join('\n')}`, {
    cause: last,
    retryable: last.retryable,
    ...(last.status === undefined ? {} : { status: last.status }),
    ...(last.requestId === undefined ? {} : { requestId: last.requestId }),
    ...(last.retryAfter === undefined ? {} : { retryAfter: last.retryAfter }),
    ...(last.advice === undefined ? {} : { advice: last.advice }),
  });
}
