import type { DefinitionFault } from './definition-error';
import { didYouMean } from './nearest-name';
import { UsageError } from './usage-error';

/** What an option must be, in words that complete "must be …", and whether a value is. */
export interface OptionRule {
  readonly expected: string;
  readonly example: string;
  accepts(value: unknown): boolean;
}

export type OptionRules = ReadonlyMap<string, OptionRule>;

/** A rule for each option of a type, and for no other. */
export function rulesOf<Options extends object>(rules: { readonly [name in keyof Required<Options>]: OptionRule }): OptionRules {
  return new Map(Object.entries<OptionRule>(rules));
}

/** Takes one fault; faults of one declaration are gathered before anything is thrown. */
export type Report = (fault: DefinitionFault) => void;

export const rule = (expected: string, example: string, accepts: (value: unknown) => boolean): OptionRule => ({
  expected,
  example,
  accepts,
});

const wholeFrom = (least: number) => (value: unknown) => typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
/** A timer takes no more than 31 bits; a longer one would fire at once. */
export const LONGEST_TIMER = 2_147_483_647;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const anything = rule('anything', '…', () => true);
export const aText = rule('a text that is not empty', `'…'`, (value) => typeof value === 'string' && value.trim() !== '');
export const anyText = rule('a text', `'…'`, (value) => typeof value === 'string');
export const aBoolean = rule('true or false', 'true', (value) => typeof value === 'boolean');
export const aFunction = rule('a function', '() => …', (value) => typeof value === 'function');
export const aFlagOrFunction = rule(
  'true, false or a function',
  'true',
  (value) => typeof value === 'boolean' || typeof value === 'function',
);
export const anInteger = rule('a whole number', '7', Number.isSafeInteger);
export const aCount = rule('a whole number, 0 or more', '3', wholeFrom(0));
export const aPositiveCount = rule('a whole number, 1 or more', '10', wholeFrom(1));
export const aPositiveNumber = rule(
  'a number greater than 0',
  '1',
  (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
);
export const milliseconds = rule(
  `milliseconds: a number greater than 0, at most ${LONGEST_TIMER}`,
  '30_000',
  (value) => typeof value === 'number' && value > 0 && value <= LONGEST_TIMER,
);
export const anObject = rule('an object', '{ … }', isRecord);
export const aList = rule('a list', '[…]', Array.isArray);
export const texts = rule(
  'a list of texts that are not empty',
  `['…']`,
  (value) => Array.isArray(value) && value.every((item) => aText.accepts(item)),
);
export const anApprover = rule(
  'a function, or an object with `approve`',
  '(request, context) => …',
  (value) => typeof value === 'function' || (isRecord(value) && typeof value.approve === 'function'),
);
export const aModel = rule(
  'a provider string, a model, or a list of them',
  `'openai:gpt-5-mini'`,
  (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
);

export function anyOf(first: OptionRule, second: OptionRule): OptionRule {
  return rule(`${first.expected}, or ${second.expected}`, first.example, (value) => first.accepts(value) || second.accepts(value));
}

export const nothing = rule('null', 'null', (value) => value === null);

export function oneOfTexts(...values: string[]): OptionRule {
  const listed = values.map((value) => `'${value}'`);
  return rule(`one of ${listed.join(', ')}`, listed[0] ?? '', (value) => typeof value === 'string' && values.includes(value));
}

/** What to look at where `undefined` stands in place of something imported. */
export const WHY_UNDEFINED = 'Is it exported under the name that is imported, and do modules import each other in a circle?';

/**
 * Reports unknown options with the nearest known one, and values that are not what the option takes; `undefined` counts as not
 * given. Gives the options that are right.
 */
export function checkOptions(options: Readonly<Record<string, unknown>>, rules: OptionRules, where: string, report: Report): SoundOptions {
  const sound: Record<string, unknown> = {};
  for (const key of Object.keys(options)) {
    const known = rules.get(key);
    const value = options[key];
    if (known === undefined) {
      const nearest = didYouMean(key, rules.keys());
      report({ where, what: `there is no option \`${key}\`.${nearest}`, fix: `one of: ${[...rules.keys()].join(', ')}` });
    } else if (value === undefined) continue;
    else if (Array.isArray(value) && value.includes(undefined))
      report({ where, what: `\`${key}\` holds undefined at #${value.indexOf(undefined)}.`, fix: WHY_UNDEFINED });
    else if (known.accepts(value)) sound[key] = value;
    else report({ where, what: `\`${key}\` must be ${known.expected}, not ${shown(value)}.`, fix: `${key}: ${known.example}` });
  }
  return sound;
}

/**
 * The options of a call, checked at once.
 * @throws UsageError with everything that is wrong with them
 */
export function checkedOptions<O extends object>(options: O | undefined, rules: OptionRules, where: string): O {
  if (options === undefined) return {} as O;
  if (!isRecord(options)) throw new UsageError(`${where} takes an object of options, not ${shown(options)}.`);
  const faults: string[] = [];
  const sound = checkOptions(options, rules, where, ({ where: at, what, fix }) => faults.push(`${at}: ${what} Write ${fix}.`));
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return sound as O;
}

/** Options that were checked: known, and of the right kind. */
export type SoundOptions = Readonly<Record<string, unknown>>;

/** A value in a few words, for error texts; never calls anything of the value's own. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
