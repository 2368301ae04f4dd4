import {
  aBoolean,
  aFunction,
  anObject,
  anyOf,
  aText,
  checkedOptions,
  isRecord,
  oneOfTexts,
  rule,
  type OptionRule,
  type OptionRules,
} from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import type { ModelCapabilities } from './model';

const ALL: ModelCapabilities = Object.freeze({
  tools: true,
  parallelToolCalls: true,
  jsonSchema: true,
  strict: true,
  images: true,
  reasoning: true,
});

const CAPABILITY_RULES: OptionRules = new Map(Object.keys(ALL).map((name) => [name, aBoolean]));
const QUIRK_RULES: OptionRules = new Map<string, OptionRule>([
  ['maxTokensField', oneOfTexts('max_tokens', 'max_completion_tokens')],
  ['streamUsage', aBoolean],
  ['reasoningField', oneOfTexts('reasoning_content', 'reasoning')],
  ['seedField', oneOfTexts('seed', 'random_seed')],
  ['thinkTags', aBoolean],
  ['writtenCalls', aBoolean],
]);
const anyText = rule('a text', "'…'", (value) => typeof value === 'string');
/** For `retries`. */
export const anObjectOrFalse = anyOf(
  anObject,
  rule('false', 'false', (value) => value === false),
);

/** Everything, but for what is said otherwise. */
export function withDefaults(capabilities: Partial<ModelCapabilities> | undefined): ModelCapabilities {
  return Object.freeze({ ...ALL, ...capabilities });
}

/** What every model behind a provider takes. */
const MODEL_RULES: OptionRules = new Map<string, OptionRule>([
  ['model', aText],
  ['capabilities', anObject],
  ['retries', anObjectOrFalse],
  ['endpoint', anObject],
  ['apiKey', anyText],
  ['baseURL', anyText],
  ['client', anObject],
  ['fetch', aFunction],
  ['headers', anObject],
]);
/** What those that speak Chat Completions take. */
const CHAT_MODEL_RULES: OptionRules = new Map([...MODEL_RULES, ['quirks', anObject]]);

/** @throws UsageError for a model without a name, and for options that do not exist or do not fit */
export function checkModelOptions(where: 'OpenAIChatModel' | 'OpenAIResponsesModel', options: object): void {
  if (!isRecord(options) || options['model'] === undefined || options['model'] === '')
    throw new UsageError(`${where}: \`model\` is missing. Write \`new ${where}({ model: 'gpt-5-mini' })\`.`);
  checkTraits(checkedOptions(options, where === 'OpenAIChatModel' ? CHAT_MODEL_RULES : MODEL_RULES, where), where);
}

const PROVIDER_RULES: OptionRules = new Map<string, OptionRule>([
  ['api', oneOfTexts('chat', 'responses')],
  ...['baseURL', 'baseURLVariable', 'baseURLSuffix', 'keyVariable', 'start'].map((name) => [name, anyText] as const),
  ['keyOptional', aBoolean],
  ['quirks', anObject],
  ['capabilities', anObject],
  ['headers', anObject],
]);
const FACTORY_RULES: OptionRules = new Map([['create', aFunction]]);

/** @throws UsageError for options that do not exist or do not fit */
export function checkProvider(entry: object, where: string): void {
  checkTraits(checkedOptions(entry, 'create' in entry ? FACTORY_RULES : PROVIDER_RULES, where), where);
}

/** @throws UsageError for a capability, or a quirk, that does not exist */
export function checkTraits({ capabilities, quirks }: { readonly capabilities?: object; readonly quirks?: object }, where: string): void {
  checkedOptions(capabilities, CAPABILITY_RULES, `${where}, capabilities`);
  checkedOptions(quirks, QUIRK_RULES, `${where}, quirks`);
}
