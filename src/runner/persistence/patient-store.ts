import { errorText } from '../../errors/error-facts';
import { SessionError } from '../../errors/session-error';
import { settled } from '../../invocation/deadline';
import type { SessionEntry, SessionLock, SessionStore } from '../../types/session';

/** How long a store may take for one thing, in milliseconds: a run must not hang with its database. */
const LONGEST = 60_000;

/** What a run needs of a store, which answers or fails in time. What it does after that is its own affair: the lock decides whether it may. */
export class PatientStore implements Pick<SessionStore, 'lock' | 'load' | 'append' | 'save'> {
  constructor(private readonly store: SessionStore) {}

  lock(id: string): Promise<SessionLock> {
    const locking = this.store.lock(id);
    return within(locking, id, 'be locked', () => void locking.then(giveFree, () => undefined));
  }

  load(id: string): Promise<readonly SessionEntry[]> {
    return within(this.store.load(id), id, 'be read');
  }

  append(lock: SessionLock, entries: readonly SessionEntry[]): Promise<void> {
    return within(this.store.append(lock, entries), lock.id, 'be written');
  }

  save(lock: SessionLock, entries: readonly SessionEntry[]): Promise<void> {
    return within(this.store.save(lock, entries), lock.id, 'be written');
  }
}

/** Ends a lock, in time. One that cannot be ended changes nothing about what was done under it; the process is told. */
export async function giveFree(lock: SessionLock): Promise<void> {
  try {
    await within(lock.release(), lock.id, 'be given free');
  } catch (error) {
    process.emitWarning(`The session ${JSON.stringify(lock.id)} stays locked: ${errorText(error)}`, 'ToolwrightWarning');
  }
}

async function within<T>(work: Promise<T>, id: string, what: string, late?: () => void): Promise<T> {
  const ended = await settled(work, LONGEST, []);
  switch (ended.how) {
    case 'returned':
      return ended.value as T;
    case 'threw':
      throw ended.error;
    default:
      late?.();
      throw new SessionError(`The session ${JSON.stringify(id)} could not ${what} within ${LONGEST} ms: its store does not answer.`);
  }
}
