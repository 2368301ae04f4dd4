import { readdirSync, readFileSync } from 'node:fs';

/** One process as `/proc` shows it (proc(5), `/proc/[pid]/stat`). */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** All processes that can be seen, but for those that have ended and wait to be collected; empty where there is no `/proc`. */
export function processTable(): readonly ProcessEntry[] {
  if (process.platform !== 'linux') return [];
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readQuietly(`/proc/${name}/stat`);
    // The program's name stands in parentheses and may hold anything.
    const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === undefined || state === '' || state === 'Z' || state === 'X') continue;
    entries.push({ pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session) });
  }
  return entries;
}

/** Whether a process was started with a variable of that value, itself or by inheritance. */
export function hasMark(pid: number, mark: string): boolean {
  return readQuietly(`/proc/${pid}/environ`).split('\0').includes(mark);
}

/** A process may end, or belong to somebody else. */
function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
