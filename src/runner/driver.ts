import { errorText } from '../errors/error-facts';
import type { CompletedRun, RunResult } from '../types/run-result';
import { ActiveRun } from './active-run';
import type { Step } from './loop/advance';
import { askModel } from './ask-model';
import { carryOut } from './carry-out';
import { decide } from './decide';
import { guardMessages, guardText } from './answer/guardrail';
import { pausedRun } from './paused-run';
import { restoredStep } from './restored-run';
import { pointOf } from './write-document';
import type { Effect } from './loop/run-effect';
import { abortedError, endingError, withPartial } from './run-failure';
import type { RunSetup } from './run-setup';
import type { Ending, RunState } from './loop/run-state';
import { isToolwrightError, type ToolwrightError } from '../errors/toolwright-error';
import { RunError } from '../errors/run-error';

/**
 * Carries out one run in this process: performs each effect, tells `advance` what came of it, and goes on until the end.
 * @throws a `RunError` with what was done until then; errors of wiring and usage as they are
 */
export async function drive(setup: RunSetup): Promise<RunResult<unknown>> {
  const { agent, model, emitter } = setup;
  const run = new ActiveRun(setup);
  try {
    if (setup.restored !== undefined) emitter.restore({ ...setup.restored.document, turn: run.state.turn });
    emitter.emit({ type: 'run.start', agent: agent.name, model: model.name });
    setup.taint.begin([...setup.history, ...setup.input], setup.around?.tainted);
    for (const warning of agent.warnings) emitter.warn(warning);
    await run.hooks.runStart();
    const ending = await untilEnd(run);
    const result = ending.stop === 'paused' ? await pausedRun(run) : resultOf(run, ending);
    if (ending.stop !== 'paused') await setup.journal?.end(setup.runId, run.transcript, run.state.memory);
    await run.hooks.runEnd({ result });
    return { ...result, warnings: emitter.warnings.slice() };
  } catch (thrown) {
    if (setup.interruption.aborted) await makeWhole(run);
    const error = failureOf(run, thrown);
    await setup.journal
      ?.end(setup.runId, run.transcript, run.state.memory)
      .catch((cause: unknown) => emitter.warn(`The session could not be written: ${errorText(cause)}`));
    await run.hooks.runEnd({ error });
    throw error;
  }
}

async function untilEnd(run: ActiveRun): Promise<Ending> {
  const { setup } = run;
  const { journal } = setup;
  let step: Step;
  if (setup.restored !== undefined) step = await restoredStep(run, setup.restored);
  else {
    const input = await setup.interruption.race(guardMessages(setup.input, setup.agent.guardrails.input, run));
    if (!input.passed) return { stop: 'refused', refusal: input.refusal };
    run.transcript.append(...input.value);
    step = decide(run, { kind: 'started', ...run.now() });
  }
  for (;;) {
    const { effect } = step;
    announce(run, run.state, step.state, effect);
    run.state = step.state;
    run.throwIfAborted();
    if (run.failed !== undefined) throw run.failed.error;
    if (effect.kind === 'wait') run.pauses++;
    if (journal !== undefined && effect.kind !== 'finish') await journal.checkpoint(pointOf(run, effect), run.transcript, run.records);
    switch (effect.kind) {
      case 'ask':
        step = decide(run, await askModel(run, effect));
        break;
      case 'batch':
        if (run.state.pending === undefined) throw new Error('A batch without a turn.');
        step = decide(run, await carryOut(run, run.state.pending, effect));
        break;
      case 'wait':
        return { stop: 'paused' };
      case 'finish':
        if (!(await goesOn(run, effect.ending))) return effect.ending.stop === 'direct' ? guardDirect(run, effect.ending) : effect.ending;
        // What a tool said directly is no answer of the run then, and no guardrail has seen it.
        if (effect.ending.stop === 'direct') run.text = '';
        step = decide(run, { kind: 'redirected', ...run.now() });
    }
  }
}

