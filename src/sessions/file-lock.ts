import { mkdir, open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SessionBusyError } from '../errors/session-error';
import type { SessionLock } from '../types/session';
import { forget, lostLock, mayLive, newHolder, parseHolder, REFRESH, type LockHolder } from './lock-holder';

/**
 * A lock as a file beside the session, `…​.lock.<n>`.
 *
 * A file is made under the next free number, exclusively, and only then its maker looks whether anybody alive has another: a dead holder's
 * file is never taken away before, so two who find it dead at once cannot both win. Both may lose; then they say that the session is busy.
 */
export class FileLock implements SessionLock {
  private released = false;
  private readonly heart: NodeJS.Timeout;

  private constructor(
    readonly id: string,
    private readonly path: string,
    private readonly holder: LockHolder,
  ) {
    this.heart = setInterval(() => void this.beat(), REFRESH);
    this.heart.unref();
  }

  /** @throws SessionBusyError while anybody alive holds it */
  static async take(id: string, sessionPath: string): Promise<FileLock> {
    await mkdir(dirname(sessionPath), { recursive: true });
    const before = await locksOf(sessionPath);
    if (before.some(({ alive }) => alive)) throw new SessionBusyError(id);
    const number = Math.max(0, ...before.map((lock) => lock.number)) + 1;
    const path = `${sessionPath}.lock.${number}`;
    const holder = newHolder();
    try {
      const file = await open(path, 'wx');
      await file.writeFile(JSON.stringify(holder));
      await file.close();
    } catch (error) {
      forget(holder);
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new SessionBusyError(id);
      throw error;
    }
    const lock = new FileLock(id, path, holder);
    try {
      const others = (await locksOf(sessionPath)).filter((other) => other.path !== path);
      if (others.some(({ alive }) => alive)) throw new SessionBusyError(id);
      for (const dead of others) await rm(dead.path, { force: true });
      return lock;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** @throws SessionError when the lock is not held any more */
  async check(): Promise<void> {
    if (this.released || !(await this.isMine())) throw lostLock(this.id);
  }

  async release(): Promise<void> {
    if (this.released) return;
    this.released = true;
    clearInterval(this.heart);
    try {
      if (await this.isMine()) await rm(this.path, { force: true });
    } finally {
      forget(this.holder);
    }
  }

  private async isMine(): Promise<boolean> {
    return parseHolder(await readFile(this.path, 'utf8').catch(() => ''))?.token === this.holder.token;
  }

  private async beat(): Promise<void> {
    const now = new Date();
    await utimes(this.path, now, now).catch(() => undefined);
  }
}

interface FoundLock {
  readonly path: string;
  readonly number: number;
  readonly alive: boolean;
}

/** A lock file without its content is one that is being made, or whose maker died before it was; in milliseconds. */
const MAKING = 2_000;

async function locksOf(sessionPath: string): Promise<FoundLock[]> {
  const folder = dirname(sessionPath);
  const prefix = `${basename(sessionPath)}.lock.`;
  const found: FoundLock[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !/^\d{1,15}$/.test(name.slice(prefix.length))) continue;
    const path = join(folder, name);
    try {
      const { mtimeMs } = await stat(path);
      const holder = parseHolder(await readFile(path, 'utf8'));
      const alive = holder === undefined ? Date.now() - mtimeMs < MAKING : mayLive(holder, mtimeMs);
      found.push({ path, number: Number(name.slice(prefix.length)), alive });
    } catch {
      // Released meanwhile.
    }
  }
  return found;
}
