import { ToolFailure } from '../../errors/tool-error';

/** Whether a path below the root fits a pattern. */
export type PathMatcher = (path: string) => boolean;

const LONGEST = 500;
const MOST_ALTERNATIVES = 64;

/**
 * Reads a pattern: `*` and `?` within a name, `**` for any folders, `[a-z]`, `{ts,tsx}`. Without a slash it fits the names of files in any folder.
 * Matching takes time in proportion to pattern and path, whatever they are: no regular expression is made of it.
 * @throws ToolFailure for a pattern that cannot be read
 */
export function globMatcher(pattern: string): PathMatcher {
  if (pattern.length > LONGEST) throw new ToolFailure(`A pattern has at most ${LONGEST} characters.`);
  const patterns = alternatives(pattern.replace(/^\.?\/+/, '')).map((one) => {
    const parts = one.split('/').filter((part) => part !== '');
    return (parts.length > 1 ? parts : ['**', ...parts]).map(partMatcher);
  });
  return (path) => {
    const names = path.split('/');
    return patterns.some((parts) => matches(parts, names));
  };
}

/** `{a,b}` written out. */
function alternatives(pattern: string): string[] {
  const open = pattern.indexOf('{');
  if (open < 0) return [pattern];
  let depth = 0;
  const cuts: number[] = [open];
  for (let at = open; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '{') depth++;
    else if (character === ',' && depth === 1) cuts.push(at);
    else if (character === '}' && --depth === 0) {
      cuts.push(at);
      break;
    }
  }
  if (depth > 0) throw new ToolFailure('The pattern opens a { that it does not close.');
  const end = cuts.at(-1) as number;
  const choices = cuts.slice(1).map((cut, index) => pattern.slice((cuts[index] as number) + 1, cut));
  const all: string[] = [];
  for (const choice of choices) {
    all.push(...alternatives(pattern.slice(0, open) + choice + pattern.slice(end + 1)));
    if (all.length > MOST_ALTERNATIVES) throw new ToolFailure(`The pattern stands for more than ${MOST_ALTERNATIVES} others.`);
  }
  return all;
}

type Part = 'any folders' | ((name: string) => boolean);

function partMatcher(part: string): Part {
  if (part === '**') return 'any folders';
  const tokens = tokensOf(part);
  return (name) => matchesName(tokens, [...name]);
}

type Token = '*' | ((character: string) => boolean);

function tokensOf(part: string): readonly Token[] {
  const characters = [...part];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    if (character === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*');
    } else if (character === '?') tokens.push(() => true);
    else if (character === '[') {
      const end = characters.indexOf(']', at + 2);
      if (end < 0) throw new ToolFailure('The pattern opens a [ that it does not close.');
      tokens.push(setOf(characters.slice(at + 1, end)));
      at = end;
    } else tokens.push((other) => other === character);
  }
  return tokens;
}

function setOf(written: readonly string[]): (character: string) => boolean {
  const negated = written[0] === '!' || written[0] === '^';
  const set = negated ? written.slice(1) : written;
  return (character) => {
    let found = false;
    for (let at = 0; at < set.length && !found; at++) {
      if (set[at + 1] === '-' && at + 2 < set.length) {
        found = (set[at] as string) <= character && character <= (set[at + 2] as string);
        at += 2;
      } else found = set[at] === character;
    }
    return found !== negated;
  };
}

/** The greedy way with one place to come back to: the last star. */
function matchesName(tokens: readonly Token[], name: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let from = 0;
  while (at < name.length) {
    const wanted = tokens[token];
    if (wanted === '*') {
      star = token++;
      from = at;
    } else if (wanted?.(name[at] as string) === true) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++from;
    } else return false;
  }
  while (tokens[token] === '*') token++;
  return token === tokens.length;
}

/** The same over folders: `**` is their star. */
function matches(parts: readonly Part[], names: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let star = -1;
  let from = 0;
  while (at < names.length) {
    const wanted = parts[part];
    if (wanted === 'any folders') {
      star = part++;
      from = at;
    } else if (wanted?.(names[at] as string) === true) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++from;
    } else return false;
  }
  while (parts[part] === 'any folders') part++;
  return part === parts.length;
}
