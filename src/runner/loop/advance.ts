import { NO_USAGE, type Usage } from '../../types/usage';
import type { BatchProgress } from '../../invocation/batch-progress';
import { addUsage } from './add-usage';
import { finalNote, LOOP_NOTE, NOT_RUN_CUT, NOT_RUN_FILTERED, NOT_RUN_FINAL, notRunLimit } from './final-answer';
import { answerTokens, exceedsToolCalls, exhaustedLimit, limitText, reachedLimit, requestCost } from './limits';
import { fingerprint, repeats, traced } from './loop-guard';
import type { Effect, Refusal } from './run-effect';
import type { RunOutcome } from './run-outcome';
import type { Ending, RunState, WrapUp } from './run-state';

/** Answers in a row that may be no valid output before the run fails: the first and two more. */
const OUTPUT_ATTEMPTS = 3;

export interface Step {
  readonly state: RunState;
  readonly effect: Effect;
}

type Answered = Extract<RunOutcome, { readonly kind: 'answered' }>;
type Settled = Extract<RunOutcome, { readonly kind: 'settled' }>;

/**
 * The loop: from what came of the last effect to the next one. Deterministic, without I/O or clock: a recording of
 * outcomes replays a run.
 */
export function advance(before: RunState, outcome: RunOutcome): Step {
  const state = { ...before, length: outcome.length, tainted: outcome.tainted ?? before.tainted, caps: outcome.caps };
  switch (outcome.kind) {
    case 'started':
      return nextRequest(state, outcome.elapsed);
    case 'redirected':
      // What the model was to be told is told with the request that takes the place of the cancelled one.
      return nextRequest(state, outcome.elapsed, state.corrected && repeats(state.trace) ? { note: LOOP_NOTE } : {});
    case 'answered':
      return afterAnswer(state, outcome);
    case 'settled':
      return afterBatch(state, outcome);
    case 'waiting':
      return {
        state: { ...withProgress(state, outcome.progress), usage: addUsage(state.usage, outcome.delegated ?? NO_USAGE) },
        effect: { kind: 'wait' },
      };
    case 'decided':
      return { state: withAnswers(state, outcome.answers), effect: { kind: 'batch' } };
    case 'expired':
      return state.wrapUp === undefined
        ? wrapUp(state, { stop: 'limit', limit: 'maxDurationMs' }, outcome.elapsed)
        : finish(state, state.wrapUp);
  }
}

function withProgress(state: RunState, progress: BatchProgress): RunState {
  return state.pending === undefined ? state : { ...state, pending: { ...state.pending, progress } };
}

function withAnswers(state: RunState, answers: BatchProgress['answers']): RunState {
  const progress = state.pending?.progress;
  return progress === undefined ? state : withProgress(state, { ...progress, answers: [...progress.answers, ...answers] });
}

/** One more request if the limits allow it; else the last one, or none. */
function nextRequest(state: RunState, elapsed: number, request: { note?: string; feedback?: string; forced?: string } = {}): Step {
  if (state.wrapUp !== undefined) return wrapUp(state, state.wrapUp, elapsed);
  const limit = reachedLimit(state, elapsed);
  if (limit !== undefined) return wrapUp(state, { stop: 'limit', limit }, elapsed, request.feedback);
  const { note, feedback, forced } = request;
  const toolChoice = forced !== undefined ? { tool: forced } : state.terms.toolChoice;
  return { state, effect: { kind: 'ask', toolChoice, ...(note !== undefined && { note }), ...(feedback !== undefined && { feedback }) } };
}

/** The last request: the tools stay listed, since the request's beginning is cached, but none may be called. */
function wrapUp(before: RunState, why: WrapUp, elapsed: number, feedback?: string): Step {
  if (why.stop === 'limit' && before.terms.limits.onExceeded === 'throw') return finish(before, limitFailure(before, why.limit));
  const exhausted = exhaustedLimit(before, elapsed);
  if (exhausted !== undefined) {
    const stop: WrapUp = why.stop === 'loop' ? why : { stop: 'limit', limit: exhausted };
    return finish({ ...before, wrapUp: stop }, stop);
  }
  const state = { ...before, wrapUp: why };
  const { answer } = state.terms;
  const maxTokens = answerTokens(state);
  return {
    state,
    effect: {
      kind: 'ask',
      toolChoice: answer.by === 'tool' ? { tool: answer.tool } : 'none',
      note: finalNote(state, why),
      ...(feedback !== undefined && { feedback }),
      ...(maxTokens !== undefined && { maxTokens }),
    },
  };
}

function afterAnswer(before: RunState, answer: Answered): Step {
  const state: RunState = {
    ...before,
    turn: before.turn + 1,
    terms: before.terms.toolChoice === 'auto' ? before.terms : { ...before.terms, toolChoice: 'auto' },
    usage: addUsage(before.usage, answer.usage),
    lastRequest: requestCost(answer.usage),
  };
  const { calls, message, outputs } = answer;
  const pending = calls.length === 0 ? undefined : { message, calls, outputs };
  const whole: RunState = { ...state, pending };
  const realCalls = calls.length - outputs.filter((output) => output.index >= 0).length;

  const refusal = answer.refusal ?? (answer.finish === 'content_filter' ? 'The provider filtered the answer.' : undefined);
  if (refusal !== undefined) return endWith(whole, { stop: 'refused', refusal }, NOT_RUN_FILTERED);
  if (state.wrapUp !== undefined && realCalls > 0) return endWith(whole, state.wrapUp, NOT_RUN_FINAL);
  if (pending === undefined) return afterText(state, answer);
  if (answer.finish === 'length') return { state: whole, effect: { kind: 'batch', refusal: NOT_RUN_CUT } };
  if (realCalls === 0) return { state: whole, effect: { kind: 'batch' } };
  if (exceedsToolCalls(state, realCalls)) return stopBefore(whole, { stop: 'limit', limit: 'maxToolCalls' });
  const exhausted = exhaustedLimit(state, answer.elapsed);
  if (exhausted !== undefined) return stopBefore(whole, { stop: 'limit', limit: exhausted });
  return { state: whole, effect: { kind: 'batch' } };
}

