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

/** Everything, but for what is said otherwise. */
export function withDefaults(capabilities: Partial<ModelCapabilities> | undefined): ModelCapabilities {
  return Object.freeze({ ...ALL, ...capabilities });
}

/** @throws UsageError for a model without a name, or an option that does not exist */
export function checkModelOptions(where: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new UsageError(`${where}: there is no option ${JSON.stringify(unknown)}. Write one of: ${known.join(', ')}.`);
  const model = (options as { readonly model?: unknown }).model;
  if (typeof model !== 'string' || model === '')
    throw new UsageError(`${where}: \`model\` is missing. Write \`new ${where}({ model: 'gpt-5-mini' })\`.`);
}
