import type { Limits } from '../../agent/agent-options';
import type { LimitName } from '../../types/run-result';
import type { Usage } from '../../types/usage';
import type { RequestCost, RunLimits, RunState } from './run-state';

const DEFAULTS: RunLimits = Object.freeze({ maxTurns: 10, maxToolCalls: 100, maxDepth: 5, onExceeded: 'answer' });
/** The part of `maxDurationMs` that is kept for a final answer, and the most that is kept. */
const RESERVED_SHARE = 0.25;
const LONGEST_RESERVE_MS = 30_000;

/** The limits of an agent, which were checked when they were read, with the defaults for those that are not set. */
export function withDefaults(limits: Limits): RunLimits {
  return { ...DEFAULTS, ...limits };
}

/** When work must stop so that a final answer still fits into `maxDurationMs`; in milliseconds since the run's start. */
export function softDeadline(limits: RunLimits): number | undefined {
  if (limits.maxDurationMs === undefined) return undefined;
  return limits.maxDurationMs - Math.min(limits.maxDurationMs * RESERVED_SHARE, LONGEST_RESERVE_MS);
}

/** The tokens that a run may consume, by its own limit and those around it. */
function tokenLimit({ terms, caps }: RunState): number | undefined {
  return lower(terms.limits.maxTokens, caps?.tokens);
}

function costLimit({ terms, caps }: RunState): number | undefined {
  return lower(terms.limits.maxCostUsd, caps?.costUsd);
}

function lower(own: number | undefined, around: number | undefined): number | undefined {
  return own === undefined || around === undefined ? (own ?? around) : Math.min(own, around);
}

/** The limit that forbids one more ordinary request, if any: after it a final answer would no longer fit. */
export function reachedLimit(state: RunState, elapsed: number): LimitName | undefined {
  const { limits } = state.terms;
  const { usage, lastRequest: last } = state;
  if (state.turn >= limits.maxTurns) return 'maxTurns';
  if (over(usage.totalTokens + 2 * last.totalTokens, tokenLimit(state))) return 'maxTokens';
  if (over((usage.costUsd ?? 0) + 2 * last.costUsd, costLimit(state))) return 'maxCostUsd';
  const deadline = softDeadline(limits);
  if (deadline !== undefined && elapsed >= deadline) return 'maxDurationMs';
  return undefined;
}

/** The limit that forbids even a final answer, if any. */
export function exhaustedLimit(state: RunState, elapsed: number): LimitName | undefined {
  const { limits } = state.terms;
  const { usage, lastRequest: last } = state;
  const tokens = tokenLimit(state);
  if (tokens !== undefined && usage.totalTokens + last.inputTokens >= tokens) return 'maxTokens';
  if (over((usage.costUsd ?? 0) + last.costUsd, costLimit(state))) return 'maxCostUsd';
  if (limits.maxDurationMs !== undefined && elapsed >= limits.maxDurationMs) return 'maxDurationMs';
  return undefined;
}

const over = (projected: number, limit: number | undefined): boolean => limit !== undefined && projected > limit;

/** Whether running this many more calls would go over `maxToolCalls`. */
export function exceedsToolCalls(state: RunState, more: number): boolean {
  const { terms, caps, usage } = state;
  return over(usage.toolCalls + more, lower(terms.limits.maxToolCalls, caps?.toolCalls));
}

/** How many tokens an answer may have so that `maxTokens` holds; `undefined` without that limit. */
export function answerTokens(state: RunState): number | undefined {
  const maxTokens = tokenLimit(state);
  if (maxTokens === undefined) return undefined;
  return Math.max(1, Math.floor(maxTokens - state.usage.totalTokens - state.lastRequest.inputTokens));
}

/** A limit in words, with its value. */
export function limitText({ terms, caps }: RunState, which: LimitName): string {
  if (which === 'outputTokens') return 'the longest answer that the provider or `modelSettings.maxTokens` allows';
  const own = terms.limits[which];
  const around =
    which === 'maxTokens' ? caps?.tokens : which === 'maxCostUsd' ? caps?.costUsd : which === 'maxToolCalls' ? caps?.toolCalls : undefined;
  if (around !== undefined && (own === undefined || around < own)) return `what the run around it has left of limits.${which}`;
  return `limits.${which} = ${own}`;
}

/** The measure that a request leaves for the next. */
export function requestCost({ inputTokens, totalTokens, costUsd = 0 }: Usage): RequestCost {
  return { inputTokens, totalTokens, costUsd };
}
