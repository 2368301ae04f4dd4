import { errorText } from '../../errors/error-facts';
import { transcriptArguments } from '../../invocation/argument-text';
import type { RequestedCall } from '../../invocation/call';
import type { Environment } from '../../types/environment';
import type { AssistantMessage } from '../../types/message';
import type { Answer } from './collect-answer';
import type { HostTime } from '../signals/host-time';
import { outputFault, readOutput, type OutputPlan } from './structured-output';
import type { OutputReading } from '../loop/turn-facts';

/** A model's answer as the run goes on with it. */
export interface ReadAnswer {
  readonly message: AssistantMessage;
  readonly calls: readonly RequestedCall[];
}

/** Names that no provider would take back in a transcript are made into ones that they do. */
const ILLEGAL = /[^a-zA-Z0-9_-]/g;
const LONGEST_NAME = 64;

/** A call's name as it may stand in a transcript. */
export function transcriptName(name: string): string {
  const legal = name.replace(ILLEGAL, '_').slice(0, LONGEST_NAME);
  return legal === '' ? 'unnamed' : legal;
}

/** The answer as a message and its calls; ids that are missing or were used before are made new. */
export function readAnswer(answer: Answer, turn: number, used: (id: string) => boolean, environment: Environment): ReadAnswer {
  const ids = new Set<string>();
  const calls = answer.calls.map((call, index): RequestedCall => {
    const given = call.id;
    const isTaken = (wanted: string): boolean => ids.has(wanted) || used(wanted);
    const id = given === undefined || isTaken(given) ? freshId(environment, isTaken) : given;
    ids.add(id);
    return { id, name: call.name, arguments: call.arguments, turn, index };
  });
  return { message: assistantMessage(answer, calls), calls };
}

/** Ids that tests give may have been used by an earlier run that this one goes on from. */
function freshId(environment: Environment, isTaken: (id: string) => boolean): string {
  let id = environment.id('call');
  for (let at = 2; isTaken(id); at++) id = at < MOST_DRAWS ? environment.id('call') : `${id}_${at}`;
  return id;
}
const MOST_DRAWS = 100;

function assistantMessage(answer: Answer, calls: readonly RequestedCall[]): AssistantMessage {
  const text = answer.text === '' ? answer.refusal : answer.text;
  return {
    v: 1,
    role: 'assistant',
    parts: text === '' ? [] : [{ type: 'text', text }],
    calls: calls.map(({ id, name, arguments: given }) => ({ id, name: transcriptName(name), arguments: transcriptArguments(given) })),
    ...(answer.reasoning !== '' && { reasoning: answer.reasoning }),
    ...(answer.extra !== undefined && { extra: answer.extra }),
  };
}

/** One attempt at the final answer, with the value where it is valid. */
export interface OutputAttempt extends OutputReading {
  /** The text that was read. */
  readonly source: string;
  readonly value: unknown;
}

const NOT_CALLED = (tool: string): string => `Give your final answer by calling the tool \`${tool}\`, with arguments that fit its schema.`;

/** Reads each attempt at the final answer: the calls of the output tool, or else the text of an answer without calls. */
export async function readAttempts(
  plan: OutputPlan,
  outputTool: string | undefined,
  calls: readonly RequestedCall[],
  text: string,
  run: Checking,
): Promise<readonly OutputAttempt[]> {
  const attempts: OutputAttempt[] = [];
  for (const call of calls) if (call.name === outputTool) attempts.push(await readAttempt(plan, call.index, call.arguments, run));
  if (calls.length > 0) return attempts;
  const attempt = await readAttempt(plan, -1, text, run);
  attempts.push(outputTool !== undefined && !attempt.ok ? { ...attempt, text: NOT_CALLED(outputTool) } : attempt);
  return attempts;
}

/** What reading a final answer takes of the run: its checks may be code of the host. */
export interface Checking {
  readonly host: HostTime;
  readonly warn: (text: string) => void;
}

const NOT_CHECKED = 'Your final answer could not be checked. Give the whole answer again.';

/** Reads one text as the final answer. A check that fails, or does not come to an end, has not passed it. */
export async function readAttempt(plan: OutputPlan, index: number, source: string, { host, warn }: Checking): Promise<OutputAttempt> {
  try {
    const decoded = await host.wait(readOutput(plan, source));
    return decoded.ok
      ? { index, ok: true, text: '', source, value: decoded.value }
      : { index, ok: false, text: outputFault(decoded), source, value: undefined };
  } catch (error) {
    if (host.isOver) throw error;
    warn(`The final answer could not be checked: ${errorText(error)}`);
    return { index, ok: false, text: NOT_CHECKED, source, value: undefined };
  }
}
