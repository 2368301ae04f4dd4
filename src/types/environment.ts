/** Where a run's time, ids and chance come from, so that a test or a replay can give its own. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number;
  /** A new id; `kind` says for what. */
  id(kind: 'run' | 'call' | 'marker'): string;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. Leaves no timer and no listener behind. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
