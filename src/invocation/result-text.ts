import { toPlain } from './plain-value';

/** A value as text for the model: strings as they are, everything else as JSON; never empty, never throws. */
export function resultText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '(an empty text)' : value.toWellFormed();
  if (value === undefined) return 'Done. The tool returned nothing.';
  return plainText(toPlain(value));
}

/** The JSON text of data that `toPlain` made. */
export function plainText(plain: unknown): string {
  if (plain === undefined) return 'null';
  try {
    return JSON.stringify(plain);
  } catch {
    // The engine's bound on the length of a string.
    return '"[the result is too large to be written]"';
  }
}

/** Data as text in which the order of keys plays no part: equal data, equal text. */
export function canonicalText(plain: unknown): string {
  return plainText(sorted(plain));
}

function sorted(plain: unknown): unknown {
  if (typeof plain !== 'object' || plain === null) return plain;
  if (Array.isArray(plain)) return plain.map(sorted);
  const entries = Object.entries(plain).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, value]) => [key, sorted(value)]));
}
