/** What one request, or one run, consumed. Tokens are as the provider counts them. */
export interface Usage {
  /** Model requests made, also those whose provider reports no tokens. */
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens that the provider served from its cache; part of `inputTokens`. */
  readonly cachedTokens: number;
  /** Output tokens spent on reasoning; part of `outputTokens`. */
  readonly reasoningTokens: number;
  readonly totalTokens: number;
  /** Tool calls that were executed. */
  readonly toolCalls: number;
  /** US dollars; `undefined` while any price is unknown. */
  readonly costUsd?: number;
}

export const NO_USAGE: Usage = Object.freeze({
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  totalTokens: 0,
  toolCalls: 0,
});
