/** A JSON object of unknown shape, as a provider sent it. */
export type Plain = { readonly [key: string]: unknown };

/** The value as an object, when it is one. */
export function asPlain(value: unknown): Plain | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : undefined;
}

/** The value as text, when it is text that says something. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** JSON text of anything; text stays as it is, and what JSON cannot say becomes `null`. */
export function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return 'null';
  }
}
