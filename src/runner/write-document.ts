import type { ActiveRun } from './active-run';
import { contractsOf, toolsFingerprint } from './persistence/frozen-contract';
import { NO_PROGRESS, type RunDocument, type RunPoint } from './persistence/run-document';
import type { Effect } from './loop/run-effect';
import type { RunState } from './loop/run-state';

/** The run as it stands, but for what only ever grows. */
export function pointOf(run: ActiveRun, effect: Effect): RunPoint {
  const { setup } = run;
  const { runId, agent, emitter, inbox, metadata, session } = setup;
  const { pending } = run.state;
  const contracts = pending === undefined ? [] : contractsOf(pending, agent.tools);
  const state: RunState =
    pending === undefined || contracts.length === 0
      ? run.state
      : { ...run.state, pending: { ...pending, progress: { ...(pending.progress ?? NO_PROGRESS), contracts } } };
  return {
    runId,
    agent: agent.name,
    pauses: run.pauses,
    start: run.transcript.start,
    state,
    effect,
    elapsed: run.now().elapsed,
    ...(run.instructions !== undefined && { instructions: run.instructions }),
    warnings: emitter.warnings.slice(),
    // The end of this part of a paused run is told after it was written down.
    seq: emitter.count + (effect.kind === 'wait' ? 1 : 0),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...inbox.unreadMessages(),
    tools: toolsFingerprint(agent.modelTools),
    ...(session !== undefined && { session }),
  };
}

/** The whole run. */
export function documentOf(run: ActiveRun, effect: Effect): RunDocument {
  return { ...pointOf(run, effect), messages: run.transcript.snapshot(), records: run.records.slice(), paged: run.pager?.entries() ?? [] };
}
