/** What a check says: nothing or `true` for well, `false`, or facts of its own; what it throws means down. */
export type HealthAnswer = void | boolean | { readonly up: boolean; readonly [fact: string]: unknown };

/** Asks one service how it is. Its signal aborts when nobody waits any more. */
export type HealthCheck = (signal: AbortSignal) => HealthAnswer | Promise<HealthAnswer>;

/** What came of one check; what the model reads. */
export interface CheckedHealth {
  readonly name: string;
  readonly status: 'up' | 'down';
  readonly duration_ms: number;
  /** Why it is down. */
  readonly reason?: string;
  readonly facts?: { readonly [fact: string]: unknown };
}

const LONGEST_REASON = 300;

/** Runs a check to its answer, or to the end of its time. Never rejects. */
export async function checkHealth(
  name: string,
  check: HealthCheck,
  { timeout, exposeErrors, signal }: { readonly timeout: number; readonly exposeErrors: boolean; readonly signal: AbortSignal },
): Promise<CheckedHealth> {
  const startedAt = performance.now();
  const deadline = AbortSignal.timeout(timeout);
  const over = AbortSignal.any([signal, deadline]);
  const done = (answer: Pick<CheckedHealth, 'status' | 'reason' | 'facts'>): CheckedHealth => ({
    name,
    ...answer,
    duration_ms: Math.round(performance.now() - startedAt),
  });
  try {
    return done(read(await Promise.race([Promise.resolve().then(() => check(over)), ending(over)])));
  } catch (error) {
    if (deadline.aborted) return done({ status: 'down', reason: `no answer within ${timeout} ms` });
    return done({ status: 'down', reason: signal.aborted ? 'not waited for' : reasonOf(error, exposeErrors) });
  }
}

function ending(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function read(answer: HealthAnswer): Pick<CheckedHealth, 'status' | 'reason' | 'facts'> {
  if (answer === undefined || answer === true) return { status: 'up' };
  if (answer === false) return { status: 'down', reason: 'the check said no' };
  if (typeof answer !== 'object' || answer === null || typeof answer.up !== 'boolean')
    return { status: 'down', reason: 'the check gave an answer that cannot be understood' };
  const { up, ...facts } = answer;
  return { status: up ? 'up' : 'down', ...(Object.keys(facts).length === 0 ? {} : { facts }) };
}

/** The text of an error may hold addresses and passwords: by default only its name and code are told. */
function reasonOf(error: unknown, expose: boolean): string {
  if (typeof error !== 'object' || error === null) return 'it failed';
  const { name, code, message } = error as { readonly name?: unknown; readonly code?: unknown; readonly message?: unknown };
  const kind = [name, code].filter((word): word is string => typeof word === 'string' && /^[\w.-]{1,60}$/.test(word)).join(' ');
  const said = expose && typeof message === 'string' && message !== '' ? `: ${message.slice(0, LONGEST_REASON).toWellFormed()}` : '';
  return `${kind || 'it failed'}${said}`;
}
