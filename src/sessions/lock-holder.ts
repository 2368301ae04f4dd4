import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { SessionError } from '../errors/session-error';

/** Who holds a lock: enough to tell, later and elsewhere, whether they still live. */
export interface LockHolder {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** When the process began, in the system's own count; a pid is used again. `undefined` where the system does not tell. */
  readonly since?: string;
}

/** A lock of another host is taken for dead when it has not been refreshed for so long; in milliseconds. */
const LEASE = 60_000;
/** How often a lock is refreshed, in milliseconds. */
export const REFRESH = 15_000;

/** The locks that this process holds: another's with the same pid is one of an earlier process. */
const mine = new Set<string>();

/** A new holder: this process, at this moment. */
export function newHolder(): LockHolder {
  const since = processStart(process.pid);
  const holder = { token: randomUUID(), pid: process.pid, host: hostname(), ...(since !== undefined && { since }) };
  mine.add(holder.token);
  return holder;
}

export function forget({ token }: LockHolder): void {
  mine.delete(token);
}

/** Whether a holder may still be at work; in doubt it is. `refreshedAt` in milliseconds since 1970. */
export function mayLive(holder: LockHolder, refreshedAt: number): boolean {
  if (mine.has(holder.token)) return true;
  if (holder.host !== hostname()) return Date.now() - refreshedAt < LEASE;
  if (holder.pid === process.pid || !exists(holder.pid)) return false;
  const since = processStart(holder.pid);
  return since === undefined || holder.since === undefined || since === holder.since;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process lives as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Linux counts a process's start in ticks since the boot. A process that ended and waits for its parent has ended. */
function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}

/** A holder from its text; `undefined` for what is none. */
export function parseHolder(text: string): LockHolder | undefined {
  try {
    const value = JSON.parse(text) as Partial<LockHolder> | null;
    if (typeof value?.token !== 'string' || typeof value.pid !== 'number' || typeof value.host !== 'string') return undefined;
    return value as LockHolder;
  } catch {
    return undefined;
  }
}

/** For whoever writes with a lock that is not theirs any more. */
export function lostLock(id: string): SessionError {
  return new SessionError(
    `The lock of the session ${JSON.stringify(id)} is not held any more: it was released, or another process took the session over. Nothing was written.`,
  );
}