/** An answer without calls: the run's answer, unless output was asked for and this is none. */
function afterText(state: RunState, answer: Answered): Step {
  if (state.wrapUp !== undefined) return finish(state, state.wrapUp);
  if (answer.finish === 'length') {
    const { limits } = state.terms;
    return finish(state, limits.onExceeded === 'throw' ? limitFailure(state, 'outputTokens') : { stop: 'limit', limit: 'outputTokens' });
  }
  if (state.terms.answer.by !== 'text') {
    const reading = answer.outputs[0];
    if (reading?.ok === true) return finishWell(state, { stop: 'completed' });
    return afterInvalidOutput(state, answer.elapsed, reading?.text ?? 'There was no answer.');
  }
  if (answer.finish === 'other' && answer.message.parts.length === 0) return finish(state, { stop: 'failed', by: 'empty', text: '' });
  return finishWell(state, { stop: 'completed' });
}

/** The model answered in text where output was wanted: it is told what was wrong, at most twice. */
function afterInvalidOutput(before: RunState, elapsed: number, fault: string): Step {
  const state = { ...before, outputFailures: before.outputFailures + 1 };
  if (state.outputFailures >= OUTPUT_ATTEMPTS) return finish(state, { stop: 'failed', by: 'output', text: fault });
  const { answer } = state.terms;
  return nextRequest(state, elapsed, { feedback: fault, ...(answer.by === 'tool' && { forced: answer.tool }) });
}

function afterBatch(before: RunState, batch: Settled): Step {
  const { calls } = batch;
  const turn: RunState = {
    ...before,
    pending: undefined,
    terms: batch.handoff === undefined ? before.terms : { ...before.terms, ...batch.handoff },
    memory: batch.memory,
    usage: afterCalls(before.usage, calls.filter((call) => call.executed).length, batch.delegated),
    tallies: batch.tallies,
    trace: calls.length === 0 ? before.trace : traced(before.trace, fingerprint(before.turn, calls)),
  };
  if (batch.fatal !== undefined) return finish(turn, { stop: 'failed', by: 'fatal', text: batch.fatal });
  if (turn.ending !== undefined) return finish(turn, turn.ending);
  if (batch.output === 'taken') return finishWell(turn, turn.wrapUp ?? { stop: 'completed' });
  if (turn.wrapUp !== undefined && batch.output === 'refused') return finish(turn, turn.wrapUp);
  if (calls.length > 0 && calls.every((call) => call.direct && call.ok)) return finishWell(turn, { stop: 'direct' });

  const state = batch.output === 'refused' ? { ...turn, outputFailures: turn.outputFailures + 1 } : turn;
  if (state.outputFailures >= OUTPUT_ATTEMPTS)
    return finish(state, { stop: 'failed', by: 'output', text: 'The final answer did not fit its schema.' });
  if (batch.handoff !== undefined) return nextRequest({ ...state, outputFailures: 0 }, batch.elapsed);
  if (calls.length === 0 || !repeats(state.trace)) return nextRequest(state, batch.elapsed);
  if (state.corrected) return wrapUp(state, { stop: 'loop' }, batch.elapsed);
  return nextRequest({ ...state, corrected: true }, batch.elapsed, { note: LOOP_NOTE });
}

function afterCalls(usage: Usage, executed: number, delegated: Usage = NO_USAGE): Usage {
  return addUsage({ ...usage, toolCalls: usage.toolCalls + executed }, delegated);
}

/** Answers the pending calls with a refusal, if there are any, and ends the run then. */
function endWith(state: RunState, ending: Ending, refusal: Refusal): Step {
  if (state.pending === undefined) return finish(state, ending);
  return { state: { ...state, ending }, effect: { kind: 'batch', refusal } };
}

/** The calls of this turn would go over a limit: none is run, and what follows is the last request. */
function stopBefore(state: RunState, why: WrapUp & { readonly stop: 'limit' }): Step {
  const refusal = notRunLimit(state, why.limit);
  if (state.terms.limits.onExceeded === 'throw') return endWith(state, limitFailure(state, why.limit), refusal);
  return { state: { ...state, wrapUp: why }, effect: { kind: 'batch', refusal } };
}

function finish(state: RunState, ending: Ending): Step {
  return { state, effect: { kind: 'finish', ending } };
}

/** With an answer. A run that goes on from it does what it is told then: it repeats nothing. */
function finishWell(state: RunState, ending: Ending): Step {
  return finish({ ...state, outputFailures: 0, trace: [] }, ending);
}

function limitFailure(state: RunState, limit: (WrapUp & { readonly stop: 'limit' })['limit']): Ending {
  return { stop: 'failed', by: 'limit', limit, text: `The run reached a limit: ${limitText(state, limit)}.` };
}
