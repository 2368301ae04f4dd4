import {
  aBoolean,
  aCount,
  aFunction,
  aList,
  anApprover,
  anInteger,
  anObject,
  anyOf,
  anyText,
  aPositiveCount,
  aPositiveNumber,
  aText,
  checkOptions,
  isRecord,
  milliseconds,
  oneOfTexts,
  rule,
  texts,
  type OptionRule,
  type OptionRules,
  type Report,
  type SoundOptions,
} from '../errors/option-check';

const isModel = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || (isRecord(value) && typeof value.stream === 'function');
const isHooks = (value: unknown): boolean => typeof value === 'function' || isRecord(value);
const isPolicy = isHooks;

/** What limits a run may be given. */
export const LIMIT_RULES: OptionRules = new Map<string, OptionRule>([
  ['maxTurns', aPositiveCount],
  ['maxToolCalls', aCount],
  ['maxTokens', aPositiveCount],
  ['maxCostUsd', aPositiveNumber],
  ['maxDurationMs', milliseconds],
  ['maxDepth', aCount],
  ['onExceeded', oneOfTexts('answer', 'throw')],
]);

const fraction = (most: number): OptionRule =>
  rule(`a number from 0 to ${most}`, '0.5', (value) => typeof value === 'number' && value >= 0 && value <= most);

/** What a model may be told. */
export const SETTING_RULES: OptionRules = new Map<string, OptionRule>([
  ['temperature', fraction(2)],
  ['topP', fraction(1)],
  ['maxTokens', aPositiveCount],
  ['reasoningEffort', oneOfTexts('minimal', 'low', 'medium', 'high')],
  ['seed', anInteger],
  ['stop', texts],
  ['extraBody', anObject],
]);

const functions = rule(
  'a list of functions',
  '[checkInput]',
  (value) => Array.isArray(value) && value.every((item) => aFunction.accepts(item)),
);
const GUARDRAIL_RULES: OptionRules = new Map([
  ['input', functions],
  ['output', functions],
]);

const matchers = rule(
  `a list of tool names, or of objects such as { tag: 'money' }`,
  `['delete_file']`,
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string' || isRecord(item)),
);
const POLICY_RULES: OptionRules = new Map([
  ['deny', matchers],
  ['ask', matchers],
  ['allow', matchers],
]);
const MATCHER_RULES: OptionRules = new Map<string, OptionRule>([
  ['name', aText],
  ['tag', aText],
  ['readOnly', aBoolean],
  ['destructive', aBoolean],
  ['idempotent', aBoolean],
  ['openWorld', aBoolean],
]);

const CONTRIBUTED_RULES: OptionRules = new Map([
  ['only', texts],
  ['trustAnnotations', anyOf(aBoolean, texts)],
]);

/** Everything that `@AgentConfig` takes. */
const AGENT_RULES: OptionRules = new Map<string, OptionRule>([
  ['name', aText],
  ['description', aText],
  [
    'model',
    rule(
      'a provider string, a model, or a list of them that is not empty',
      `'openai:gpt-5-mini'`,
      (value) => isModel(value) || (Array.isArray(value) && value.length > 0 && value.every(isModel)),
    ),
  ],
  ['instructions', anyOf(anyText, aFunction)],
  ['output', rule('a DTO class, a type, or a Standard Schema', 'Report', isHooks)],
  ['approve', anApprover],
  ['parallelToolCalls', aBoolean],
  ['maxConcurrency', aPositiveCount],
  [
    'toolChoice',
    rule(
      `'auto', 'none', 'required' or { tool: '…' }`,
      `'auto'`,
      (value) => ['auto', 'none', 'required'].includes(value as string) || (isRecord(value) && aText.accepts(value.tool)),
    ),
  ],
  ['taint', oneOfTexts('ask', 'deny', 'off')],
  ['exposeErrors', aBoolean],
  ['paging', aBoolean],
  ['contributed', anyOf(aBoolean, anObject)],
  ['limits', anObject],
  ['modelSettings', anObject],
  ['toolsets', aList],
  ['tools', aList],
  ['subagents', aList],
  ['hooks', rule('a list of hook classes or objects', '[Audit]', (value) => Array.isArray(value) && value.every(isHooks))],
  ['guardrails', anObject],
  [
    'policy',
    rule(
      'a function, rules, or a list of them',
      `{ deny: ['delete_file'] }`,
      (value) => isPolicy(value) || (Array.isArray(value) && value.every(isPolicy)),
    ),
  ],
]);

/** Reports everything that is wrong with the options of one `@AgentConfig`, and gives those that are right. */
export function checkAgentOptions(options: SoundOptions, where: string, report: Report): SoundOptions {
  const sound: Record<string, unknown> = { ...checkOptions(options, AGENT_RULES, where, report) };
  // Taken for not given, it would turn a typed answer into text.
  if (Object.hasOwn(options, 'output') && options.output === undefined)
    report({ where, what: '`output` is undefined, probably because two files import each other.', fix: 'output: () => Report' });
  if (isRecord(sound.limits)) sound.limits = checkOptions(sound.limits, LIMIT_RULES, `${where}, limits`, report);
  if (isRecord(sound.modelSettings))
    sound.modelSettings = checkOptions(sound.modelSettings, SETTING_RULES, `${where}, modelSettings`, report);
  if (isRecord(sound.guardrails)) sound.guardrails = checkOptions(sound.guardrails, GUARDRAIL_RULES, `${where}, guardrails`, report);
  if (isRecord(sound.contributed)) sound.contributed = checkOptions(sound.contributed, CONTRIBUTED_RULES, `${where}, contributed`, report);
  for (const policy of [sound.policy].flat()) if (isRecord(policy)) checkPolicy(policy, `${where}, policy`, report);
  return sound;
}

function checkPolicy(policy: SoundOptions, where: string, report: Report): void {
  const sound = checkOptions(policy, POLICY_RULES, where, report);
  for (const matcher of Object.values(sound).flat()) {
    if (!isRecord(matcher)) continue;
    checkOptions(matcher, MATCHER_RULES, where, report);
    // An empty matcher would match every call, which is more likely a slip than a wish.
    if (Object.keys(matcher).length === 0) report({ where, what: 'a matcher `{}` says nothing.', fix: `{ tag: '…' } or a tool's name` });
  }
}
