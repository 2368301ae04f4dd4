import { didYouMean } from '../errors/nearest-name';
import { isRecord, shown } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import { copyPlain } from '../invocation/plain-data';
import type { Message, Part } from '../types/message';
import type { State } from '../types/state-operation';
import type { ResumeOptions, RunInput, RunOptions } from './run-options';
import { checkMessages, partsFault, repaired, userMessage, userText } from './transcript';

type Check = (value: unknown) => string | undefined;

const isObject: Check = (value) => (isRecord(value) ? undefined : 'an object');
const isList: Check = (value) => (Array.isArray(value) ? undefined : 'a list');
const isFunction: Check = (value) => (typeof value === 'function' ? undefined : 'a function');
const anything: Check = () => undefined;

const CHECKS: { readonly [name in keyof Required<RunOptions>]: Check } = {
  deps: anything,
  state: isObject,
  messages: isList,
  session: (value) => (typeof value === 'string' ? undefined : "a session's id"),
  continueFrom: (value) =>
    isRecord(value) && Array.isArray(value['messages']) ? undefined : 'the result of a run, or the `partial` of its error',
  signal: (value) => (isSignal(value) ? undefined : 'an AbortSignal'),
  limits: isObject,
  approve: (value) => (typeof value === 'function' || isRecord(value) ? undefined : 'a function, or an object with `approve`'),
  hooks: isList,
  model: (value) =>
    typeof value === 'string' || (typeof value === 'object' && value !== null)
      ? undefined
      : 'a provider string, a model, or a list of them',
  metadata: isObject,
  onEvent: isFunction,
  record: isFunction,
  instructions: (value) => (typeof value === 'string' || typeof value === 'function' ? undefined : 'text, or a function'),
  toolsets: isList,
  modelSettings: isObject,
};

function checkKinds(options: unknown, checks: { readonly [name: string]: Check }, what: string): { readonly [name: string]: unknown } {
  if (options === undefined) return {};
  const of = what.toLowerCase();
  if (!isRecord(options)) throw new UsageError(`The options of ${of} are an object; got ${shown(options)}.`);
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined)
      throw new UsageError(
        `${what} has no option \`${name}\`.${didYouMean(name, Object.keys(checks))} Known: ${Object.keys(checks).join(', ')}.`,
      );
    if (value === undefined) continue;
    const expected = check(value);
    if (expected !== undefined) throw new UsageError(`The option \`${name}\` of ${of} must be ${expected}; got ${shown(value)}.`);
  }
  return options;
}

function isSignal(value: unknown): value is AbortSignal {
  return typeof value === 'object' && value !== null && 'aborted' in value && typeof (value as AbortSignal).addEventListener === 'function';
}

/** @throws UsageError for an option that does not exist, or that is not of its kind */
export function checkRunOptions(given: unknown): RunOptions {
  const options = checkKinds(given, CHECKS, 'A run');
  if (options['messages'] !== undefined && options['continueFrom'] !== undefined)
    throw new UsageError('Give a run `messages` or `continueFrom`, not both: `continueFrom` brings its messages along.');
  return options;
}

const { state: _, messages: __, session: ___, continueFrom: ____, instructions: _____, ...KEPT } = CHECKS;
const RESUME_CHECKS: { readonly [name in keyof Required<ResumeOptions>]: Check } = { ...KEPT, decisions: anything };

/** @throws UsageError for an option that does not exist, or that is not of its kind */
export function checkResumeOptions(options: unknown): ResumeOptions {
  return checkKinds(options, RESUME_CHECKS, 'A resume');
}

/** What the run is asked, as messages. */
export function readInput(input: RunInput): readonly Message[] {
  if (typeof input === 'string') return [userText(input)];
  if (!Array.isArray(input))
    throw new UsageError(`The input of a run is text, a list of parts or a list of messages; got ${shown(input)}.`);
  const list = input as readonly (Part | Message)[];
  if (list.length === 0) return [];
  const [first] = list;
  if (typeof first === 'object' && first !== null && 'role' in first) return checkMessages(list, 'The input').slice();
  const fault = partsFault(list);
  if (fault !== undefined) throw new UsageError(`The input of a run, read as parts, ${fault}`);
  return [userMessage(list.slice() as Part[])];
}

/** The transcript that a run goes on from, valid; and whether it had to be mended. */
export function readHistory(options: RunOptions): { readonly messages: readonly Message[]; readonly mended: boolean } {
  const given = options.messages ?? options.continueFrom?.messages;
  if (given === undefined) return { messages: [], mended: false };
  const where = options.messages === undefined ? '`continueFrom.messages`' : '`messages`';
  const { messages, changed } = repaired(checkMessages(given, where));
  return { messages, mended: changed };
}

const NO_STATE: State = Object.freeze({});

/** The run's memory to begin with: a frozen copy of the option, or of what an earlier run left. */
export function readState(options: RunOptions): State {
  const given = options.state ?? options.continueFrom?.state;
  if (given === undefined) return NO_STATE;
  const copy = copyPlain(given);
  if (copy.ok) return copy.value as State;
  const at = copy.path === '' ? '`state`' : `\`state.${copy.path}\``;
  throw new UsageError(`${at} must be plain data, as JSON can say it: ${copy.problem}. What lives in the process belongs into \`deps\`.`);
}
