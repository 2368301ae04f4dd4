import type { ToolDefinition } from '../tools/tool-definition';
import { FatalToolError, ToolFailure, ToolRetry } from '../errors/tool-error';
import type { Ended } from './deadline';

const FIRST_DELAY = 200;
const LONGEST_DELAY = 5_000;
/** What a call may take beyond its attempts: waiting for a lock, and between attempts. */
const SLACK = 5_000;

/** Milliseconds that a call may take in all, attempts, waits and locks together. */
export function budgetOf({ behaviour }: ToolDefinition, ceiling: number): number {
  return behaviour.timeout === null ? ceiling : behaviour.timeout * (behaviour.retries + 1) + SLACK;
}

/**
 * Whether an attempt that ended so may be followed by another. What a tool said on purpose is final; an attempt whose time was up may
 * still be at work, so it is repeated only where two at once do no harm.
 */
export function mayRepeat(ended: Ended, { behaviour }: ToolDefinition, attempt: number): boolean {
  if (attempt > behaviour.retries) return false;
  if (ended.how === 'expired') return behaviour.annotations.readOnly === true || behaviour.annotations.idempotent === true;
  return ended.how === 'threw' && !isDeliberate(ended.error);
}

/** Milliseconds before the attempt after this one: doubling, half of it by chance, so that those who failed together do not return together. */
export function delayAfter(attempt: number, random: number): number {
  const most = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempt - 1));
  return most / 2 + (most / 2) * random;
}

const isDeliberate = (error: unknown): boolean => ToolRetry.is(error) || ToolFailure.is(error) || FatalToolError.is(error);
