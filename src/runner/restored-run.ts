import type { ActiveRun } from './active-run';
import type { Step } from './loop/advance';
import { decide } from './decide';
import { readAttempts } from './answer/read-answer';
import type { RestoredRun } from './persistence/run-document';
import { toolsFingerprint } from './persistence/frozen-contract';

/** Where the run goes on; told in one event. */
export async function restoredStep(run: ActiveRun, { document, from, answers }: RestoredRun): Promise<Step> {
  const { emitter, agent, taint, inbox } = run.setup;
  const { pending } = run.state;
  const progress = pending?.progress;
  if (run.state.tainted) taint.restore();
  inbox.restore(document.steers, document.followUps);
  emitter.emit({
    type: 'run.restore',
    from,
    messages: document.messages.length,
    settled: progress?.results.map(({ record }) => record.id) ?? [],
    decided: answers.map(([callId]) => callId),
    waiting: progress?.waiting.map(({ callId }) => callId).filter((callId) => !answers.some(([id]) => id === callId)) ?? [],
    cutOff: progress?.begun.map(({ callId }) => callId) ?? [],
  });
  if (document.tools !== toolsFingerprint(agent.modelTools))
    emitter.warn('The tools of the agent are not those that this run began with; calls of changed ones are told to the model as such.');
  if (pending !== undefined && run.plan !== undefined && pending.outputs.length > 0) {
    const attempts = await readAttempts(run.plan, run.outputTool, pending.calls, '', run);
    run.attempts = attempts.filter(({ index }) => pending.outputs.some((output) => output.index === index));
  }
  return answers.length === 0 ? { state: run.state, effect: document.effect } : decide(run, { kind: 'decided', answers, ...run.now() });
}
