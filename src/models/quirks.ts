/** In what a provider differs from OpenAI. */
export interface ProviderQuirks {
  /** The field that bounds the answer's length. `max_tokens` by default. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** Whether `stream_options: { include_usage: true }` is understood. `true` by default. */
  readonly streamUsage?: boolean;
  /** The field in which reasoning must be sent back together with the calls that followed it. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  /** The name of the `seed` field. `seed` by default. */
  readonly seedField?: 'seed' | 'random_seed';
  /** Whether an answer may begin with `<think>…</think>`, which is then read as reasoning. `false` by default. */
  readonly thinkTags?: boolean;
  /** Whether calls that a model writes into its text are read as calls. `false` by default: text may be quoted from a tool's result. */
  readonly writtenCalls?: boolean;
}

/** Those of OpenAI itself, whose newer models refuse `max_tokens`. */
export const OPENAI_QUIRKS: ProviderQuirks = Object.freeze({ maxTokensField: 'max_completion_tokens' });
