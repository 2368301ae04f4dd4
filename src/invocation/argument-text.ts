import { soleObject } from './sole-object';

/** The argument text, read: an object, or what is wrong with the text in words for the model. */
export type ArgumentText =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>>; readonly repaired: boolean }
  | { readonly ok: false; readonly problem: string };

/** UTF-16 code units. Texts beyond it are refused unread; beyond the second, they are read only if they are strict JSON. */
const MAX_CHARS = 16_777_216;
const MAX_REPAIR_CHARS = 262_144;
const MAX_DEPTH = 200;

/**
 * Reads the argument text of a call as one object.
 *
 * Strict JSON first. Only when that fails, damage with a single reading is undone: prose or a fence around exactly one
 * object, raw control characters inside strings, then the grammar of JSON5. A text that was cut off is never closed, and
 * a backslash that JSON does not know is never dropped: both would be guesses.
 */
export function readArgumentText(text: string): ArgumentText {
  if (text.length > MAX_CHARS) return problem(`they are ${text.length} characters long; at most ${MAX_CHARS} are read`);
  const trimmed = text.trim();
  if (trimmed === '') return read({}, false);
  const strict = parseJson(trimmed);
  if (strict !== undefined) return fromJson(strict.value, trimmed, false);
  return trimmed.length > MAX_REPAIR_CHARS ? problem(whereItBreaks(trimmed)) : repair(trimmed);
}

/**
 * The argument text for the transcript: the model's own where it is a JSON object, else what was understood as one. A text that could not
 * be read becomes `{}`; the call's result quotes it, so the model still sees what it wrote.
 */
export function transcriptArguments(text: string): string {
  const reading = readArgumentText(text);
  if (!reading.ok) return '{}';
  const own = text.trim();
  // The model's bytes are kept as they are: numbers with more digits than a double holds, and the order of keys that look like indexes.
  // Only lone surrogates are replaced, which no provider's UTF-8 can carry.
  return !reading.repaired && own.startsWith('{') ? text.toWellFormed() : JSON.stringify(reading.value).toWellFormed();
}

const read = (value: Readonly<Record<string, unknown>>, repaired: boolean): ArgumentText => ({ ok: true, value, repaired });
const problem = (what: string): ArgumentText => ({ ok: false, problem: `The arguments are not valid JSON: ${what}.` });

function fromJson(value: unknown, text: string, repaired: boolean): ArgumentText {
  if (depthOf(text) > MAX_DEPTH) return problem(`they are nested deeper than ${MAX_DEPTH} levels`);
  if (value === null) return read({}, repaired);
  if (typeof value === 'string') return fromEncoded(value);
  if (typeof value !== 'object' || Array.isArray(value))
    return { ok: false, problem: `The arguments must be one JSON object, such as {"name": "value"}; got ${kindOf(value)}.` };
  return read(value as Record<string, unknown>, repaired);
}

/** Arguments that were encoded twice are decoded twice, and no further. */
function fromEncoded(inner: string): ArgumentText {
  const text = inner.trim();
  if (text === '') return read({}, true);
  const value = text.startsWith('{') ? parseJson(text)?.value : undefined;
  if (value === undefined) return { ok: false, problem: 'The arguments must be one JSON object, such as {"name": "value"}; got a string.' };
  if (depthOf(text) > MAX_DEPTH) return problem(`they are nested deeper than ${MAX_DEPTH} levels`);
  return read(value as Record<string, unknown>, true);
}

function repair(text: string): ArgumentText {
  const object = soleObject(text);
  if (object === undefined) return problem(whereItBreaks(text));
  if (depthOf(object) > MAX_DEPTH) return problem(`they are nested deeper than ${MAX_DEPTH} levels`);
  const strict = parseJson(object) ?? parseJson(escapeControls(object));
  if (strict !== undefined) return fromJson(strict.value, object, true);
  if (hasStrangeEscape(object)) return problem('a string holds a backslash that starts no JSON escape; write each backslash as \\\\');
  const value = parseJson5(object);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? read(value as Record<string, unknown>, true)
    : problem(whereItBreaks(text));
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * Whether a backslash starts something other than JSON's own escapes or an escaped quote. JSON5 drops a backslash that it does not know
 * (`C:\Users`, `\d+`), reads `\v`, `\0` and `\x41` as characters and joins lines: each has a second reading.
 */
function hasStrangeEscape(text: string): boolean {
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 2)) {
    if (!`"\\/bfnrtu'`.includes(text[at + 1] ?? ' ')) return true;
  }
  return false;
}

function parseJson5(text: string): unknown {
  try {
    // Loaded when first needed: most runs never need it.
    const json5 = require('json5') as typeof import('json5');
    const value: unknown = json5.parse(text);
    return holdsNoNumber(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Whether a `NaN` or an infinity that was written out stands in the value: JSON has none, so there is nothing it could mean. */
function holdsNoNumber(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsNoNumber);
}

/** Raw line breaks, tabs and the like inside strings, escaped: a string that holds them can be read in one way only. */
function escapeControls(json: string): string {
  let escaped = '';
  let copied = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 34) inString = !inString;
    else if (inString && code === 92) at++;
    else if (inString && code < 32) {
      escaped += json.slice(copied, at) + JSON.stringify(json[at]).slice(1, -1);
      copied = at + 1;
    }
  }
  return escaped + json.slice(copied);
}

/** How deep brackets nest, outside of strings; counted in the text, since walking a value that is too deep is what must not happen. */
function depthOf(json: string): number {
  if (json.length <= MAX_DEPTH * 2) return 0;
  let deepest = 0;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (inString) {
      if (code === 92) at++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) deepest = Math.max(deepest, ++depth);
    else if (code === 125 || code === 93) depth--;
  }
  return deepest;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** The parser's words, and a look at the place. */
function whereItBreaks(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    const said = (error as Error).message;
    const at = /at position (\d+)/.exec(said)?.[1];
    if (at !== undefined) return `at character ${at}, near ${excerpt(text, Number(at))}`;
    if (/end of JSON/.test(said)) return `the text stops before it is complete, after ${excerpt(text, text.length)}; send it whole`;
  }
  return `it begins with ${excerpt(text, 0)}`;
}

function excerpt(text: string, around: number): string {
  const piece = text.slice(Math.max(0, around - 30), around + 30);
  return JSON.stringify(piece.toWellFormed());
}
