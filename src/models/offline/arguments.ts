import { isIdentifier, type Mentions } from './mentions';
import { wantsDirectory, type Parameter } from './parameters';
import { isSubject } from './relevance';
import { isCommon, stem, termsOf } from './words';

/** What a call could be made with, and what is missing for it. */
export interface FilledArguments {
  readonly values: { readonly [name: string]: unknown };
  readonly missing: readonly Parameter[];
  /** How many arguments came from the question or a result rather than from nothing. */
  readonly found: number;
}

/** Where arguments come from. */
export interface ArgumentSource {
  readonly question: string;
  readonly mentions: Mentions;
  /** Paths that results point on, the best first. */
  readonly paths: readonly string[];
  /** Values of results by key. */
  readonly values: ReadonlyMap<string, unknown>;
  /** The stems that the tools use of themselves: such words are about the tools, not about the thing sought. */
  readonly toolTerms: ReadonlySet<string>;
}

/** Fills a tool's parameters by type; each mention is used once, and what is optional is left out unless the question names it. */
export function fillArguments(parameters: readonly Parameter[], source: ArgumentSource): FilledArguments {
  const used = new Set<unknown>();
  const values: Record<string, unknown> = {};
  const missing: Parameter[] = [];
  let found = 0;
  // Required ones choose first.
  for (const parameter of [...parameters.filter((one) => one.required), ...parameters.filter((one) => !one.required)]) {
    const value = argumentFor(parameter, source, used);
    if (value === undefined) {
      if (parameter.required) missing.push(parameter);
      continue;
    }
    used.add(value);
    found += 1;
    Object.defineProperty(values, parameter.name, {
      value: parameter.list ? [value] : value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return { values, missing, found };
}

function argumentFor(parameter: Parameter, source: ArgumentSource, used: ReadonlySet<unknown>): unknown {
  const { mentions } = source;
  const free = <T>(candidates: readonly T[]): T | undefined => candidates.find((candidate) => !used.has(candidate));
  switch (parameter.kind) {
    case 'enum':
      return namedMember(parameter, source.question);
    case 'boolean':
      return switched(parameter, source.question);
    case 'integer':
      return numberFor(parameter, source, mentions.numbers.filter(Number.isInteger), used);
    case 'number':
      return numberFor(parameter, source, mentions.numbers, used);
    case 'date':
      return free(mentions.dates);
    case 'email':
      return free(mentions.emails);
    case 'url':
      return free(mentions.urls);
    case 'path':
      return pathFor(parameter, source, used);
    case 'query':
      return free(mentions.quoted) ?? (parameter.required ? free(soughtWords(source)) : undefined);
    case 'text':
      return free(mentions.quoted) ?? afterColon(source.question);
    case 'object':
      return undefined;
    case 'other':
      return otherFor(parameter, source, used);
  }
}

function namedMember(parameter: Parameter, question: string): unknown {
  const words = termsOf(question);
  const asked = new Set([...words, ...question.toLowerCase().split(/[^\p{L}\p{N}]+/u)]);
  const named = parameter.members.find((member) => {
    if (typeof member !== 'string' && typeof member !== 'number') return false;
    const parts = termsOf(String(member));
    return asked.has(String(member).toLowerCase()) || (parts.length > 0 && parts.every((part) => asked.has(part)));
  });
  return named ?? (parameter.required && parameter.members.length === 1 ? parameter.members[0] : undefined);
}

function switched(parameter: Parameter, question: string): boolean | undefined {
  const words = question.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const name = new Set(termsOf(parameter.name));
  const at = words.findIndex((word) => word !== '' && name.has(stem(word)));
  if (at < 0) return undefined;
  return !/^(no|not|without|dont|never|non)$/.test(words[at - 1] ?? '');
}

function numberFor(parameter: Parameter, source: ArgumentSource, numbers: readonly number[], used: ReadonlySet<unknown>): unknown {
  const candidates = numbers.filter((number) => !used.has(number));
  if (parameter.required) return candidates[0] ?? takenOver(parameter, source, 'number');
  // An optional bound is filled only when the question speaks of it.
  const asked = new Set(termsOf(source.question));
  return parameter.terms.some((term) => asked.has(term)) ? candidates[0] : undefined;
}

function pathFor(parameter: Parameter, source: ArgumentSource, used: ReadonlySet<unknown>): string | undefined {
  const { mentions } = source;
  const given = [...mentions.paths, ...mentions.quoted.filter((text) => /[./]/.test(text))];
  const folders = wantsDirectory(parameter) || !parameter.required ? mentions.folders : [];
  const candidates = wantsDirectory(parameter)
    ? [...given.filter((path) => !/\.[a-z]\w{0,7}$/i.test(path)), ...folders]
    : [...given, ...folders, ...(parameter.required ? source.paths : [])];
  return candidates.find((path) => !used.has(path));
}

function otherFor(parameter: Parameter, source: ArgumentSource, used: ReadonlySet<unknown>): unknown {
  const taken = takenOver(parameter, source, undefined);
  if (taken !== undefined) return taken;
  const { mentions, question } = source;
  const cued = [...mentions.quoted, ...mentions.names].find((name) => !used.has(name) && followsWord(question, name, parameter));
  if (cued !== undefined) return cued;
  if (!parameter.required) return undefined;
  return [...mentions.quoted, ...mentions.names, ...mentions.paths, ...afterPreposition(source)].find((candidate) => !used.has(candidate));
}

/** `from Oslo to Bergen`: a parameter `from` takes what stands behind its own name. */
function followsWord(question: string, name: string, parameter: Parameter): boolean {
  const before = question.slice(0, Math.max(0, question.indexOf(name))).toLowerCase();
  const word = /([\p{L}]+)[\s"'“`:]*$/u.exec(before.slice(-40))?.[1];
  return (
    word !== undefined &&
    (parameter.name
      .toLowerCase()
      .split(/[^a-z]+/)
      .includes(word) ||
      termsOf(parameter.name).includes(stem(word)))
  );
}

/** A value that an earlier result has under this parameter's name. */
function takenOver(parameter: Parameter, source: ArgumentSource, type: string | undefined): unknown {
  const wanted = squeezed(parameter.name);
  for (const [key, value] of source.values) {
    const same = squeezed(key) === wanted || (squeezed(key) === 'id' && wanted.endsWith('id'));
    if (same && (type === undefined ? typeof value === 'string' : typeof value === type)) return value;
  }
  return undefined;
}

const squeezed = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();

/**
 * What a search is for, the best first: names as programs write them, other names, then what stands behind a preposition, then the words that no tool uses of
 * itself, the longest first.
 */
function soughtWords(source: ArgumentSource): readonly string[] {
  const { mentions, toolTerms } = source;
  const mentioned = mentions.words.filter((word) => isSubject(stem(word)));
  const own = mentioned.filter((word) => !toolTerms.has(stem(word)));
  const plain = own.length > 0 ? own : mentioned;
  const byLength = plain.slice().sort((one, other) => other.length - one.length);
  const identifiers = mentions.names.filter(isIdentifier);
  return [
    ...identifiers,
    ...mentions.names.filter((name) => !isIdentifier(name)),
    ...new Set([...afterPreposition(source).filter((word) => plain.includes(word)), ...byLength]),
  ].map(searchable);
}

function afterPreposition(source: ArgumentSource): string[] {
  const found = [
    ...source.question.matchAll(
      /\b(?:about|for|of|called|named|in|at|to|regarding|on)\s+(?:the\s+|an?\s+|my\s+|our\s+)?([\p{L}][\p{L}\p{N}'-]*)/giu,
    ),
  ];
  return found.flatMap(([, word]) => (word !== undefined && !isCommon(word) && !source.toolTerms.has(stem(word)) ? [word] : []));
}

/** A word as it is found in other forms too: `installing` is sought as `install`. */
function searchable(word: string): string {
  if (!/^[a-z]+(ing|s)$/.test(word) || word.endsWith('ss')) return word;
  const root = stem(word);
  return root.length >= 4 && word.startsWith(root) && word.length - root.length <= 3 ? root : word;
}

function afterColon(question: string): string | undefined {
  const text = /:\s+(\S[^]*)$/.exec(question)?.[1]?.trim();
  return text === undefined || text === '' ? undefined : text;
}
