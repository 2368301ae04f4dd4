/** Where a run's time, ids and chance come from, so that a test or a replay can give its own. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number;
  /** A new id; `kind` says for what. */
  id(kind: 'run' | 'call' | 'marker'): string;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
  /**
   * Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. Leaves no timer and no listener
   * behind. `why` tells a deadline, which usually never comes, from a pause, which a test may skip.
   */
  sleep(ms: number, signal?: AbortSignal, why?: 'pause' | 'deadline'): Promise<void>;
}
