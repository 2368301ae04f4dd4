import { aFunction, aPositiveNumber, checkedOptions, rule, rulesOf } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import { estimateTokens, type Compaction, type CompactionView } from '../runner/persistence/compaction';
import type { Message, Part } from '../types/message';

/** When a session is compacted, and how much of it stays. */
export interface CompactByTokensOptions {
  /** What a session may cost before it is compacted, in tokens, as they are estimated (four characters each). */
  readonly maxTokens: number;
  /** What is shown in full afterwards, in tokens; half of `maxTokens` by default. */
  readonly keepTokens?: number;
  /** Puts dropped messages into words: a model's work, usually, which ends with the signal. Without it what people asked and which tools ran is listed. */
  readonly summarize?: (messages: readonly Message[], context: { readonly signal: AbortSignal }) => string | Promise<string>;
}

const RULES = rulesOf<CompactByTokensOptions>({
  maxTokens: aPositiveNumber,
  keepTokens: rule('a number, 0 or more', '10_000', (value) => typeof value === 'number' && value >= 0),
  summarize: aFunction,
});

/**
 * Compacts a session that has become too long: its oldest messages are replaced by a summary. Summaries are never summarised again.
 * @throws UsageError for options that do not exist or do not fit
 * @example new AgentRunner({ sessions, compact: compactByTokens({ maxTokens: 50_000, summarize }) })
 */
export function compactByTokens(options: CompactByTokensOptions): Compaction {
  const {
    maxTokens = 0,
    keepTokens = maxTokens / 2,
    summarize = listed,
  } = checkedOptions<Partial<CompactByTokensOptions>>(options, RULES, 'compactByTokens');
  if (maxTokens === 0 || keepTokens >= maxTokens)
    throw new UsageError('compactByTokens takes `maxTokens`, more than 0, and `keepTokens`, less than that.');
  return async ({ messages, tokens, signal }: CompactionView) => {
    if (tokens <= maxTokens) return undefined;
    let kept = 0;
    let drop = messages.length;
    while (drop > 0 && kept + estimateTokens(messages.slice(drop - 1, drop)) <= keepTokens)
      kept += estimateTokens(messages.slice(--drop, drop + 1));
    // To the next place where a person speaks: what is kept begins with a question.
    while (drop < messages.length && messages[drop]?.role !== 'user') drop++;
    return drop === 0 ? undefined : { drop, summary: await summarize(messages.slice(0, drop), { signal }) };
  };
}

/** Characters of each message that the list quotes. */
const QUOTED = 200;

function listed(messages: readonly Message[]): string {
  const lines = messages.flatMap((message) => {
    switch (message.role) {
      case 'user':
        return [`The user said: ${quoted(message.parts)}`];
      case 'assistant':
        return [
          ...message.calls.map((call) => `${call.name} was called.`),
          ...(message.parts.length > 0 ? [`The assistant said: ${quoted(message.parts)}`] : []),
        ];
      default:
        return [];
    }
  });
  return lines.join('\n');
}

function quoted(parts: readonly Part[]): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ');
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
}
