import { ModelError } from '../errors/run-error';
import { anObject, checkedOptions, rulesOf } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import type { RequestPlace } from '../models/errors';
import type { Model, ModelCapabilities, ModelChunk, ModelRequest, ModelTool } from '../models/model';
import { anObjectOrFalse, checkTraits, withDefaults } from '../models/model-options';
import { pricedUsage } from '../models/prices';
import type { RetryOptions } from '../models/retry';
import type { SdkLanguageModel, SdkMetadata, SdkVersion } from './sdk-model';
import { SdkPrompt } from './sdk-prompt';
import { sdkFailure, SdkStream } from './sdk-stream';

/** What `aiSdkModel` may be told beside the model. */
export interface AiSdkModelOptions {
  /** What the model cannot do; everything but strict tools by default. */
  readonly capabilities?: Partial<ModelCapabilities>;
  /** How a run repeats its requests; `false` for not at all. */
  readonly retries?: RetryOptions | false;
  /** Options for the provider, sent with every request as they are. */
  readonly providerOptions?: SdkMetadata;
}

const RULES = rulesOf<AiSdkModelOptions>({ capabilities: anObject, retries: anObjectOrFalse, providerOptions: anObject });
const VERSIONS: readonly string[] = ['v2', 'v3', 'v4'] satisfies SdkVersion[];

/**
 * A language model of the Vercel AI SDK, of its majors 5 to 7, as a model for agents.
 *
 * Takes the model object that a provider package makes; the SDK itself is not needed. Tools, limits and the loop stay here: of the
 * SDK only `doStream` is called.
 * @param model a language model of specification version `v2`, `v3` or `v4`
 * @throws UsageError for anything else, or an unknown option
 * @example new AgentRunner({ model: aiSdkModel(anthropic('claude-sonnet-4-5')) })
 */
export function aiSdkModel(model: SdkLanguageModel, options: AiSdkModelOptions = {}): Model {
  if (typeof model !== 'object' || model === null || typeof model.doStream !== 'function')
    throw new UsageError("aiSdkModel: this is no language model of the AI SDK. Write `aiSdkModel(openai('gpt-5-mini'))`.");
  if (!VERSIONS.includes(model.specificationVersion))
    throw new UsageError(
      `aiSdkModel: the model has specification version ${JSON.stringify(model.specificationVersion)}; known are ${VERSIONS.join(', ')}. Update its provider package to one for the AI SDK 5, 6 or 7.`,
    );
  checkTraits(checkedOptions(options, RULES, 'aiSdkModel'), 'aiSdkModel');
  return new AiSdkModel(model, options);
}

class AiSdkModel implements Model {
  readonly name: string;
  readonly capabilities: ModelCapabilities;
  readonly retries: RetryOptions | false;
  private readonly version: SdkVersion;
  private readonly place: RequestPlace;
  private readonly prompt: SdkPrompt;
  private readonly tools = new WeakMap<readonly ModelTool[], readonly object[]>();

  constructor(
    private readonly model: SdkLanguageModel,
    private readonly options: AiSdkModelOptions,
  ) {
    const { provider, modelId } = model;
    this.version = model.specificationVersion as SdkVersion;
    this.name = `${provider}:${modelId}`;
    this.capabilities = withDefaults({ strict: false, ...options.capabilities });
    this.retries = options.retries ?? {};
    this.place = { provider, model: modelId, baseURL: undefined, keyVariable: undefined, baseURLVariable: undefined, start: undefined };
    this.prompt = new SdkPrompt({ version: this.version, provider, images: this.capabilities.images });
  }

  /** @throws ModelError for everything that goes wrong; the signal's reason when it aborts */
  async *stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    request.signal.throwIfAborted();
    const reader = new SdkStream(this.place);
    const { out } = reader;
    let source: ReadableStreamDefaultReader<unknown> | undefined;
    try {
      if (request.settings.extraBody !== undefined) out.push(unsaid('extraBody', 'Give `providerOptions` to `aiSdkModel` instead.'));
      if (request.settings.reasoningEffort !== undefined && this.version !== 'v4')
        out.push(unsaid('reasoningEffort', 'Give the provider its own option in `providerOptions`.'));
      source = readerOf(await this.model.doStream(this.callOptions(request) as never));
      for (;;) {
        const { done, value } = await source.read();
        if (done) break;
        reader.push(value);
        for (const chunk of out) yield chunk.type === 'usage' ? { type: 'usage', usage: pricedUsage(this.name, chunk.usage) } : chunk;
        out.length = 0;
      }
      reader.end();
    } catch (error) {
      request.signal.throwIfAborted();
      throw ModelError.is(error) ? error : sdkFailure(error, this.place);
    } finally {
      void source?.cancel().catch(() => undefined);
    }
  }

  private callOptions({ messages, tools, toolChoice, output, settings, signal }: ModelRequest): object {
    const { capabilities } = this;
    const format = output !== undefined && capabilities.jsonSchema ? output : undefined;
    const offered = tools.length > 0 && capabilities.tools;
    return {
      prompt: this.prompt.convert(messages),
      ...(offered && {
        tools: this.toolsOf(tools),
        toolChoice: typeof toolChoice === 'string' ? { type: toolChoice } : { type: 'tool', toolName: toolChoice.tool },
      }),
      ...(format !== undefined && { responseFormat: { type: 'json', schema: format.strict ?? format.schema, name: format.name } }),
      ...(settings.temperature !== undefined && { temperature: settings.temperature }),
      ...(settings.topP !== undefined && { topP: settings.topP }),
      ...(settings.maxTokens !== undefined && { maxOutputTokens: settings.maxTokens }),
      ...(settings.seed !== undefined && { seed: settings.seed }),
      ...(settings.stop !== undefined && { stopSequences: [...settings.stop] }),
      ...(settings.reasoningEffort !== undefined && this.version === 'v4' && { reasoning: settings.reasoningEffort }),
      ...(this.options.providerOptions !== undefined && { providerOptions: this.options.providerOptions }),
      abortSignal: signal,
    };
  }

  private toolsOf(tools: readonly ModelTool[]): readonly object[] {
    let said = this.tools.get(tools);
    if (said === undefined) {
      // The oldest version has no word for strictness.
      const strict = this.capabilities.strict && this.version !== 'v2';
      said = tools.map((tool) => {
        const asStrict = strict && tool.strict !== undefined;
        return {
          type: 'function',
          name: tool.name,
          description: tool.description,
          inputSchema: asStrict ? tool.strict : tool.parameters,
          ...(asStrict ? { strict: true } : {}),
        };
      });
      this.tools.set(tools, said);
    }
    return said;
  }
}

function unsaid(setting: string, advice: string): ModelChunk {
  return { type: 'warning', text: `The model setting \`${setting}\` cannot be said to this model. ${advice}` };
}

function readerOf(answer: { readonly stream: unknown }): ReadableStreamDefaultReader<unknown> {
  const stream = answer?.stream as ReadableStream<unknown> | undefined;
  if (typeof stream?.getReader !== 'function') throw new ModelError('The model gave no stream.', { retryable: false });
  return stream.getReader();
}
