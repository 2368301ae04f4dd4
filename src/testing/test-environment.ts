import { aFunction, checkedOptions, rule, rulesOf } from '../errors/option-check';
import { wait } from '../models/wait';
import type { Environment } from '../types/environment';

/** Time, ids and chance of a test, where they are not the usual ones. */
export interface TestEnvironmentOptions {
  /** Milliseconds since 1970, a date, or a clock. The first moment of 2026 by default, and it moves only by waiting. */
  readonly now?: number | Date | (() => number);
  /** Ids by kind; `run_1`, `call_1`, `marker_1` and so on by default. */
  readonly ids?: (kind: 'run' | 'call' | 'marker') => string;
  /** Numbers from 0 up to 1, for jitter; always 0.5 by default. */
  readonly random?: number | (() => number);
}

const START = Date.UTC(2026, 0, 1);

const RULES = rulesOf<TestEnvironmentOptions>({
  now: rule(
    'milliseconds since 1970, a date, or a clock',
    'new Date(0)',
    (value) => typeof value === 'number' || typeof value === 'function' || value instanceof Date,
  ),
  ids: aFunction,
  random: rule('a number, or a function that gives one', '0.5', (value) => typeof value === 'number' || typeof value === 'function'),
});

/**
 * Time, ids and chance that are the same in every run of a test. A pause between retries takes no time: it moves the
 * clock. Deadlines keep real timers, which fake timers may replace.
 * @throws UsageError for options that do not exist or do not fit
 * @example new AgentRunner({ model, environment: testEnvironment({ now: new Date('2026-03-01') }) })
 */
export function testEnvironment(options?: TestEnvironmentOptions): Environment {
  const { now = START, ids, random = 0.5 } = checkedOptions(options, RULES, 'testEnvironment()');
  const counts = new Map<string, number>();
  let waited = 0;
  const from = typeof now === 'function' ? now : () => Number(now);
  return {
    now: () => from() + waited,
    id:
      ids ??
      ((kind) => {
        const count = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, count);
        return `${kind}_${count}`;
      }),
    random: typeof random === 'function' ? random : () => random,
    sleep: (ms, signal, why) => {
      if (why === 'deadline') return wait(ms, signal);
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      waited += ms;
      return Promise.resolve();
    },
  };
}
