import { UsageError } from '../errors/usage-error';
import { variable } from './connection';
import { fallbackModel } from './fallback';
import type { Model, ModelRef } from './model';
import { OpenAIChatModel } from './openai-chat-model';
import { OpenAIResponsesModel } from './openai-responses-model';
import { providerNames, providerOf, type ProviderEntry, type ProviderFactory } from './providers';
import { withRetries, type RetryEnvironment, type RetryOptions } from './retry';

/** Models by their string, so that equal strings share a client and what it has converted. */
const known = new Map<string, { readonly entry: object; readonly model: Model }>();
const KNOWN_MODELS = 200;

/**
 * The model that a string names, or a list of them as a chain; a model stays itself. Models that reach a provider are
 * repeated as their `retries` say.
 * @param environment where waits between repeats and their jitter come from; the system's by default
 * @throws UsageError for a string without a known provider, or without a model's name
 * @example resolveModel(['openai:gpt-5-mini', 'ollama:qwen3:8b'])
 */
export function resolveModel(ref: ModelRef | readonly ModelRef[], environment?: RetryEnvironment): Model {
  if (isList(ref)) return fallbackModel(ref.map((one) => resolveModel(one, environment)));
  const model = typeof ref === 'string' ? modelNamed(ref) : checked(ref);
  const retries = (model as { readonly retries?: RetryOptions | false }).retries;
  return retries === undefined || retries === false ? model : withRetries(model, retries, environment);
}

function isList(ref: ModelRef | readonly ModelRef[]): ref is readonly ModelRef[] {
  return Array.isArray(ref);
}

function checked(model: Model): Model {
  if (typeof model !== 'object' || model === null || typeof model.stream !== 'function')
    throw new UsageError(`A model must be a string such as 'openai:gpt-5-mini', or an object with \`stream\`; got ${describe(model)}.`);
  if (typeof model.capabilities !== 'object' || model.capabilities === null)
    throw new UsageError(
      'A model must say what it can: `capabilities: { tools: true, parallelToolCalls: true, jsonSchema: false, strict: false, images: false, reasoning: false }`.',
    );
  return model;
}

function describe(value: unknown): string {
  return value === null ? 'null' : `a value of type ${typeof value}`;
}

function modelNamed(ref: string): Model {
  // The first colon only: names such as `qwen3:8b` have their own.
  const colon = ref.indexOf(':');
  const provider = colon === -1 ? ref : ref.slice(0, colon);
  const name = colon === -1 ? '' : ref.slice(colon + 1);
  const entry = providerOf(provider);
  if (entry === undefined || colon === -1) throw unknownProvider(ref, provider, entry !== undefined);
  const key = isFactory(entry) ? ref : `${ref}\n${variable(entry.baseURLVariable) ?? ''}\n${variable(entry.keyVariable) ?? ''}`;
  const kept = known.get(key);
  if (kept?.entry === entry) return kept.model;
  const model = create(provider, name, entry);
  if (known.size >= KNOWN_MODELS) known.delete(known.keys().next().value!);
  known.set(key, { entry, model });
  return model;
}

function create(provider: string, name: string, entry: ProviderEntry | ProviderFactory): Model {
  if (isFactory(entry)) return entry.create(name);
  if (name.trim() === '') throw new UsageError(`The model string '${provider}:' names no model. Write '${provider}:<model>'.`);
  const { api = 'chat', quirks, capabilities, headers, ...endpoint } = entry;
  const options = {
    model: name,
    endpoint: { provider, ...endpoint },
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(headers === undefined ? {} : { headers }),
  };
  return api === 'responses'
    ? new OpenAIResponsesModel(options)
    : new OpenAIChatModel({ ...options, ...(quirks === undefined ? {} : { quirks }) });
}

function isFactory(entry: ProviderEntry | ProviderFactory): entry is ProviderFactory {
  return 'create' in entry;
}

function unknownProvider(ref: string, provider: string, known: boolean): UsageError {
  const names = providerNames().map((name) => `${name}:`);
  const what = known
    ? `The model string ${JSON.stringify(ref)} names no model. Write '${provider}:<model>'.`
    : `The model string ${JSON.stringify(ref)} names no known provider. Write '<provider>:<model>', with one of: ${names.join(' ')}.`;
  return new UsageError(`${what} Others are added with \`registerProvider\`.`);
}
