/** One line of a session's log: JSON. What it means is the runner's affair, not the store's. */
export type SessionEntry = { readonly kind: string; readonly [field: string]: unknown };

/** What a list of sessions shows. */
export interface SessionInfo {
  readonly id: string;
  /** When something was written last, in milliseconds since 1970. */
  readonly updatedAt: number;
}

/** The right to write one session, until it is released. */
export interface SessionLock {
  readonly id: string;
  /** Gives the session free; a second time does nothing. */
  release(): Promise<void>;
}

/**
 * Where conversations are kept: an append-only log of JSON entries for each id.
 *
 * Several entries that are appended together are there together or not at all, also after a crash. Nobody writes without the lock, and a
 * lock whose holder died can be taken by another.
 */
export interface SessionStore {
  /** @throws SessionBusyError while another holds it */
  lock(id: string): Promise<SessionLock>;
  /** All entries, oldest first; none for a session that does not exist. */
  load(id: string): Promise<readonly SessionEntry[]>;
  /** @throws SessionError when the lock was lost */
  append(lock: SessionLock, entries: readonly SessionEntry[]): Promise<void>;
  /** Replaces all entries. */
  save(lock: SessionLock, entries: readonly SessionEntry[]): Promise<void>;
  /** Those written last come first. */
  list(): Promise<readonly SessionInfo[]>;
  /** Deletes a session; one that does not exist is deleted already. @throws SessionBusyError while somebody works in it */
  delete(id: string): Promise<void>;
}
