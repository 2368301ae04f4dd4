import { addUsage } from './loop/add-usage';
import type { PausedRun } from '../types/run-result';
import { NO_USAGE } from '../types/usage';
import type { ActiveRun } from './active-run';
import { documentOf } from './write-document';
import { encodeSnapshot } from './persistence/snapshot';
import { textOf } from './conversation/transcript';

/** The result of a run that waits: its transcript as it is valid, and everything else in the snapshot. */
export async function pausedRun(run: ActiveRun): Promise<PausedRun> {
  const { around, snapshotCodec } = run.setup;
  const document = documentOf(run, { kind: 'wait' });
  around?.pause(document);
  // Inside another run it is part of that one's snapshot.
  const snapshot = around === undefined ? await encodeSnapshot(document, snapshotCodec) : '';
  const { pending } = run.state;
  const results = pending?.progress?.results ?? [];
  const facts = run.facts();
  return {
    stopReason: 'paused',
    snapshot,
    pending: pending?.progress?.waiting ?? [],
    ...facts,
    text: pending === undefined ? '' : textOf(pending.message.parts),
    usage: addUsage(facts.usage, { ...NO_USAGE, toolCalls: results.filter((result) => result.executed).length }),
    toolCalls: [...facts.toolCalls, ...results.map((result) => result.record)],
  };
}
