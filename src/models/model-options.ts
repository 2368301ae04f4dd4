import {
  aBoolean,
  aFunction,
  anObject,
  anyOf,
  anyText,
  aText,
  checkedOptions,
  isRecord,
  oneOfTexts,
  rule,
  rulesOf,
  type OptionRules,
} from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import type { ModelCapabilities } from './model';
import type { ProviderQuirks } from './quirks';

const ALL: ModelCapabilities = Object.freeze({
  tools: true,
  parallelToolCalls: true,
  jsonSchema: true,
  strict: true,
  images: true,
  reasoning: true,
});

const CAPABILITY_RULES: OptionRules = new Map(Object.keys(ALL).map((name) => [name, aBoolean]));
const QUIRK_RULES = rulesOf<ProviderQuirks>({
  maxTokensField: oneOfTexts('max_tokens', 'max_completion_tokens'),
  streamUsage: aBoolean,
  reasoningField: oneOfTexts('reasoning_content', 'reasoning'),
  seedField: oneOfTexts('seed', 'random_seed'),
  thinkTags: aBoolean,
  writtenCalls: aBoolean,
});
/** For `retries`. */
export const anObjectOrFalse = anyOf(
  anObject,
  rule('false', 'false', (value) => value === false),
);

/** Everything, but for what is said otherwise. */
export function withDefaults(capabilities: Partial<ModelCapabilities> | undefined): ModelCapabilities {
  return Object.freeze({ ...ALL, ...capabilities });
}

/** What every model of the `openai` package takes. */
export const MODEL_RULES = {
  model: aText,
  capabilities: anObject,
  retries: anObjectOrFalse,
  endpoint: anObject,
  apiKey: anyText,
  baseURL: anyText,
  client: anObject,
  fetch: aFunction,
  headers: anObject,
};

/** @throws UsageError for a model without a name, and for options that do not exist or do not fit */
export function checkModelOptions(where: string, options: object, rules: OptionRules): void {
  if (!isRecord(options) || options['model'] === undefined || options['model'] === '')
    throw new UsageError(`${where}: \`model\` is missing. Write \`new ${where}({ model: 'gpt-5-mini' })\`.`);
  checkTraits(checkedOptions(options, rules, where), where);
}

/** @throws UsageError for a capability, or a quirk, that does not exist */
export function checkTraits({ capabilities, quirks }: { readonly capabilities?: object; readonly quirks?: object }, where: string): void {
  checkedOptions(capabilities, CAPABILITY_RULES, `${where}, capabilities`);
  checkedOptions(quirks, QUIRK_RULES, `${where}, quirks`);
}