/** A turn that waited, and of which something was done already, is not forgotten when the run is aborted: its other calls are answered. */
async function makeWhole(run: ActiveRun): Promise<void> {
  const { pending } = run.state;
  if (pending?.progress !== undefined) await carryOut(run, pending, { kind: 'batch' });
}

/** A tool's result that is the answer passes the output guardrails as any answer; the transcript keeps what the tool said. */
async function guardDirect(run: ActiveRun, ending: Ending): Promise<Ending> {
  const { agent, interruption } = run.setup;
  const { output } = agent.guardrails;
  if (output.length === 0) return ending;
  const said = run.text;
  run.text = '';
  const guarded = await interruption.race(guardText(said, output, run));
  run.text = guarded.passed ? guarded.value : '';
  return guarded.passed ? ending : { stop: 'refused', refusal: guarded.refusal };
}

/** Whether a message that came late keeps a run going that would have ended well. */
async function goesOn(run: ActiveRun, ending: Ending): Promise<boolean> {
  const { inbox, emitter, tape } = run.setup;
  const mayGoOn = ending.stop === 'completed' || ending.stop === 'direct';
  const isToGoOn = (): boolean => mayGoOn && inbox.keepsGoing();
  if (
    tape === undefined
      ? isToGoOn()
      : await tape.step(
          'ending',
          () => ending,
          async () => isToGoOn(),
        )
  )
    return true;
  if (inbox.unread > 0) emitter.warn(`The run ended (${ending.stop}) before ${inbox.unread} message(s) to it could be read.`);
  return false;
}

/** Tells of a limit or a loop when the run first heeds it. */
function announce(run: ActiveRun, before: RunState, after: RunState, effect: Effect): void {
  const { emitter, limits } = run.setup;
  const ending = effect.kind === 'finish' ? effect.ending : undefined;
  const why = after.wrapUp ?? ending;
  if (before.wrapUp === undefined && why !== undefined) {
    if (why.stop === 'limit') emitter.emit({ type: 'limit', which: why.limit });
    else if (why.stop === 'failed' && why.by === 'limit') emitter.emit({ type: 'limit', which: why.limit });
    else if (why.stop === 'loop') emitter.emit({ type: 'loop' });
  }
  if (after.corrected && !before.corrected) emitter.emit({ type: 'loop' });
  if (limits.maxCostUsd !== undefined && after.usage.requests > 0 && after.usage.costUsd === undefined)
    emitter.warn(`limits.maxCostUsd cannot be kept: the price of ${run.setup.model.name} is unknown. Give it with \`registerPrices\`.`);
}

function resultOf(run: ActiveRun, ending: Ending): RunResult<unknown> {
  const facts = run.facts();
  const output = run.output === undefined ? {} : { output: run.output.value };
  switch (ending.stop) {
    case 'completed': {
      const completed: CompletedRun<unknown> = {
        stopReason: 'completed',
        output: run.plan === undefined ? facts.text : run.output?.value,
        ...facts,
      };
      return completed;
    }
    case 'direct':
      return { stopReason: 'direct', ...facts };
    case 'limit':
      return { stopReason: 'limit', limit: ending.limit, ...facts, ...output };
    case 'loop':
      return { stopReason: 'loop', ...facts, ...output };
    case 'refused':
      return { stopReason: 'refused', refusal: ending.refusal, ...facts };
    case 'failed':
      throw endingError(ending, facts, run.fatal);
    case 'paused':
      throw new Error('A run that waits has a snapshot.');
  }
}

/** What the run rejects with: an abort before all else, since whatever failed then failed for it. */
function failureOf(run: ActiveRun, thrown: unknown): ToolwrightError {
  const { interruption } = run.setup;
  const facts = run.facts();
  if (interruption.aborted) return abortedError(interruption.reason, facts);
  if (isToolwrightError(thrown)) return withPartial(thrown, facts);
  return new RunError('RUN', `The run failed: ${errorText(thrown)}`, {
    cause: thrown,
    partial: facts,
    advice: 'This is a fault of the framework or of a service that it was given; `cause` says which.',
  });
}
