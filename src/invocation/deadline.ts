import { ToolTimeoutError } from '../errors/tool-error';
import { LONGEST_TIMER } from '../errors/option-check';
import { onAbort } from './abort-watch';

/** How waiting for a piece of work came out. `rest` settles, without a value, when the work itself does. */
export type Ended =
  | { readonly how: 'returned'; readonly value: unknown }
  | { readonly how: 'threw'; readonly error: unknown }
  | { readonly how: 'expired'; readonly rest: Promise<void> }
  | { readonly how: 'aborted'; readonly reason: unknown; readonly rest: Promise<void> };

/**
 * Waits for work until it settles, its time is up, or one of the signals aborts. Never rejects, and leaves no timer and no listener.
 * @param ms how long, in milliseconds; `undefined` for as long as it takes
 */
export function settled(work: PromiseLike<unknown>, ms: number | undefined, signals: readonly (AbortSignal | undefined)[]): Promise<Ended> {
  return new Promise((resolve) => {
    const unwatch: (() => void)[] = [];
    let timer: NodeJS.Timeout | undefined;
    const end = (ended: Ended): void => {
      clearTimeout(timer);
      for (const stop of unwatch) stop();
      resolve(ended);
    };
    // `Promise.resolve` reads `then` by itself, and turns what that throws into a rejection.
    const rest = Promise.resolve(work).then(
      (value) => end({ how: 'returned', value }),
      (error: unknown) => end({ how: 'threw', error }),
    );
    if (ms !== undefined) timer = setTimeout(() => end({ how: 'expired', rest }), Math.min(ms, LONGEST_TIMER));
    for (const signal of signals) {
      if (signal === undefined) continue;
      if (signal.aborted) return end({ how: 'aborted', reason: signal.reason, rest });
      unwatch.push(onAbort(signal, () => end({ how: 'aborted', reason: signal.reason, rest })));
    }
  });
}

/**
 * Waits for something of the host's (a hook, a policy, an approver) no longer than `ms` milliseconds, and only until the signal aborts.
 * @throws what the work throws, a `ToolTimeoutError`, or the signal's reason
 */
export async function bounded<T>(work: T | PromiseLike<T>, what: string, ms: number | undefined, signal?: AbortSignal): Promise<T> {
  const ended = await settled(work as PromiseLike<T>, ms, [signal]);
  switch (ended.how) {
    case 'returned':
      return ended.value as T;
    case 'expired':
      throw new ToolTimeoutError(`${what} did not answer within ${ms} ms.`);
    case 'aborted':
      throw ended.reason;
    case 'threw':
      throw ended.error;
  }
}
