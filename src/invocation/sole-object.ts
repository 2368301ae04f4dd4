/**
 * The one object of a text, without the prose or the fence around it; `undefined` when there is none, more than one, or when what
 * stands around it could belong to it.
 */
export function soleObject(text: string): string | undefined {
  const start = text.indexOf('{');
  if (start < 0) return undefined;
  const end = endOfObject(text, start);
  if (end === undefined) return undefined;
  const before = text.slice(0, start);
  const after = text.slice(end);
  // Brackets or quotes outside, a key in front, or a comma behind are signs of a larger value that was damaged.
  if (/[{}[\]"]/.test(before + after) || KEY.test(before) || /^\s*[,:]/.test(after)) return undefined;
  return text.slice(start, end);
}

/** A single word and a colon, but for the words that announce arguments. */
const KEY = /^\s*(?!(?:json|args|arguments|parameters)\b)[\w$'-]+\s*[:=]\s*$/i;

/** Where the object that starts at `start` ends; `undefined` when it does not. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  // An apostrophe opens a string only where a key or a value may begin: elsewhere it is one.
  let mayBegin = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '"' || (char === "'" && mayBegin)) {
      const close = endOfString(text, at);
      if (close === undefined) return undefined;
      at = close;
      mayBegin = false;
    } else if (char === '{' || char === '[') {
      depth++;
      mayBegin = true;
    } else if (char === '}' || char === ']') {
      depth--;
      if (depth === 0) return at + 1;
      mayBegin = false;
    } else if (char === ',' || char === ':') mayBegin = true;
    else if (!/\s/.test(char)) mayBegin = false;
  }
  return undefined;
}

function endOfString(text: string, open: number): number | undefined {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[open]) return at;
  }
  return undefined;
}
