import type { ModelUsage } from '../../models/model';
import type { Usage } from '../../types/usage';

/** Two usages together; the cost is known only while each part of it is. */
export function addUsage(total: Usage, more: Usage): Usage {
  if (more.requests === 0 && more.toolCalls === 0) return total;
  const costUsd =
    total.requests === 0
      ? more.costUsd
      : more.requests === 0
        ? total.costUsd
        : total.costUsd === undefined || more.costUsd === undefined
          ? undefined
          : total.costUsd + more.costUsd;
  return {
    requests: total.requests + more.requests,
    inputTokens: total.inputTokens + more.inputTokens,
    outputTokens: total.outputTokens + more.outputTokens,
    cachedTokens: total.cachedTokens + more.cachedTokens,
    reasoningTokens: total.reasoningTokens + more.reasoningTokens,
    totalTokens: total.totalTokens + more.totalTokens,
    toolCalls: total.toolCalls + more.toolCalls,
    ...(costUsd !== undefined && { costUsd }),
  };
}

/** What of a usage is beyond an earlier one of the same run. */
export function usageSince(total: Usage, before: Usage): Usage {
  const { costUsd } = total;
  return {
    requests: total.requests - before.requests,
    inputTokens: total.inputTokens - before.inputTokens,
    outputTokens: total.outputTokens - before.outputTokens,
    cachedTokens: total.cachedTokens - before.cachedTokens,
    reasoningTokens: total.reasoningTokens - before.reasoningTokens,
    totalTokens: total.totalTokens - before.totalTokens,
    toolCalls: total.toolCalls - before.toolCalls,
    ...(costUsd !== undefined && { costUsd: costUsd - (before.costUsd ?? 0) }),
  };
}

/** The usage of one request, from what its provider said; what it did not say, or said wrongly, counts as no tokens. */
export function requestUsage(said: ModelUsage | undefined): Usage {
  const inputTokens = count(said?.inputTokens);
  const outputTokens = count(said?.outputTokens);
  const cost = said?.costUsd;
  return {
    requests: 1,
    inputTokens,
    outputTokens,
    cachedTokens: count(said?.cachedTokens),
    reasoningTokens: count(said?.reasoningTokens),
    totalTokens: inputTokens + outputTokens,
    toolCalls: 0,
    ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }),
  };
}

const count = (tokens: unknown): number => (typeof tokens === 'number' && tokens >= 0 && Number.isFinite(tokens) ? tokens : 0);
