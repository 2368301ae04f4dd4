import { shown } from '../errors/option-check';
import { SessionError } from '../errors/session-error';
import { UsageError } from '../errors/usage-error';
import { isToolwrightError } from '../errors/toolwright-error';
import type { SessionLock, SessionStore } from '../types/session';
import { compacted } from './compact-session';
import type { Compaction } from './compaction';
import { errorText } from './emitter';
import { readLog, type OpenSession } from './session-log';

/** What a run is resumed from: a snapshot, or the session that it belongs to. */
export type ResumeSource = string | { readonly session: string };

/** @throws UsageError where sessions are kept nowhere */
export function sessionStore(store: SessionStore | undefined): SessionStore {
  if (store !== undefined) return store;
  throw new UsageError("A `session` needs a place to be kept: `new AgentRunner({ sessions: new FileSessions('./sessions') })`.");
}

/** Sessions longer than this, in UTF-16 code units of their names, are refused. */
const LONGEST_ID = 200;

/**
 * Takes a session and reads it.
 * @throws SessionBusyError while another run has it; SessionError when it cannot be read
 */
export async function openSession(sessions: SessionStore | undefined, id: unknown): Promise<OpenSession> {
  const store = sessionStore(sessions);
  if (typeof id !== 'string' || id === '' || id.length > LONGEST_ID)
    throw new UsageError(`The id of a session is a text of 1 to ${LONGEST_ID} characters; got ${shown(id)}.`);
  let lock: SessionLock | undefined;
  try {
    lock = await store.lock(id);
    const view = readLog(await store.load(id), id);
    return { id, store, lock, view };
  } catch (cause) {
    await lock?.release().catch(() => undefined);
    if (isToolwrightError(cause)) throw cause;
    throw new SessionError(`The session ${JSON.stringify(id)} could not be opened: ${errorText(cause)}`, { cause });
  }
}

/**
 * The session as a new run goes on with it.
 * @throws SessionError when a run in it has not ended
 */
export async function sessionToContinue(
  session: OpenSession,
  compaction: Compaction | undefined,
  warn: (text: string) => void,
): Promise<OpenSession> {
  const { open } = session.view;
  if (open !== undefined) throw notEnded(session.id, open.effect.kind === 'wait');
  return compaction === undefined ? session : { ...session, view: await compacted(session, compaction, warn) };
}

function notEnded(id: string, waits: boolean): SessionError {
  const named = JSON.stringify(id);
  return new SessionError(
    waits
      ? `A run in the session ${named} waits for decisions. Bring them with \`runner.resume(agent, { session: ${named} }, { decisions })\`.`
      : `A run in the session ${named} was cut off with its process. Bring it to its end with \`runner.resume(agent, { session: ${named} })\`.`,
  );
}
