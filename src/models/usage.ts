import type { ModelUsage } from './model';
import { asPlain } from './plain';

/** Token counts in any of the shapes in which providers report them; `undefined` when nothing can be read. */
export function readUsage(value: unknown): ModelUsage | undefined {
  const usage = asPlain(value);
  if (usage === undefined) return undefined;
  const inputDetails = asPlain(usage['prompt_tokens_details']) ?? asPlain(usage['input_tokens_details']);
  const outputDetails = asPlain(usage['completion_tokens_details']) ?? asPlain(usage['output_tokens_details']);
  const read: { -readonly [K in keyof ModelUsage]: ModelUsage[K] } = {};
  set('inputTokens', usage['prompt_tokens'] ?? usage['input_tokens']);
  set('outputTokens', usage['completion_tokens'] ?? usage['output_tokens']);
  set('cachedTokens', inputDetails?.['cached_tokens'] ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens']);
  set('reasoningTokens', outputDetails?.['reasoning_tokens']);
  set('costUsd', usage['cost']);
  return Object.keys(read).length === 0 ? undefined : read;

  function set(key: keyof ModelUsage, count: unknown): void {
    if (typeof count === 'number' && Number.isFinite(count) && count >= 0) read[key] = count;
  }
}
