import { SessionBusyError } from '../errors/session-error';
import type { SessionEntry, SessionInfo, SessionLock, SessionStore } from '../types/session';
import { MemoryLock, checkHeld } from './memory-lock';

/**
 * Sessions in this process's memory: for tests, and for what need not outlive it.
 * @example new AgentRunner({ sessions: new MemorySessions() })
 */
export class MemorySessions implements SessionStore {
  // As text, so that nobody can change what was stored, and nothing is stored that a file could not hold.
  private readonly logs = new Map<string, { readonly lines: string[]; updatedAt: number }>();
  private readonly held = new Map<string, MemoryLock>();

  async lock(id: string): Promise<SessionLock> {
    if (this.held.has(id)) throw new SessionBusyError(id);
    const lock = new MemoryLock(id, () => void this.held.delete(id));
    this.held.set(id, lock);
    return lock;
  }

  async load(id: string): Promise<readonly SessionEntry[]> {
    return this.logs.get(id)?.lines.map((line) => JSON.parse(line) as SessionEntry) ?? [];
  }

  async append(lock: SessionLock, entries: readonly SessionEntry[]): Promise<void> {
    checkHeld(this.held.get(lock.id), lock);
    const lines = entries.map((entry) => JSON.stringify(entry));
    const log = this.logs.get(lock.id);
    if (log === undefined) this.logs.set(lock.id, { lines, updatedAt: Date.now() });
    else {
      log.lines.push(...lines);
      log.updatedAt = Date.now();
    }
  }

  async save(lock: SessionLock, entries: readonly SessionEntry[]): Promise<void> {
    checkHeld(this.held.get(lock.id), lock);
    this.logs.set(lock.id, { lines: entries.map((entry) => JSON.stringify(entry)), updatedAt: Date.now() });
  }

  async list(): Promise<readonly SessionInfo[]> {
    return [...this.logs].map(([id, { updatedAt }]) => ({ id, updatedAt })).sort((a, b) => b.updatedAt - a.updatedAt);
  }

  async delete(id: string): Promise<void> {
    if (this.held.has(id)) throw new SessionBusyError(id);
    this.logs.delete(id);
  }
}
