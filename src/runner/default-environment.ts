import { wait } from '../models/wait';
import type { Environment } from '../types/environment';

// Drawn in batches: asking the system for each word would cost more than all else an id needs.
const BATCH = 512;
let pool = new Uint32Array(0);
let next = 0;

function word(): number {
  if (next === pool.length) {
    pool = globalThis.crypto.getRandomValues(new Uint32Array(BATCH));
    next = 0;
  }
  return pool[next++] as number;
}

const letters = (): string => word().toString(36).padStart(7, '0');

/** The machine's clock, chance and timers. */
export const defaultEnvironment: Environment = Object.freeze({
  now: () => Date.now(),
  id: (kind: 'run' | 'call' | 'marker') => `${kind}_${letters()}${letters()}${letters()}`,
  random: () => Math.random(),
  sleep: (ms: number, signal?: AbortSignal) => wait(ms, signal),
});
