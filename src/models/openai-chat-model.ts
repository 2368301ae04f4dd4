import { anObject, rulesOf } from '../errors/option-check';
import { asking, chat } from './at-first-request';
import { ChatMessages } from './chat-messages';
import { Connection, OPENAI, type Endpoint } from './connection';
import type { Model, ModelCapabilities, ModelChunk, ModelRequest, ToolChoice } from './model';
import { checkModelOptions, MODEL_RULES, withDefaults } from './model-options';
import type { OpenAIConnection } from './openai-client';
import { OPENAI_QUIRKS, type ProviderQuirks } from './quirks';
import type { RetryOptions } from './retry';

/** What `new OpenAIChatModel(…)` takes. */
export interface OpenAIChatModelOptions extends OpenAIConnection {
  /** The model's name as its provider knows it. */
  readonly model: string;
  /** Where it differs from OpenAI. */
  readonly quirks?: ProviderQuirks;
  /** What it cannot do; everything by default. */
  readonly capabilities?: Partial<ModelCapabilities>;
  /** How a run repeats its requests; `false` for not at all. */
  readonly retries?: RetryOptions | false;
  /** The provider behind it, for names and messages. OpenAI by default. */
  readonly endpoint?: Endpoint;
}

const RULES = rulesOf<OpenAIChatModelOptions>({ ...MODEL_RULES, quirks: anObject });

/**
 * A model behind the Chat Completions API of OpenAI, or of any server that speaks it.
 *
 * The `openai` package is loaded and its client made at the first request; the client's own retries are off.
 * @throws UsageError for options that do not exist or do not fit
 * @example new OpenAIChatModel({ model: 'qwen3', baseURL: 'http://localhost:8000/v1', apiKey: 'none' })
 */
export class OpenAIChatModel implements Model {
  readonly name: string;
  readonly capabilities: ModelCapabilities;
  readonly retries: RetryOptions | false;
  private readonly model: string;
  private readonly quirks: ProviderQuirks;
  private readonly connection: Connection;
  private readonly messages: ChatMessages;

  constructor(options: OpenAIChatModelOptions) {
    checkModelOptions('OpenAIChatModel', options, RULES);
    const endpoint = options.endpoint ?? OPENAI;
    this.model = options.model;
    this.name = `${endpoint.provider}:${options.model}`;
    this.quirks = { ...(endpoint === OPENAI && options.baseURL === undefined ? OPENAI_QUIRKS : {}), ...options.quirks };
    this.capabilities = withDefaults(options.capabilities);
    this.retries = options.retries ?? {};
    this.connection = new Connection(endpoint, options, options.model);
    this.messages = new ChatMessages({ images: this.capabilities.images, reasoningField: this.quirks.reasoningField });
  }

  /** @throws ModelError for everything that goes wrong; the signal's reason when it aborts */
  stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    const { ChatStream } = chat();
    const { writtenCalls, thinkTags = false } = this.quirks;
    const reader = new ChatStream({ thinkTags, ...(writtenCalls === true && { writtenCalls: request.tools.map(({ name }) => name) }) });
    return asking().askAndRead(this.name, request, this.connection, (signal) => this.ask(this.body(request), signal), reader);
  }

  private ask(body: object, signal: AbortSignal): unknown {
    return asking().rawAnswer(this.connection.open().chat.completions.create(body as never, { signal, maxRetries: 0 } as never));
  }

  /** The request's body; keys in a fixed order, so that equal requests are equal bytes. */
  private body({ messages, tools, toolChoice, parallelToolCalls, output, settings }: ModelRequest): object {
    const body: Record<string, unknown> = { model: this.model, messages: this.messages.convert(messages) };
    if (tools.length > 0 && this.capabilities.tools) {
      body['tools'] = this.messages.convertTools(tools, this.capabilities.strict);
      if (toolChoice !== 'auto') body['tool_choice'] = chatToolChoice(toolChoice);
      if (!parallelToolCalls && this.capabilities.parallelToolCalls) body['parallel_tool_calls'] = false;
    }
    if (output !== undefined && this.capabilities.jsonSchema) {
      const strict = this.capabilities.strict ? output.strict : undefined;
      body['response_format'] = {
        type: 'json_schema',
        json_schema: { name: output.name, schema: strict ?? output.schema, ...(strict === undefined ? {} : { strict: true }) },
      };
    }
    if (settings.temperature !== undefined) body['temperature'] = settings.temperature;
    if (settings.topP !== undefined) body['top_p'] = settings.topP;
    if (settings.maxTokens !== undefined) body[this.quirks.maxTokensField ?? 'max_tokens'] = settings.maxTokens;
    if (settings.reasoningEffort !== undefined) body['reasoning_effort'] = settings.reasoningEffort;
    if (settings.seed !== undefined) body[this.quirks.seedField ?? 'seed'] = settings.seed;
    if (settings.stop !== undefined) body['stop'] = settings.stop;
    body['stream'] = true;
    if (this.quirks.streamUsage !== false) body['stream_options'] = { include_usage: true };
    if (settings.extraBody !== undefined) Object.assign(body, settings.extraBody);
    if (body['stream'] !== true) delete body['stream_options'];
    return body;
  }
}

function chatToolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } };
}
