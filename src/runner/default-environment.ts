import { LONGEST_TIMER } from '../errors/option-check';
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
  sleep: (ms: number, signal?: AbortSignal) => sleep(ms, signal),
});

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(Math.max(0, ms), LONGEST_TIMER),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
