/** One parameter as it stands in a method's source text. */
export interface SourceParameter {
  /** `undefined` where a pattern stands in place of a name. */
  readonly name: string | undefined;
  readonly rest: boolean;
  readonly hasDefault: boolean;
}

// Past this much text a parameter list is none that a person wrote.
const LONGEST_LIST = 20_000;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const CLOSES: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/**
 * The parameters in a method's own source text, or `undefined` where the text cannot be trusted: another decorator's wrapper
 * (its text does not begin with the method's name), native code, or something that this simple reader does not know.
 */
export function sourceParameters(method: unknown, name: string): readonly SourceParameter[] | undefined {
  if (typeof method !== 'function') return undefined;
  const text = Function.prototype.toString.call(method);
  const open = openingOf(text, name);
  if (open === undefined) return undefined;
  const pieces = splitList(text, open + 1);
  return pieces?.map(readParameter);
}

/** Where the parameter list begins, if the text is that of the method itself: `name(`, `async name(`, `async *name(`. */
function openingOf(text: string, name: string): number | undefined {
  const head = /^(?:async\s+)?(?:\*\s*)?/.exec(text)?.[0] ?? '';
  if (!text.startsWith(name, head.length)) return undefined;
  const gap = /^\s*\(/.exec(text.slice(head.length + name.length, head.length + name.length + 200));
  return gap === null ? undefined : head.length + name.length + gap[0].length - 1;
}

/** The texts between the commas of a list, comments removed. */
function splitList(text: string, start: number): string[] | undefined {
  const end = Math.min(text.length, start + LONGEST_LIST);
  const pieces: string[] = [];
  const awaited: string[] = [];
  let piece = '';
  for (let at = start; at < end; at++) {
    const character = text[at]!;
    const skipped = skipText(text, at);
    if (skipped === undefined) return undefined;
    if (skipped > at) {
      // A comment counts as a space; a string is kept as a mark that something stood there.
      piece += character === '/' ? ' ' : '""';
      at = skipped;
    } else if (awaited.length === 0 && (character === ',' || character === ')')) {
      if (piece.trim() !== '') pieces.push(piece.trim());
      if (character === ')') return pieces;
      piece = '';
    } else {
      const closing = CLOSES.get(character);
      if (closing !== undefined) awaited.push(closing);
      else if (character === awaited.at(-1)) awaited.pop();
      piece += character;
    }
  }
  return undefined;
}

/** The last index of a comment or string that begins here; `at` itself where none does, `undefined` where it has no end. */
function skipText(text: string, at: number): number | undefined {
  const character = text[at];
  const two = text.slice(at, at + 2);
  if (two === '/*') return endOf(text.indexOf('*/', at + 2), 1);
  if (two === '//') return endOf(text.indexOf('\n', at + 2), 0);
  if (character === '/') return undefined;
  if (character !== '"' && character !== "'" && character !== '`') return at;
  for (let next = at + 1; next < text.length; next++) {
    if (text[next] === '\\') next++;
    else if (character === '`' && text.startsWith('${', next)) return undefined;
    else if (text[next] === character) return next;
  }
  return undefined;
}

const endOf = (found: number, more: number): number | undefined => (found < 0 ? undefined : found + more);

function readParameter(piece: string): SourceParameter {
  const rest = piece.startsWith('...');
  const [target = ''] = piece.slice(rest ? 3 : 0).split(/=(?!>)/, 1);
  const name = target.trim();
  return { name: IDENTIFIER.test(name) ? name : undefined, rest, hasDefault: !rest && target.length < piece.length };
}
