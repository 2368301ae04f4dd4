import { SessionBusyError } from '../errors/session-error';
import { UsageError } from '../errors/usage-error';
import type { SessionEntry, SessionInfo, SessionLock, SessionStore } from '../types/session';
import { forget, lostLock, mayLive, newHolder, parseHolder, REFRESH, type LockHolder } from './lock-holder';

/** What is used of `better-sqlite3`; its `Database` fits. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  pragma(source: string): unknown;
  prepare(sql: string): {
    run(...parameters: unknown[]): unknown;
    get(...parameters: unknown[]): unknown;
    all(...parameters: unknown[]): unknown[];
  };
  close(): unknown;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS toolwright_entries (session TEXT NOT NULL, at INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (session, at)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS toolwright_sessions (id TEXT PRIMARY KEY, updated INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS toolwright_locks (session TEXT PRIMARY KEY, holder TEXT NOT NULL, refreshed INTEGER NOT NULL) WITHOUT ROWID;
`;
/** How long a write waits for another process's, in milliseconds. */
const PATIENCE = 5_000;

/**
 * Sessions in one SQLite file, by the package `better-sqlite3`.
 * @example new AgentRunner({ sessions: new SqliteSessions('./sessions.db') })
 */
export class SqliteSessions implements SessionStore {
  private readonly db: SqliteDatabase;
  private readonly owned: boolean;

  /**
   * @param database the path of the file (it is made when it is not there), or an open database of `better-sqlite3`
   * @throws UsageError where the package is not installed
   */
  constructor(database: string | SqliteDatabase) {
    this.owned = typeof database === 'string';
    this.db = typeof database === 'string' ? openDatabase(database) : database;
    this.db.pragma(`busy_timeout = ${PATIENCE}`);
    this.db.pragma('journal_mode = WAL');
    this.db.pragma('synchronous = FULL');
    this.db.exec(SCHEMA);
  }

  async lock(id: string): Promise<SessionLock> {
    const holder = newHolder();
    try {
      this.together(() => {
        const row = this.db.prepare('SELECT holder, refreshed FROM toolwright_locks WHERE session = ?').get(id) as LockRow | undefined;
        const other = row === undefined ? undefined : parseHolder(row.holder);
        if (row !== undefined && other !== undefined && mayLive(other, row.refreshed)) throw new SessionBusyError(id);
        this.db.prepare('INSERT OR REPLACE INTO toolwright_locks VALUES (?, ?, ?)').run(id, JSON.stringify(holder), Date.now());
      });
    } catch (error) {
      forget(holder);
      throw error;
    }
    return new SqliteLock(id, holder, this.db);
  }

  async load(id: string): Promise<readonly SessionEntry[]> {
    const rows = this.db.prepare('SELECT entry FROM toolwright_entries WHERE session = ? ORDER BY at').all(id) as {
      readonly entry: string;
    }[];
    return rows.map(({ entry }) => JSON.parse(entry) as SessionEntry);
  }

  async append(lock: SessionLock, entries: readonly SessionEntry[]): Promise<void> {
    this.together(() => {
      this.check(lock);
      const { last } = this.db.prepare('SELECT MAX(at) AS last FROM toolwright_entries WHERE session = ?').get(lock.id) as {
        last: number | null;
      };
      this.insert(lock.id, entries, (last ?? -1) + 1);
    });
  }

  async save(lock: SessionLock, entries: readonly SessionEntry[]): Promise<void> {
    this.together(() => {
      this.check(lock);
      this.db.prepare('DELETE FROM toolwright_entries WHERE session = ?').run(lock.id);
      this.insert(lock.id, entries, 0);
    });
  }

  async list(): Promise<readonly SessionInfo[]> {
    return this.db.prepare('SELECT id, updated AS updatedAt FROM toolwright_sessions ORDER BY updated DESC').all() as SessionInfo[];
  }

  async delete(id: string): Promise<void> {
    const lock = await this.lock(id);
    try {
      this.together(() => {
        this.db.prepare('DELETE FROM toolwright_entries WHERE session = ?').run(id);
        this.db.prepare('DELETE FROM toolwright_sessions WHERE id = ?').run(id);
      });
    } finally {
      await lock.release();
    }
  }

  /** Closes the file, if this store opened it. */
  close(): void {
    if (this.owned) this.db.close();
  }

  private insert(id: string, entries: readonly SessionEntry[], from: number): void {
    const insert = this.db.prepare('INSERT INTO toolwright_entries VALUES (?, ?, ?)');
    for (const [at, entry] of entries.entries()) insert.run(id, from + at, JSON.stringify(entry));
    this.db.prepare('INSERT OR REPLACE INTO toolwright_sessions VALUES (?, ?)').run(id, Date.now());
  }

  private check(lock: SessionLock): void {
    const row = this.db.prepare('SELECT holder FROM toolwright_locks WHERE session = ?').get(lock.id) as LockRow | undefined;
    if (!(lock instanceof SqliteLock) || row?.holder !== lock.text) throw lostLock(lock.id);
  }

  /** All of it or nothing. Written out, since `better-sqlite3`'s own transactions begin without the right to write. */
  private together<T>(work: () => T): T {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const value = work();
      this.db.exec('COMMIT');
      return value;
    } catch (error) {
      try {
        this.db.exec('ROLLBACK');
      } catch {
        // SQLite itself rolls back after some errors, such as a full disk: the first one says what went wrong.
      }
      throw error;
    }
  }
}

interface LockRow {
  readonly holder: string;
  readonly refreshed: number;
}

class SqliteLock implements SessionLock {
  readonly text: string;
  private released = false;
  private readonly heart: NodeJS.Timeout;

  constructor(
    readonly id: string,
    private readonly holder: LockHolder,
    private readonly db: SqliteDatabase,
  ) {
    this.text = JSON.stringify(holder);
    const beat = (): void => {
      try {
        db.prepare('UPDATE toolwright_locks SET refreshed = ? WHERE session = ? AND holder = ?').run(Date.now(), id, this.text);
      } catch {
        // The next one may get through; a lock that is not refreshed is lost to another host at worst, and then writing is refused.
      }
    };
    this.heart = setInterval(beat, REFRESH);
    this.heart.unref();
  }

  async release(): Promise<void> {
    if (this.released) return;
    this.released = true;
    clearInterval(this.heart);
    try {
      this.db.prepare('DELETE FROM toolwright_locks WHERE session = ? AND holder = ?').run(this.id, this.text);
    } finally {
      forget(this.holder);
    }
  }
}

function openDatabase(path: string): SqliteDatabase {
  let Database: new (path: string) => SqliteDatabase;
  try {
    // Loaded here: only who uses this store needs it.
    Database = require('better-sqlite3') as new (path: string) => SqliteDatabase;
  } catch (cause) {
    throw new UsageError('SqliteSessions needs the package better-sqlite3: npm install better-sqlite3', { cause });
  }
  return new Database(path);
}
