import { LONGEST_TIMER } from '../errors/option-check';

/**
 * Waits; rejects with the signal's reason when it aborts first. Leaves no timer and no listener behind.
 * @param ms milliseconds; what a timer cannot take is as long as one can
 */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, LONGEST_TIMER),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
