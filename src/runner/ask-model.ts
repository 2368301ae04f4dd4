import { requestUsage } from './loop/add-usage';
import type { ActiveRun } from './active-run';
import { checkAnswer, withheld } from './answer/check-answer';
import { collectAnswer, type Answer, type AnswerWatcher } from './answer/collect-answer';
import { limitTime } from './signals/deadline';
import { guardMessages } from './answer/guardrail';
import { Interruption } from './signals/interruption';
import { readAnswer, readAttempts } from './answer/read-answer';
import type { Effect } from './loop/run-effect';
import { modelFailure } from './run-failure';
import type { RunOutcome } from './loop/run-outcome';
import { tapedAnswer, type Heard } from './taped-answer';
import { textOf, userText } from './conversation/transcript';
import { TurnRequest } from './turn-request';

type Ask = Extract<Effect, { readonly kind: 'ask' }>;

/** Why a model call is cut off although the run goes on. */
const REDIRECTED = Symbol('redirected');

/** Makes one request and reads its answer, which enters the transcript here if it has no calls. */
export async function askModel(run: ActiveRun, effect: Ask): Promise<RunOutcome> {
  const { setup, state } = run;
  const { emitter, environment, inbox } = setup;
  if (effect.feedback !== undefined) run.transcript.append(userText(effect.feedback));
  const cut = new Interruption(setup.interruption);
  const stopClock = limitTime(cut, setup.limits, state.wrapUp !== undefined, { environment, startedAt: run.startedAt });
  inbox.cancelModelCall = () => cut.abort(REDIRECTED);
  let heard: Heard;
  try {
    await readInbox(run);
    emitter.turn = state.turn + 1;
    emitter.emit({ type: 'turn.start' });
    const appended = await run.hooks.beforeModel(state.turn + 1, (more) => run.transcript.snapshot(run.system, more));
    for (const message of appended) setup.taint.note(message);
    if (effect.note !== undefined) appended.push(userText(effect.note));
    const request = new TurnRequest(run, effect, appended, cut);
    heard = await tapedAnswer(run, request, appended, watcherOf(run), (watcher) => hear(run, request, cut, watcher));
  } finally {
    inbox.cancelModelCall = undefined;
    stopClock();
    cut.release();
  }
  if (heard.answer === undefined) return { kind: heard.cut, ...run.now() };
  return answered(run, heard.answer);
}

async function hear(run: ActiveRun, request: TurnRequest, cut: Interruption, watcher: AnswerWatcher | undefined): Promise<Heard> {
  const { model } = run.setup;
  try {
    // What comes while the request is made ready cuts it off as well.
    if (cut.aborted) throw cut.reason;
    return { answer: await collectAnswer(model, request, cut, watcher, run.warn) };
  } catch (error) {
    run.throwIfAborted();
    if (!cut.aborted) throw modelFailure(error, model.name);
    return { cut: cut.reason === REDIRECTED ? 'redirected' : 'expired' };
  }
}

/** What people said to the run since its last request, guarded as its input was. */
async function readInbox(run: ActiveRun): Promise<void> {
  const { inbox, agent, emitter, interruption, tape } = run.setup;
  const steers =
    tape === undefined
      ? inbox.takeSteers()
      : await tape.step(
          'inbox',
          () => null,
          async () => inbox.takeSteers(),
        );
  for (const message of steers) {
    const { input } = agent.guardrails;
    const guarded = input.length === 0 ? undefined : await interruption.race(guardMessages([message], input, run));
    if (guarded?.passed === false) {
      emitter.warn(`A message to the run was left out: ${guarded.refusal}`);
      continue;
    }
    const passed = guarded?.value[0] ?? message;
    run.transcript.append(passed);
    run.setup.taint.note(passed);
    emitter.emit({ type: 'steer', message: passed });
  }
}

// With an output guardrail nothing of an answer is shown before the whole of it has passed.
function watcherOf(run: ActiveRun): AnswerWatcher | undefined {
  const { emitter, agent } = run.setup;
  if (!emitter.listening || agent.guardrails.output.length > 0) return undefined;
  return { delta: (kind, text, index) => emitter.emit({ type: 'model.delta', kind, text, ...(index !== undefined && { index }) }) };
}

async function answered(run: ActiveRun, answer: Answer): Promise<RunOutcome> {
  const { agent, environment, emitter, interruption } = run.setup;
  const turn = run.state.turn + 1;
  const { output: guardrails } = agent.guardrails;
  const guarded = guardrails.length > 0;
  const isRefusal = answer.refusal !== '';
  // A refusal is all of its answer: what came beside it passed no guardrail.
  const said = isRefusal && guarded ? { ...answer, text: '', reasoning: '' } : answer;
  const read = readAnswer(said, turn, (id) => run.transcript.knows(id), environment);
  const { plan, outputTool } = run;
  const usable = plan !== undefined && !isRefusal && answer.finish !== 'length';
  const attempts = usable ? await readAttempts(plan, outputTool, read.calls, answer.text, run) : [];
  // In the last request no call is run, so what is said beside one is the answer.
  const isAnswer = read.calls.length === 0 || run.state.wrapUp !== undefined;

  const checked = guarded
    ? await interruption.race(checkAnswer({ attempts, ...read }, isAnswer, guardrails, plan, outputTool, run))
    : { ...read, attempts, refusal: undefined };
  const { message, calls } = checked;
  run.attempts = checked.attempts;

  const usage = requestUsage(answer.usage);
  if (guarded && isAnswer && message.parts.length > 0) emitter.emit({ type: 'model.delta', kind: 'text', text: textOf(message.parts) });
  emitter.emit({ type: 'model.end', message: guarded && !isAnswer ? withheld(message) : message, usage, finish: answer.finish });
  await run.hooks.afterModel({ turn, message, usage });

  if (isAnswer) {
    const attempt = checked.attempts.find(({ index }) => index < 0);
    run.text = textOf(message.parts);
    run.output = attempt?.ok === true ? { value: attempt.value } : undefined;
    // A message of nothing would be refused by the next provider that reads it.
    if (calls.length === 0 && message.parts.length > 0) run.transcript.append(message);
  }
  const refusal = checked.refusal ?? (isRefusal ? (guarded ? textOf(message.parts) : answer.refusal) : undefined);
  const outputs = checked.attempts.map(({ index, ok, text }) => ({ index, ok, text }));
  return { kind: 'answered', message, calls, outputs, finish: answer.finish, refusal, usage, ...run.now() };
}
