const SHOWN = 40;

/** What came, in a few words: `"north"`, `an array`, `nothing`. Never more than about fifty characters, never a look inside. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return value.toString().slice(0, SHOWN);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (value instanceof Date && !Number.isNaN(value.getTime())) return quoted(value.toISOString());
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

function quoted(text: string): string {
  if (text === '') return 'an empty string';
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}
