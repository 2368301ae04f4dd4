import {
  aFunction,
  aList,
  aModel,
  anApprover,
  anObject,
  anything,
  checkedOptions,
  isRecord,
  rule,
  rulesOf,
  shown,
} from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import { copyPlain } from '../invocation/plain-data';
import type { Message, Part } from '../types/message';
import type { State } from '../types/state-operation';
import type { ResumeOptions, RunInput, RunOptions } from './run-options';
import { checkMessages, partsFault, repaired, userMessage, userText } from './conversation/transcript';

/** What may be said of a run, however it begins. */
const COMMON = {
  deps: anything,
  signal: rule('an AbortSignal', 'controller.signal', isSignal),
  limits: anObject,
  approve: anApprover,
  hooks: aList,
  model: aModel,
  metadata: anObject,
  onEvent: aFunction,
  toolsets: aList,
  modelSettings: anObject,
};
const RUN_RULES = rulesOf<RunOptions>({
  ...COMMON,
  state: anObject,
  messages: aList,
  session: rule("a session's id", "'chat-17'", (value) => typeof value === 'string'),
  continueFrom: rule(
    'the result of a run, or the `partial` of its error',
    'result',
    (value) => isRecord(value) && Array.isArray(value['messages']),
  ),
  record: aFunction,
  instructions: rule('text, or a function', "'…'", (value) => typeof value === 'string' || typeof value === 'function'),
});
// What is wrong with decisions is said of each of them.
const RESUME_RULES = rulesOf<ResumeOptions>({ ...COMMON, decisions: anything });
function isSignal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'aborted' in value && typeof (value as AbortSignal).addEventListener === 'function';
}

/** @throws UsageError for options that do not exist, or that are not of their kind */
export function checkRunOptions(given: object | undefined): RunOptions {
  const options = checkedOptions<RunOptions>(given, RUN_RULES, 'A run');
  if (options.messages !== undefined && options.continueFrom !== undefined)
    throw new UsageError('Give a run `messages` or `continueFrom`, not both: `continueFrom` brings its messages along.');
  return options;
}

/** @throws UsageError for options that do not exist, or that are not of their kind */
export function checkResumeOptions(given: object | undefined): ResumeOptions {
  return checkedOptions<ResumeOptions>(given, RESUME_RULES, 'A resume');
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
