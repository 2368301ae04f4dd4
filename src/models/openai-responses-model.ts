import { rulesOf } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import { asking, responses } from './at-first-request';
import { Connection, OPENAI, type Endpoint } from './connection';
import type { Model, ModelCapabilities, ModelChunk, ModelRequest } from './model';
import { checkModelOptions, MODEL_RULES, withDefaults } from './model-options';
import type { OpenAIConnection } from './openai-client';
import { ResponsesInput } from './responses-input';
import type { RetryOptions } from './retry';

/** What `new OpenAIResponsesModel(…)` takes. */
export interface OpenAIResponsesModelOptions extends OpenAIConnection {
  /** The model's name as its provider knows it. */
  readonly model: string;
  /** What it cannot do; everything by default. */
  readonly capabilities?: Partial<ModelCapabilities>;
  /** How a run repeats its requests; `false` for not at all. */
  readonly retries?: RetryOptions | false;
  /** The provider behind it, for names and messages. OpenAI by default. */
  readonly endpoint?: Endpoint;
}

const RULES = rulesOf<OpenAIResponsesModelOptions>(MODEL_RULES);
const RESPONSES: Endpoint = Object.freeze({ ...OPENAI, provider: 'openai-responses' });

/** Models that reason; others refuse to be asked for it. */
const THINKS = /^(o\d|gpt-[5-9])(?!.*chat)/;

/**
 * A model behind the Responses API. Nothing is stored at the provider: the model's reasoning travels encrypted in the transcript,
 * so that it goes on thinking after its calls.
 * @throws UsageError for options that do not exist or do not fit
 * @example new OpenAIResponsesModel({ model: 'gpt-5' })
 */
export class OpenAIResponsesModel implements Model {
  readonly name: string;
  readonly capabilities: ModelCapabilities;
  readonly retries: RetryOptions | false;
  private readonly model: string;
  private readonly connection: Connection;
  private readonly input: ResponsesInput;

  constructor(options: OpenAIResponsesModelOptions) {
    checkModelOptions('OpenAIResponsesModel', options, RULES);
    const endpoint = options.endpoint ?? RESPONSES;
    this.model = options.model;
    this.name = `${endpoint.provider}:${options.model}`;
    this.capabilities = withDefaults({ reasoning: THINKS.test(options.model), ...options.capabilities });
    this.retries = options.retries ?? {};
    this.connection = new Connection(endpoint, options, options.model);
    this.input = new ResponsesInput(this.capabilities.images);
  }

  /** @throws ModelError for everything that goes wrong; the signal's reason when it aborts */
  stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    const reader = new (responses().ResponsesStream)();
    return asking().askAndRead(this.name, request, this.connection, (signal) => this.ask(this.body(request), signal), reader);
  }

  private ask(body: object, signal: AbortSignal): unknown {
    const api = this.connection.open().responses;
    if (api === undefined)
      throw new UsageError('OpenAIResponsesModel: the `client` has no `responses`. Give a client of the openai package.');
    return asking().rawAnswer(api.create(body as never, { signal, maxRetries: 0 } as never));
  }

  /** The request's body; keys in a fixed order, so that equal requests are equal bytes. */
  private body({ messages, tools, toolChoice, parallelToolCalls, output, settings }: ModelRequest): object {
    const body: Record<string, unknown> = { model: this.model, input: this.input.convert(messages) };
    if (tools.length > 0 && this.capabilities.tools) {
      body['tools'] = this.input.convertTools(tools, this.capabilities.strict);
      if (toolChoice !== 'auto')
        body['tool_choice'] = typeof toolChoice === 'string' ? toolChoice : { type: 'function', name: toolChoice.tool };
      if (!parallelToolCalls && this.capabilities.parallelToolCalls) body['parallel_tool_calls'] = false;
    }
    if (output !== undefined && this.capabilities.jsonSchema) {
      const strict = this.capabilities.strict ? output.strict : undefined;
      body['text'] = {
        format: { type: 'json_schema', name: output.name, schema: strict ?? output.schema, strict: strict !== undefined },
      };
    }
    if (settings.temperature !== undefined) body['temperature'] = settings.temperature;
    if (settings.topP !== undefined) body['top_p'] = settings.topP;
    if (settings.maxTokens !== undefined) body['max_output_tokens'] = settings.maxTokens;
    if (settings.reasoningEffort !== undefined) body['reasoning'] = { effort: settings.reasoningEffort, summary: 'auto' };
    if (this.capabilities.reasoning) body['include'] = ['reasoning.encrypted_content'];
    body['store'] = false;
    body['stream'] = true;
    if (settings.extraBody !== undefined) Object.assign(body, settings.extraBody);
    return body;
  }
}
