import { errorText } from '../errors/error-facts';
import { ToolFailure } from '../errors/tool-error';
import type { CallResult } from '../invocation/call';
import type { DelegateRequest, Delegation } from '../tools/delegation';
import type { ToolContext } from '../tools/tool-context';
import { ToolResult } from '../tools/tool-result';
import type { ActiveRun } from './active-run';
import type { AgentTerms } from './loop/run-state';

/**
 * What a call of a hand-off does: it makes the next agent ready, so that what is wrong with it is told to the model that goes on otherwise.
 * @throws ToolFailure when the agent cannot take over
 */
export async function handOver(run: ActiveRun, request: DelegateRequest, context: ToolContext): Promise<ToolResult> {
  const { name } = request;
  const { callId } = context;
  if (run.handover !== undefined)
    return ToolResult.content(`Not done: the conversation is handed over to ${run.handover.name} already, by a call of the same message.`, {
      isError: true,
    });
  run.handover = { callId, name };
  try {
    run.handover = { callId, name, next: await run.setup.makeReady(request, run) };
  } catch (error) {
    run.handover = undefined;
    const why = run.setup.agent.exposeErrors ? ` ${errorText(error)}` : '';
    throw new ToolFailure(`The agent ${name} cannot take over.${why} Go on without it.`, { cause: error });
  }
  return ToolResult.content(`The conversation was handed over to ${name}.`, { trust: 'trusted' });
}

/** Lets the next agent take over, when a call of the turn that is whole now has handed the conversation over; gives what changes for the run. */
export async function afterHandover(run: ActiveRun, results: readonly CallResult[]): Promise<AgentTerms | undefined> {
  const { handover } = run;
  run.handover = undefined;
  const found = results.map(({ record }) => ({ record, delegation: handoffOf(run, record.name) }));
  const done = found.find(({ record, delegation }) => record.outcome === 'ok' && delegation !== undefined);
  if (done?.delegation === undefined) return undefined;
  const { agent: before, emitter } = run.setup;
  // In a run that was restored meanwhile, nothing is ready yet.
  const ready = handover?.callId === done.record.id ? handover.next : undefined;
  const terms = run.takeOver(ready ?? (await run.setup.makeReady(done.delegation, run)));
  emitter.emit({ type: 'handoff', callId: done.record.id, from: before.name, to: run.setup.agent.name });
  for (const warning of run.setup.agent.warnings) emitter.warn(warning);
  await run.hooks.runStart();
  return terms;
}

function handoffOf(run: ActiveRun, tool: string): Delegation | undefined {
  const delegation = run.setup.agent.tools.get(tool)?.definition.delegation;
  return delegation?.kind === 'handoff' ? delegation : undefined;
}
