import { isRecord, shown } from '../../errors/option-check';
import { DecisionError, type DecisionFault } from '../../errors/session-error';
import type { DecisionAnswer } from '../../types/decision';
import type { PendingCall } from '../../types/pending-call';
import { answerFault, ANSWERS } from './decision-answer';
import type { RunState } from '../loop/run-state';

/** A decision that fits a call that waits. */
export interface FittingDecision {
  readonly call: PendingCall;
  readonly answer: DecisionAnswer;
}

const TARGET = ['callId', 'name', 'digest'];

/**
 * Compares decisions with what waits: each must name a waiting call by its id, its tool and its digest, say one thing, and say what can be
 * said of such a call.
 * @throws DecisionError with everything that is wrong; nothing is used up then
 */
export function fittingDecisions(decisions: unknown, state: RunState, now: number): readonly FittingDecision[] {
  if (!Array.isArray(decisions))
    throw new DecisionError([
      { callId: '', problem: `\`decisions\` must be a list, as \`decide(call, …)\` makes its items; got ${shown(decisions)}.` },
    ]);
  const faults: DecisionFault[] = [];
  const fitting = new Map<string, FittingDecision>();
  for (const [at, decision] of (decisions as unknown[]).entries()) {
    const read = readDecision(decision, state, now);
    if (typeof read === 'string') faults.push({ callId: idOf(decision), problem: `decisions[${at}]: ${read}` });
    else if (fitting.has(read.call.callId))
      faults.push({ callId: read.call.callId, problem: `decisions[${at}]: the call ${read.call.callId} is decided twice in one list.` });
    else fitting.set(read.call.callId, read);
  }
  if (faults.length > 0) throw new DecisionError(faults);
  return [...fitting.values()];
}

function readDecision(decision: unknown, state: RunState, now: number): FittingDecision | string {
  if (!isRecord(decision)) return `it must be an object, as \`decide(call, …)\` makes it; got ${shown(decision)}.`;
  const unknown = Object.keys(decision).find((key) => !TARGET.includes(key) && !ANSWERS.includes(key));
  if (unknown !== undefined)
    return `it has the unknown field ${JSON.stringify(unknown)}; a decision cannot say what is called, only whether. Known: ${[...TARGET, ...ANSWERS].join(', ')}.`;
  const { callId, name, digest } = decision;
  if (typeof callId !== 'string' || typeof name !== 'string' || typeof digest !== 'string')
    return 'it must name `callId`, `name` and `digest` of the pending call, all texts.';
  const call = state.pending?.progress?.waiting.find((one) => one.callId === callId);
  if (call === undefined) return notWaiting(callId, state);
  if (call.name !== name) return `the call ${callId} is one of \`${call.name}\`, not of ${shown(name)}.`;
  if (call.digest !== digest)
    return `the digest is not that of the call ${callId} as it waits: other arguments, another run or another question were decided about.`;
  const said = ANSWERS.filter((key) => Object.hasOwn(decision, key) && decision[key] !== undefined);
  if (said.length !== 1) return `it must say exactly one of ${ANSWERS.join(', ')}; got ${said.length === 0 ? 'none' : said.join(' and ')}.`;
  const fault = answerFault(said[0] as string, decision[said[0] as string], call, now);
  return fault ?? { call, answer: { [said[0] as string]: decision[said[0] as string] } as unknown as DecisionAnswer };
}

function notWaiting(callId: string, { pending }: RunState): string {
  if (pending?.progress?.results.some(({ record }) => record.id === callId) === true) return `the call ${callId} has its result already.`;
  if (pending?.progress?.answers.some(([id]) => id === callId) === true) return `the call ${callId} was decided already.`;
  if (pending?.calls.some(({ id }) => id === callId) === true) return `nobody is asked about the call ${callId} yet: calls before it wait.`;
  return `no call ${shown(callId)} waits in this run.`;
}

const idOf = (decision: unknown): string => (isRecord(decision) && typeof decision['callId'] === 'string' ? decision['callId'] : '');
