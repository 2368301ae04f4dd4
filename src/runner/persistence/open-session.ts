import { errorText } from '../../errors/error-facts';
import { shown } from '../../errors/option-check';
import { SessionError } from '../../errors/session-error';
import { UsageError } from '../../errors/usage-error';
import { isToolwrightError } from '../../errors/toolwright-error';
import type { SessionLock, SessionStore } from '../../types/session';
import { compacted } from './compact-session';
import type { Compaction } from './compaction';
import type { Interruption } from '../signals/interruption';
import { giveFree, PatientStore } from './patient-store';
import { plainEntry } from './run-journal';
import { condensed, readLog, type OpenSession } from './session-log';

/** What a run is resumed from: a snapshot, or the session that it belongs to. */
export type ResumeSource = string | { readonly session: string };

/** The runner's store, which answers in time. @throws UsageError where sessions are kept nowhere */
export function sessionStore(store: SessionStore | undefined): PatientStore {
  if (store !== undefined) return new PatientStore(store);
  throw new UsageError("A `session` needs a place to be kept: `new AgentRunner({ sessions: new FileSessions('./sessions') })`.");
}

/** Ids longer than this, in UTF-16 code units, are refused. */
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
    if (lock !== undefined) await giveFree(lock);
    if (isToolwrightError(cause)) throw cause;
    throw new SessionError(`The session ${JSON.stringify(id)} could not be opened: ${errorText(cause)}`, { cause });
  }
}

/** Waits until a session is taken, or the run is cut off: one that is taken too late is given free. @throws the reason of the abort */
export async function takenUnlessCutOff<T>(
  opening: Promise<T>,
  sessionOf: (taken: T) => OpenSession | undefined,
  interruption: Interruption,
): Promise<T> {
  try {
    return await interruption.race(opening);
  } catch (error) {
    if (interruption.aborted)
      void opening.then(
        (taken) => {
          const session = sessionOf(taken);
          return session && giveFree(session.lock);
        },
        () => undefined,
      );
    throw error;
  }
}

/**
 * The session as a new run goes on with it.
 * @throws SessionError when a run in it has not ended
 */
export async function sessionToContinue(
  session: OpenSession,
  compaction: Compaction | undefined,
  interruption: Interruption,
  warn: (text: string) => void,
): Promise<OpenSession> {
  const { open, entries } = session.view;
  if (open !== undefined) throw notEnded(session.id, open.effect.kind === 'wait');
  if (entries > MOST_ENTRIES) await condense(session, interruption, warn);
  return compaction === undefined ? session : { ...session, view: await compacted(session, compaction, interruption, warn) };
}

/** With more entries than this a log is written anew without the steps of runs that have ended. */
const MOST_ENTRIES = 200;

async function condense({ id, store, lock, view }: OpenSession, interruption: Interruption, warn: (text: string) => void): Promise<void> {
  try {
    await store.save(lock, condensed(view).map(plainEntry));
  } catch (error) {
    if (interruption.aborted) throw error;
    warn(`The log of the session ${JSON.stringify(id)} stays as long as it is: ${errorText(error)}`);
  }
}

function notEnded(id: string, waits: boolean): SessionError {
  const named = JSON.stringify(id);
  return new SessionError(
    waits
      ? `A run in the session ${named} waits for decisions. Bring them with \`runner.resume(agent, { session: ${named} }, { decisions })\`.`
      : `A run in the session ${named} was cut off with its process. Bring it to its end with \`runner.resume(agent, { session: ${named} })\`.`,
  );
}
