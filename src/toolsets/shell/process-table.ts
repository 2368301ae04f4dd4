import { readdirSync, readFileSync } from 'node:fs';

/** One process as `/proc` shows it (proc(5), `/proc/[pid]/stat`). */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** When it was started, in the system's clock ticks. */
  readonly startedAt: number;
}

/** All processes that can be seen, but for those that have ended and wait to be collected; empty where there is no `/proc`. */
export function processTable(): readonly ProcessEntry[] {
  if (process.platform !== 'linux') return [];
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readQuietly(`/proc/${name}/stat`);
    // The program's name stands in parentheses and may hold anything; what follows begins with the third field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    if (state === undefined || state === '' || state === 'Z' || state === 'X') continue;
    entries.push({
      pid: Number(name),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      startedAt: Number(fields[19]),
    });
  }
  return entries;
}

/** The environment that a process was started with, itself or by inheritance; empty for a moment while its program is being replaced. */
export function environmentOf(pid: number): readonly string[] {
  const environment = readQuietly(`/proc/${pid}/environ`);
  return environment === '' ? [] : environment.split('\0');
}

/** A process may end, or belong to somebody else. */
function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
