import { isRecord, shown } from '../../errors/option-check';
import { UsageError } from '../../errors/usage-error';
import type { Message } from '../../types/message';
import type { PendingCall } from '../../types/pending-call';
import type { State } from '../../types/state-operation';
import type { Usage } from '../../types/usage';
import { sessionStore, type ResumeSource } from './open-session';
import { readLog, shownMessages } from './session-log';
import { decodeSnapshot, type SnapshotCodec } from './snapshot';
import type { RunDocument } from './run-document';
import type { SessionStore } from '../../types/session';

/** Where a run or a session stands, without touching it. */
export interface RunInspection {
  /**
   * `paused`: calls wait for decisions; `cut-off`: its process ended before it did, or is at work at this moment; `ended`: a next run can go on;
   * `new`: nothing was ever said.
   */
  readonly status: 'paused' | 'cut-off' | 'ended' | 'new';
  /** Of the run that has not ended. */
  readonly runId?: string;
  readonly agent?: string;
  readonly usage?: Usage;
  /** The calls that wait for a decision. */
  readonly pending: readonly PendingCall[];
  readonly messages: readonly Message[];
  readonly state: State;
}

/** @throws SnapshotError or SessionError for what cannot be read */
export async function inspectRun(
  source: ResumeSource,
  places: { readonly sessions: SessionStore | undefined; readonly snapshotCodec: SnapshotCodec | undefined },
): Promise<RunInspection> {
  if (typeof source === 'string') return inspection((await decodeSnapshot(source, places.snapshotCodec)).document);
  if (!isRecord(source) || typeof source.session !== 'string')
    throw new UsageError(`What is inspected is a snapshot, or { session: 'id' }; got ${shown(source)}.`);
  const view = readLog(await sessionStore(places.sessions).load(source.session), source.session);
  if (view.open !== undefined) return inspection(view.open);
  return { status: view.all.length === 0 ? 'new' : 'ended', pending: [], messages: shownMessages(view), state: view.memory ?? {} };
}

function inspection({ runId, agent, state, effect, messages }: RunDocument): RunInspection {
  const paused = effect.kind === 'wait';
  return {
    status: paused ? 'paused' : 'cut-off',
    runId,
    agent,
    usage: state.usage,
    pending: paused ? (state.pending?.progress?.waiting ?? []) : [],
    messages,
    state: state.memory,
  };
}
