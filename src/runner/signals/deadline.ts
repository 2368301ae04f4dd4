import { LimitError } from '../../errors/run-error';
import type { Environment } from '../../types/environment';
import type { Interruption } from './interruption';
import { softDeadline } from '../loop/limits';
import type { RunLimits } from '../loop/run-state';

const NOTHING = (): void => undefined;

/**
 * Cuts something off when the run's time is up: before the reserve for a final answer, or for that answer itself at the
 * very end. The returned function stops the clock and leaves no timer.
 */
export function limitTime(
  cut: Interruption,
  limits: RunLimits,
  final: boolean,
  clock: { readonly environment: Environment; readonly startedAt: number },
): () => void {
  const until = final ? limits.maxDurationMs : softDeadline(limits);
  if (until === undefined || limits.maxDurationMs === undefined) return NOTHING;
  const { environment, startedAt } = clock;
  const stop = new AbortController();
  const left = Math.max(0, until - (environment.now() - startedAt));
  environment.sleep(left, stop.signal, 'deadline').then(() => cut.abort(timeUp(limits)), NOTHING);
  return () => stop.abort();
}

/** The reason that models and tools see: told apart from a caller's abort and from a tool's own deadline. */
function timeUp(limits: RunLimits): LimitError {
  const error = new LimitError('maxDurationMs', `The time of the run is up (limits.maxDurationMs = ${limits.maxDurationMs}).`);
  error.name = 'TimeoutError';
  return error;
}
