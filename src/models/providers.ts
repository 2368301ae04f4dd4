import { aBoolean, aFunction, anObject, anyText, checkedOptions, oneOfTexts, rulesOf } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import { OPENAI, type Endpoint } from './connection';
import type { Model, ModelCapabilities } from './model';
import { checkTraits } from './model-options';
import { offlineModel } from './offline/offline-model';
import { OPENAI_QUIRKS, type ProviderQuirks } from './quirks';

/** A provider that speaks OpenAI's API. */
export interface ProviderEntry extends Omit<Endpoint, 'provider'> {
  readonly api?: 'chat' | 'responses';
  readonly quirks?: ProviderQuirks;
  readonly capabilities?: Partial<ModelCapabilities>;
  readonly headers?: { readonly [name: string]: string };
}

/** A provider of another kind: makes the model itself. */
export interface ProviderFactory {
  readonly create: (model: string) => Model;
}

const { provider: _, ...openai } = OPENAI;

/** Reasoning comes in tags unless a server was told to part it. */
const TAGGED = { thinkTags: true } as const;
const local = { keyOptional: true, capabilities: { strict: false }, quirks: TAGGED } as const;

/**
 * The providers by name. `openai` speaks Chat Completions, which every other provider speaks too; `openai-responses` the
 * Responses API, which keeps a reasoning model's thoughts between its calls.
 */
const BUILT_IN: { readonly [name: string]: ProviderEntry } = {
  openai: { ...openai, quirks: OPENAI_QUIRKS },
  'openai-responses': { ...openai, api: 'responses' },
  azure: {
    baseURLVariable: 'AZURE_OPENAI_ENDPOINT',
    baseURLSuffix: '/openai/v1',
    keyVariable: 'AZURE_OPENAI_API_KEY',
    quirks: OPENAI_QUIRKS,
  },
  ollama: {
    ...local,
    baseURL: 'http://localhost:11434/v1',
    baseURLVariable: 'OLLAMA_BASE_URL',
    keyVariable: 'OLLAMA_API_KEY',
    start: 'ollama serve',
  },
  lmstudio: {
    ...local,
    baseURL: 'http://localhost:1234/v1',
    baseURLVariable: 'LMSTUDIO_BASE_URL',
    keyVariable: 'LMSTUDIO_API_KEY',
    start: 'lms server start',
  },
  llamacpp: {
    ...local,
    baseURL: 'http://localhost:8080/v1',
    baseURLVariable: 'LLAMACPP_BASE_URL',
    keyVariable: 'LLAMACPP_API_KEY',
    start: 'llama-server --jinja -m <model.gguf>',
  },
  vllm: {
    ...local,
    baseURL: 'http://localhost:8000/v1',
    baseURLVariable: 'VLLM_BASE_URL',
    keyVariable: 'VLLM_API_KEY',
    start: 'vllm serve <model> --enable-auto-tool-choice --tool-call-parser <parser>',
  },
  groq: { baseURL: 'https://api.groq.com/openai/v1', baseURLVariable: 'GROQ_BASE_URL', keyVariable: 'GROQ_API_KEY', quirks: TAGGED },
  mistral: {
    baseURL: 'https://api.mistral.ai/v1',
    baseURLVariable: 'MISTRAL_BASE_URL',
    keyVariable: 'MISTRAL_API_KEY',
    quirks: { streamUsage: false, seedField: 'random_seed' },
  },
  together: {
    baseURL: 'https://api.together.xyz/v1',
    baseURLVariable: 'TOGETHER_BASE_URL',
    keyVariable: 'TOGETHER_API_KEY',
    quirks: TAGGED,
  },
  openrouter: { baseURL: 'https://openrouter.ai/api/v1', baseURLVariable: 'OPENROUTER_BASE_URL', keyVariable: 'OPENROUTER_API_KEY' },
  deepseek: {
    baseURL: 'https://api.deepseek.com/v1',
    baseURLVariable: 'DEEPSEEK_BASE_URL',
    keyVariable: 'DEEPSEEK_API_KEY',
    quirks: { reasoningField: 'reasoning_content' },
    capabilities: { jsonSchema: false, strict: false, parallelToolCalls: false, images: false },
  },
  gemini: {
    baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai',
    baseURLVariable: 'GEMINI_BASE_URL',
    keyVariable: 'GEMINI_API_KEY',
    capabilities: { parallelToolCalls: false, strict: false },
  },
  anthropic: {
    baseURL: 'https://api.anthropic.com/v1',
    baseURLVariable: 'ANTHROPIC_BASE_URL',
    keyVariable: 'ANTHROPIC_API_KEY',
    capabilities: { jsonSchema: false, strict: false },
  },
  custom: { baseURLVariable: 'TOOLWRIGHT_BASE_URL', keyVariable: 'TOOLWRIGHT_API_KEY', keyOptional: true, quirks: TAGGED },
};

const RULES = rulesOf<ProviderEntry>({
  api: oneOfTexts('chat', 'responses'),
  baseURL: anyText,
  baseURLVariable: anyText,
  baseURLSuffix: anyText,
  keyVariable: anyText,
  keyOptional: aBoolean,
  start: anyText,
  quirks: anObject,
  capabilities: anObject,
  headers: anObject,
});
const FACTORY_RULES = rulesOf<ProviderFactory>({ create: aFunction });

const entries = new Map<string, ProviderEntry | ProviderFactory>([
  ...Object.entries(BUILT_IN),
  ['offline', { create: () => offlineModel() }],
]);

/**
 * Adds a provider, or replaces one, for strings such as `mine:some-model`.
 * @throws UsageError for a name that is not lower-case letters, digits and hyphens, and for options that do not exist or do not fit
 * @example registerProvider('mine', { baseURL: 'https://llm.example.com/v1', keyVariable: 'MINE_API_KEY' });
 */
export function registerProvider(name: string, entry: ProviderEntry | ProviderFactory): void {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name))
    throw new UsageError(`registerProvider: ${JSON.stringify(name)} is no provider's name. Use lower-case letters, digits and hyphens.`);
  const where = `registerProvider(${JSON.stringify(name)})`;
  if ('create' in entry) checkedOptions(entry, FACTORY_RULES, where);
  else checkTraits(checkedOptions(entry, RULES, where), where);
  entries.set(name, Object.freeze({ ...entry }));
}

/** The provider of a name, as it is now. */
export function providerOf(name: string): ProviderEntry | ProviderFactory | undefined {
  return entries.get(name);
}

/** All names, in the order in which they were added. */
export function providerNames(): readonly string[] {
  return [...entries.keys()];
}
