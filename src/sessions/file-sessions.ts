import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { aBoolean, checkedOptions, rulesOf } from '../errors/option-check';
import { SessionError } from '../errors/session-error';
import { UsageError } from '../errors/usage-error';
import type { SessionEntry, SessionInfo, SessionLock, SessionStore } from '../types/session';
import { FileLock } from './file-lock';
import { lostLock } from './lock-holder';
import { fileName, idOf, parseLog } from './session-file';

/** How surely sessions are written. */
export interface FileSessionsOptions {
  /**
   * Whether each write waits until it is on the disk: without it a session survives the end of its process, with it also the end of its
   * machine. `true` by default.
   */
  readonly sync?: boolean;
}

const RULES = rulesOf<FileSessionsOptions>({ sync: aBoolean });

/**
 * Sessions as files of JSON lines in one folder, one for each, readable by any tool.
 *
 * What is appended together is one line, so a process that dies while it writes leaves at most a piece of a line behind, which the next
 * writer cuts off. Beside a session stands the lock of the process that works in it.
 * @example new AgentRunner({ sessions: new FileSessions('./sessions') })
 */
export class FileSessions implements SessionStore {
  private readonly sync: boolean;
  /** The files that are open at their end, by the lock under which they are written. */
  private readonly open = new Map<FileLock, FileHandle>();

  /**
   * @param folder made with the first session
   * @throws UsageError for what is no path, and for options that do not exist or do not fit
   */
  constructor(
    private readonly folder: string,
    options?: FileSessionsOptions,
  ) {
    if (typeof folder !== 'string' || folder === '')
      throw new UsageError("FileSessions takes the path of a folder: new FileSessions('./sessions').");
    this.sync = checkedOptions(options, RULES, 'FileSessions').sync ?? true;
  }

  async lock(id: string): Promise<SessionLock> {
    const lock = await FileLock.take(id, this.pathOf(id));
    const release = lock.release.bind(lock);
    lock.release = async () => {
      const file = this.open.get(lock);
      this.open.delete(lock);
      try {
        await file?.close();
      } finally {
        await release();
      }
    };
    return lock;
  }

  async load(id: string): Promise<readonly SessionEntry[]> {
    return parseLog(await read(this.pathOf(id)), id).entries;
  }

  async append(lock: SessionLock, entries: readonly SessionEntry[]): Promise<void> {
    if (!(lock instanceof FileLock)) throw lostLock(lock.id);
    await lock.check();
    const file = this.open.get(lock) ?? (await this.openEnd(lock));
    await file.appendFile(`${JSON.stringify(entries)}\n`);
    if (this.sync) await file.datasync();
  }

  async save(lock: SessionLock, entries: readonly SessionEntry[]): Promise<void> {
    if (!(lock instanceof FileLock)) throw lostLock(lock.id);
    await lock.check();
    const path = this.pathOf(lock.id);
    const next = `${path}.next`;
    const file = await open(next, 'w');
    try {
      await file.writeFile(`${JSON.stringify(entries)}\n`);
      if (this.sync) await file.sync();
    } finally {
      await file.close();
    }
    await this.open.get(lock)?.close();
    this.open.delete(lock);
    await rename(next, path);
    if (this.sync) await syncFolder(dirname(path));
  }

  async list(): Promise<readonly SessionInfo[]> {
    const infos: SessionInfo[] = [];
    for (const name of await this.names()) {
      const id = idOf(name);
      const about = id === undefined ? undefined : await stat(join(this.folder, name)).catch(() => undefined);
      if (id !== undefined && about !== undefined) infos.push({ id, updatedAt: about.mtimeMs });
    }
    return infos.sort((a, b) => b.updatedAt - a.updatedAt);
  }

  async delete(id: string): Promise<void> {
    const path = this.pathOf(id);
    const lock = await FileLock.take(id, path);
    try {
      await rm(path, { force: true });
      await rm(`${path}.next`, { force: true });
    } finally {
      await lock.release();
    }
  }

  private async names(): Promise<readonly string[]> {
    try {
      return await readdir(this.folder);
    } catch (error) {
      // Made with the first session.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new SessionError(`The folder ${this.folder} of the sessions cannot be read.`, { cause: error });
    }
  }

  private pathOf(id: string): string {
    return join(this.folder, fileName(id));
  }

  /** The session's file, to be written at its end; a piece of a line that a dead writer left is cut off. */
  private async openEnd(lock: FileLock): Promise<FileHandle> {
    const path = this.pathOf(lock.id);
    await mkdir(this.folder, { recursive: true });
    const { whole } = parseLog(await read(path), lock.id);
    const isNew = whole === 0;
    const file = await open(path, 'a');
    await file.truncate(whole);
    if (isNew && this.sync) await syncFolder(this.folder);
    this.open.set(lock, file);
    return file;
  }
}

async function read(path: string): Promise<Buffer> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw new SessionError(`The file ${path} of a session cannot be read.`, { cause: error });
  }
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Makes a new or renamed file last; not every system can. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows opens no folders.
  }
}
