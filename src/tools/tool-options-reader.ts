import {
  aBoolean,
  aCount,
  aFlagOrFunction,
  aFunction,
  anyOf,
  aPositiveCount,
  aText,
  checkOptions,
  isRecord,
  milliseconds,
  nothing,
  oneOfTexts,
  texts,
  type OptionRule,
  type OptionRules,
  type Report,
  type SoundOptions,
} from '../errors/option-check';
import type { RawOptions } from '../metadata/facts';
import type { ToolBehaviour, ToolOptions } from './tool-options';

const ANNOTATIONS: OptionRules = new Map(['readOnly', 'destructive', 'idempotent', 'openWorld'].map((hint) => [hint, aBoolean]));

const annotationObject: OptionRule = {
  expected: 'an object of readOnly, destructive, idempotent, openWorld',
  example: '{ readOnly: true }',
  accepts: isRecord,
};

const cacheObject: OptionRule = {
  expected: 'an object with `ttl` in milliseconds',
  example: '{ ttl: 60_000 }',
  accepts: (value) => isRecord(value) && milliseconds.accepts(value.ttl) && Object.keys(value).every((key) => key === 'ttl'),
};

const MOST_IN_WINDOW = 10_000;

const rateLimitObject: OptionRule = {
  expected: `an object of \`calls\` (1 to ${MOST_IN_WINDOW}) and \`per\` in milliseconds`,
  example: '{ calls: 10, per: 60_000 }',
  accepts: (value) =>
    isRecord(value) &&
    onlyHas(value, 'calls', 'per') &&
    aPositiveCount.accepts(value.calls) &&
    (value.calls as number) <= MOST_IN_WINDOW &&
    milliseconds.accepts(value.per),
};

const breakerObject: OptionRule = {
  expected: 'an object of `failures` (1 or more) and `resetAfter` in milliseconds',
  example: '{ failures: 5, resetAfter: 30_000 }',
  accepts: (value) =>
    isRecord(value) &&
    onlyHas(value, 'failures', 'resetAfter') &&
    aPositiveCount.accepts(value.failures) &&
    milliseconds.accepts(value.resetAfter),
};

const onlyHas = (value: object, ...keys: string[]): boolean => Object.keys(value).every((key) => keys.includes(key));

/** How a tool runs: what a toolset may also set for all its tools. */
export const BEHAVIOUR_RULES: OptionRules = new Map<string, OptionRule>([
  ['timeout', anyOf(milliseconds, nothing)],
  ['retries', aCount],
  ['maxRepairs', aCount],
  ['requiresApproval', aFlagOrFunction],
  ['annotations', annotationObject],
  ['sequential', aBoolean],
  ['lock', aFunction],
  ['atomic', aBoolean],
  ['polling', aBoolean],
  ['returnDirect', aBoolean],
  ['external', aBoolean],
  ['enabled', aFlagOrFunction],
  ['maxCalls', aPositiveCount],
  ['rateLimit', rateLimitObject],
  ['breaker', breakerObject],
  ['cache', cacheObject],
  ['trust', oneOfTexts('trusted', 'untrusted')],
  ['taintExempt', aFunction],
  ['tags', texts],
  ['strict', aBoolean],
  ['maxResultChars', aPositiveCount],
]);

/** Everything that `@Tool` takes. */
export const TOOL_RULES: OptionRules = new Map<string, OptionRule>([
  ['name', aText],
  ['label', aText],
  ['description', aText],
  ...BEHAVIOUR_RULES,
]);

/** Reports everything that is wrong with a tool's options, and gives those that are right. */
export function checkToolOptions(options: RawOptions, rules: OptionRules, where: string, report: Report): SoundOptions {
  const sound = checkOptions(options, rules, where, report);
  if (!isRecord(sound.annotations)) return sound;
  return { ...sound, annotations: checkOptions(sound.annotations, ANNOTATIONS, `${where}, annotations`, report) };
}

/** Reports options that are right one by one and wrong together. `options` are the tool's with those of its toolset behind them. */
export function checkCombination(options: SoundOptions, where: string, report: Report): void {
  if (options.atomic === true && options.timeout === null)
    report({
      where,
      what: '`atomic` needs a `timeout`: an abort waits for this tool, and without a bound it could wait for ever.',
      fix: 'atomic: true, timeout: 60_000',
    });
  if (options.external === true && options.cache !== undefined)
    report({ where, what: '`cache` has no meaning for an `external` tool, which is never run here.', fix: 'external: true' });
  if (options.cache !== undefined && !(isRecord(options.annotations) && options.annotations.readOnly === true))
    report({
      where,
      what: '`cache` is for read-only tools: a tool that changes things must run every time.',
      fix: `annotations: { readOnly: true }, cache: { ttl: 60_000 }`,
    });
}

/** Checked options with others behind them, for each that is not set; tags add up, annotations are taken one by one. */
export function withDefaults(options: SoundOptions, defaults: SoundOptions): SoundOptions {
  if (Object.keys(defaults).length === 0) return options;
  const given = options as ToolOptions;
  const behind = defaults as ToolOptions;
  return {
    ...behind,
    ...given,
    ...(behind.annotations && given.annotations && { annotations: { ...behind.annotations, ...given.annotations } }),
    ...(behind.tags && given.tags && { tags: [...new Set([...behind.tags, ...given.tags])] }),
  };
}

const frozen = new WeakMap<object, object>();

/** A frozen copy, the same for the same options: tools that were written once share what is counted under it. */
function frozenOnce<T extends object>(options: T): T {
  let copy = frozen.get(options) as T | undefined;
  if (copy === undefined) frozen.set(options, (copy = Object.freeze({ ...options })));
  return copy;
}

const NO_ANNOTATIONS: ToolBehaviour['annotations'] = Object.freeze({});
const NO_TAGS: readonly string[] = Object.freeze([]);

/** The behaviour that checked options ask for, with every default in place. */
export function behaviourOf(options: SoundOptions): ToolBehaviour {
  return Object.keys(options).some((name) => BEHAVIOUR_RULES.has(name)) ? behaviourAsked(options) : USUAL;
}

function behaviourAsked(options: SoundOptions): ToolBehaviour {
  const given = options as ToolOptions;
  const annotations = given.annotations === undefined ? NO_ANNOTATIONS : Object.freeze({ ...given.annotations });
  const repeatable = annotations.readOnly === true || annotations.idempotent === true;
  return Object.freeze({
    timeout: given.timeout === undefined ? 30_000 : given.timeout,
    retries: given.retries ?? (repeatable ? 1 : 0),
    maxRepairs: given.maxRepairs ?? 3,
    requiresApproval: given.requiresApproval ?? false,
    annotations,
    sequential: given.sequential ?? false,
    lock: given.lock,
    atomic: given.atomic ?? false,
    polling: given.polling ?? false,
    returnDirect: given.returnDirect ?? false,
    external: given.external ?? false,
    enabled: given.enabled ?? true,
    maxCalls: given.maxCalls,
    rateLimit: given.rateLimit && frozenOnce(given.rateLimit),
    breaker: given.breaker && frozenOnce(given.breaker),
    cache: given.cache === undefined ? undefined : Object.freeze({ ...given.cache }),
    trust: given.trust ?? 'trusted',
    taintExempt: given.taintExempt,
    tags: given.tags === undefined ? NO_TAGS : Object.freeze([...given.tags]),
    strict: given.strict ?? true,
    maxResultChars: given.maxResultChars ?? 20_000,
  });
}

/** The behaviour of a tool that asks for nothing, which most tools are. */
const USUAL = behaviourAsked({});
