import type { ErrorFacts } from '../types/run-result';

const MAX_CHARS = 10_000;

/** Whatever was thrown, as plain data; never throws itself, whatever the thrown value does when it is read. */
export function errorFacts(error: unknown): ErrorFacts {
  if ((typeof error !== 'object' && typeof error !== 'function') || error === null) return { name: 'Error', message: text(error) };
  const code = field(error, 'code');
  return {
    name: field(error, 'name') ?? 'Error',
    ...(code === undefined ? undefined : { code }),
    message: field(error, 'message') ?? 'An object was thrown that is not an error.',
  };
}

/** The text of whatever was thrown. */
export function errorText(error: unknown): string {
  return errorFacts(error).message;
}

function field(error: object, key: string): string | undefined {
  try {
    const value = (error as Record<string, unknown>)[key];
    return typeof value === 'string' || typeof value === 'number' ? text(value) : undefined;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string {
  const whole = typeof value === 'symbol' ? value.toString() : String(value);
  return whole.length > MAX_CHARS ? `${whole.slice(0, MAX_CHARS)}…` : whole;
}
