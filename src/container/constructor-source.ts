/** What a class's own text says of its constructor. */
export interface ConstructorSource {
  /** The parameters' names; `undefined` for a pattern. */
  readonly names: readonly (string | undefined)[];
  /** Positions that may be left out: they have a default or collect the rest. */
  readonly optional: ReadonlySet<number>;
  /** Whether it hands all that it gets to its base: what compilers write for fields, and mixins for their base. */
  readonly forwards: boolean;
}

// Longer texts are generated; what they say is not worth the time.
const LONGEST_TEXT = 500_000;
// Comments, strings, templates, and regular expressions where an operand must stand: nothing in them is code.
const NOT_CODE =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\/(?<=[(,=:[!&|?{};]\s*\/)(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g;
const FORWARDS = /super\s*\(\s*\.\.\.|\.apply\(this,\s*arguments\)/;

/**
 * Reads a class's constructor from its text; `undefined` where the class has none of its own, or is no class in its text.
 * The compiler's metadata names no parameter and is silent where a class has no decorator; this fills in the names for
 * errors, and tells a constructor that takes nothing from one that is not there.
 */
export function constructorSource(cls: Function): ConstructorSource | undefined {
  const text = Function.prototype.toString.call(cls);
  const isClassText = text.startsWith('class');
  if (text.length > LONGEST_TEXT || (isClassText && !text.includes('constructor'))) return undefined;
  const code = text.replace(NOT_CODE, (found) => (/^\/[/*]/.test(found) ? ' ' : '_').repeat(found.length));
  const open = isClassText ? openingOf(code) : code.indexOf('(');
  if (open === undefined || open < 0) return undefined;
  const end = closingOf(code, open);
  const pieces = split(code.slice(open + 1, end));
  const bodyAt = code.indexOf('{', end);
  const body = bodyAt < 0 ? '' : code.slice(bodyAt, closingOf(code, bodyAt));
  return {
    names: pieces.map((piece) => /^(?:\.\.\.)?\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(piece)?.[1]),
    optional: new Set(pieces.flatMap((piece, at) => (piece.startsWith('...') || /=(?!>)/.test(piece) ? [at] : []))),
    forwards: FORWARDS.test(body),
  };
}

/** The parenthesis after the word `constructor` in the class's own body, not in a class within it. */
function openingOf(code: string): number | undefined {
  let depth = 0;
  let inBody = false;
  for (let at = 0; at < code.length; at++) {
    const character = code[at]!;
    if ('([{'.includes(character)) {
      if (character === '{' && depth === 0) inBody = true;
      depth++;
    } else if (')]}'.includes(character)) depth--;
    else if (inBody && depth === 1 && character === 'c' && !/[\w$.#]/.test(code[at - 1] ?? '')) {
      const word = /^constructor\s*\(/.exec(code.slice(at, at + 100));
      if (word !== null) return at + word[0].length - 1;
    }
  }
  return undefined;
}

/** Where the bracket that opens at `open` is closed; the end of the text if nowhere. */
function closingOf(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if ('([{'.includes(code[at]!)) depth++;
    else if (')]}'.includes(code[at]!) && --depth === 0) return at;
  }
  return code.length;
}

/** The texts between the commas of a list. */
function split(list: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= list.length; at++) {
    const character = list[at];
    if (character !== undefined && '([{'.includes(character)) depth++;
    else if (character !== undefined && ')]}'.includes(character)) depth--;
    else if (character === undefined || (character === ',' && depth === 0)) {
      const piece = list.slice(start, at).trim();
      if (piece !== '') pieces.push(piece);
      start = at + 1;
    }
  }
  return pieces;
}
