import { isSensitiveKey } from './sensitive-keys';

/** A property's name in JSON text and what stands before its value; its quotes are escaped where the JSON stands inside other JSON. */
const NAME = /(\\{0,15})"([^"\\]{1,100})\1"\s*:\s*/g;

/**
 * JSON text, or text with JSON in it, without what stands under sensitive keys. Names and values are found by their quotes, so text that is cut off
 * or otherwise broken is read as well: there a value goes on to the end.
 * @param instead what is put in place of a value, between quotes
 */
export function hideSensitiveProperties(text: string, instead: string): string {
  let out = '';
  let done = 0;
  const names = new RegExp(NAME);
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    const [, slashes = '', key = ''] = found;
    if (!isSensitiveKey(key)) continue;
    const start = names.lastIndex;
    const end = endOfValue(text, start, slashes.length);
    if (end === undefined) continue;
    out += `${text.slice(done, start)}${slashes}"${instead}${slashes}"`;
    done = end;
    names.lastIndex = Math.max(end, start);
  }
  return done === 0 ? text : out + text.slice(done);
}

/** Where a text, number, list or object ends that begins here; `undefined` for flags, nothing, and empty texts. */
function endOfValue(text: string, start: number, slashes: number): number | undefined {
  if (text.startsWith('"', start + slashes)) {
    const end = endOfText(text, start + slashes + 1, slashes);
    return end === start + 2 * (slashes + 1) ? undefined : end;
  }
  const first = text[start];
  if (first === '{' || first === '[') return endOfList(text, start, slashes);
  const number = /-?\d[\d.eE+-]*/y;
  number.lastIndex = start;
  return number.test(text) ? number.lastIndex : undefined;
}

/** Behind the quote that closes a text: the slashes before it are those of its level, and none is left over from the text itself. */
function endOfText(text: string, from: number, slashes: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let run = 0;
    while (at - run > from && text[at - run - 1] === '\\') run++;
    if (run % (2 * (slashes + 1)) === slashes) return at + 1;
  }
  return text.length;
}

function endOfList(text: string, start: number, slashes: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at + 1, slashes) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}
