import { isCommon, partsOfIdentifier } from './words';

/** What a question mentions that can become an argument, each kind in order of appearance. */
export interface Mentions {
  readonly quoted: readonly string[];
  readonly paths: readonly string[];
  /** Folders named as such: `the docs folder`, `in src`. */
  readonly folders: readonly string[];
  readonly urls: readonly string[];
  readonly emails: readonly string[];
  readonly dates: readonly string[];
  readonly numbers: readonly number[];
  /** Identifiers and proper names: `AgentRunner`, `max_turns`, `New York`. */
  readonly names: readonly string[];
  /** All other words that say something. */
  readonly words: readonly string[];
}

const LONGEST_QUESTION = 4_000;
const NUMBER_WORDS = ['zero', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NOT_A_FOLDER =
  /^(project|repo|repository|code|codebase|folder|directory|root|workspace|here|this|that|it|files?|total|all|which|what|any|every|each|same|working|current)$/i;
const FILE_NAMES = /^(README|LICENSE|LICENCE|CHANGELOG|Makefile|Dockerfile|NOTICE|AUTHORS|CONTRIBUTING)$/;

export function mentionsOf(text: string): Mentions {
  const question = text.slice(0, LONGEST_QUESTION);
  const quoted = matches(
    question,
    /"([^"\n]{1,200})"|“([^”\n]{1,200})”|`([^`\n]{1,200})`|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu,
  );
  let rest = withoutAll(question, quoted).replace(/["“”`]/g, ' ');
  const urls = matches(rest, /\bhttps?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?]/g);
  rest = withoutAll(rest, urls);
  const emails = matches(rest, /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g);
  rest = withoutAll(rest, emails);
  const dates = datesIn(rest);
  rest = withoutAll(
    rest,
    dates.map(([written]) => written),
  );
  const paths = [...new Set([...pathsIn(rest), ...matches(rest, /[\p{L}\w-]+/gu).filter((word) => FILE_NAMES.test(word))])];
  rest = withoutAll(rest, paths);
  const folders = foldersIn(rest);
  const names = namesIn(rest);
  return {
    quoted,
    paths,
    folders,
    urls,
    emails,
    dates: dates.map(([, iso]) => iso),
    numbers: numbersIn(rest),
    names,
    words: matches(withoutAll(rest, names), /[\p{L}][\p{L}\p{N}'-]*/gu).filter((word) => word.length > 1 && !isCommon(word)),
  };
}

/** The path-like words of a text: with a slash between names, or with a file's ending. */
export function pathsIn(text: string): string[] {
  const candidates = matches(text.slice(0, LONGEST_QUESTION), /(?<![\w/])(?:\.{0,2}\/)?[\w.@~+-]+(?:\/[\w.@~+-]+)*\/?/g);
  return candidates
    .map((word) => word.replace(/[.,]+$/, ''))
    .filter(
      (word) =>
        /\w\/\w|\/$|^\.{0,2}\/\w/.test(word) ||
        (/^[\w@~+-]?[\w.@~+-]*\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(word) && !/^(e\.g|i\.e|etc)\b/i.test(word)),
    )
    .filter((word) => !/^(and\/or|his\/her|he\/she|yes\/no|true\/false|either\/or)$/i.test(word));
}

function foldersIn(text: string): string[] {
  const named = matches(text, /\b([\w.-]+)\s+(?:folder|directory|dir)\b/gi);
  const behind = matches(text, /\b(?:folder|directory|dir)\s+(?:called\s+|named\s+)?([\w.-]+)/gi);
  const inside = matches(text, /\b(?:in|inside|under|within)\s+(?:the\s+)?([a-z_][\w.-]*)\s*[?.!]*\s*$/g);
  const found = [...named, ...behind, ...inside].map((word) => word.replace(/[.]+$/, ''));
  return [...new Set(found.filter((word) => word !== '' && !NOT_A_FOLDER.test(word) && !isCommon(word)))];
}

/** Identifiers, and proper names: words with a capital, joined where several stand together. */
function namesIn(text: string): string[] {
  const names: string[] = [];
  let previousEnd = -1;
  let previousProper = false;
  for (const match of text.matchAll(/[\p{sc=Latin}_$@#][\p{sc=Latin}\p{N}_$-]*|\p{L}(?:(?!\p{sc=Latin})[\p{L}\p{N}_$-])*/gu)) {
    const word = match[0].replace(/-+$/, '');
    const first = /(^|[.!?]\s+)$/.test(text.slice(Math.max(0, match.index - 3), match.index)) || match.index === 0;
    const identifier = isIdentifier(word);
    const proper = !identifier && /^\p{Lu}\p{Ll}/u.test(word) && !first && !isCommon(word);
    const joined = proper && previousProper && match.index === previousEnd + 1 && text[previousEnd] === ' ';
    if (joined) names[names.length - 1] += ` ${word}`;
    else if (identifier || proper) names.push(word);
    previousEnd = match.index + word.length;
    previousProper = proper;
  }
  return names;
}

/** Whether a word is written as programs write names: inner capitals, underscores, digits, hyphens with digits, all capitals. */
export function isIdentifier(word: string): boolean {
  if (/^(?:[A-Z]{2,3}|I)$/.test(word)) return false;
  return (
    /[_$#]|\p{Ll}\p{Lu}|\p{L}\d|^@|^[A-Z]{4,}$|^[A-Z]+-\w*\d/u.test(word) ||
    (/^[A-Z]{2,}[a-z]/.test(word) && partsOfIdentifier(word).length > 1)
  );
}

function numbersIn(text: string): number[] {
  const found: number[] = [];
  for (const [word] of text.matchAll(/(?<![\p{L}\p{N}_])-?\d+(?:\.\d+)?(?![\p{L}_])|\p{L}+/gu)) {
    const spelled = NUMBER_WORDS.indexOf(word.toLowerCase());
    const value = spelled >= 0 ? spelled : /\d/.test(word) ? Number(word) : Number.NaN;
    if (Number.isFinite(value)) found.push(value);
  }
  return found;
}

/** Dates as they are written, with their ISO form. */
function datesIn(text: string): (readonly [written: string, iso: string])[] {
  const found: (readonly [string, string])[] = [];
  for (const [written] of text.matchAll(/\b\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?\b/g)) found.push([written, written]);
  const month = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
  for (const match of text.matchAll(new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+${month},?\\s+(\\d{4})\\b`, 'gi')))
    found.push([match[0], iso(match[3], match[2], match[1])]);
  for (const match of text.matchAll(new RegExp(`\\b${month}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`, 'gi')))
    found.push([match[0], iso(match[3], match[1], match[2])]);
  return found;
}

function iso(year = '', month = '', day = ''): string {
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match.slice(1).find((group) => group !== undefined) ?? match[0]);
}

function withoutAll(text: string, parts: readonly string[]): string {
  return parts.reduce((rest, part) => (part === '' ? rest : rest.replaceAll(part, ' ')), text);
}

/** The one text among the arguments of a call; `undefined` when there is none or several. */
export function soleValue(args: string | undefined): string | undefined {
  if (args === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(args);
    if (typeof value !== 'object' || value === null) return undefined;
    const texts = Object.values(value).filter((inner) => typeof inner === 'string');
    return texts.length === 1 ? texts[0] : undefined;
  } catch {
    return undefined;
  }
}
