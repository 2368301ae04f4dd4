import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { environmentOf, processTable, type ProcessEntry } from './process-table';

const VARIABLE = 'TOOLWRIGHT_COMMAND';
const MOST_ROUNDS = 20;
const MOST_LOOKS = 100;
/** Milliseconds. */
const BETWEEN_LOOKS = 15;
/** The parent of the kernel's own threads, which have no environment; that of their first and of `init` is 0. */
const KERNEL = 2;

/**
 * Knows every process that came of one command, and ends them all.
 *
 * They are told by the command's process group and session, by their parents, and, on Linux, by a mark in their environment, which also those carry
 * that left group, session and parent behind. One that starts itself anew with an empty environment after all that is not found.
 */
export class ProcessFence {
  private readonly mark = randomUUID();
  private pid: number | undefined;
  private startedAt = 0;
  /** Whether the last look met a process that may be one of these, and could not yet be told. */
  private unclear = false;

  /** What the command must be started with. */
  get environment(): { readonly [name: string]: string } {
    return { [VARIABLE]: this.mark };
  }

  started(pid: number): void {
    this.pid = pid;
    const table = processTable();
    // One that has already ended began no earlier than the youngest that is left.
    this.startedAt = table.find((entry) => entry.pid === pid)?.startedAt ?? Math.max(0, ...table.map((entry) => entry.startedAt));
  }

  /** Asks all to end. */
  terminate(): void {
    this.signal('SIGTERM');
  }

  /** Ends all that are left, at once: when it returns, every process that could be found has been killed. */
  kill(): void {
    // One that forks while it is being looked for leaves a child that the next round finds.
    for (let round = 0; round < MOST_ROUNDS; round++) if (this.signal('SIGKILL') === 0) return;
  }

  /**
   * Ends all that are left, and looks again until nothing was found twice: a process that is just being replaced by its program shows no
   * environment for a moment. Bounded, for a command that starts others faster than they can be found.
   */
  async end(): Promise<void> {
    let quiet = 0;
    for (let look = 0; look < MOST_LOOKS && quiet < 2; look++) {
      if (look > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS));
      const found = this.signal('SIGKILL');
      if (found > 0) this.kill();
      quiet = found === 0 && !this.unclear ? quiet + 1 : 0;
    }
  }

  /** How many processes were told. */
  private signal(signal: NodeJS.Signals): number {
    if (this.pid === undefined) return 0;
    if (process.platform === 'win32') {
      spawn('taskkill', ['/pid', String(this.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);
      return 0;
    }
    if (process.platform !== 'linux') {
      // Without a table the group is all that can be reached.
      send(-this.pid, signal);
      return 0;
    }
    const table = processTable();
    const family = familyOf(this.pid, table);
    this.unclear = false;
    let told = 0;
    for (const entry of table) {
      if (!this.isMember(entry, this.pid, family)) continue;
      // At once, before the rest of the table is looked at: one that forks has that much less time for it.
      send(entry.pid, signal);
      told += 1;
    }
    return told;
  }

  private isMember({ pid, group, session, startedAt, parent }: ProcessEntry, leader: number, family: ReadonlySet<number>): boolean {
    if (pid === process.pid) return false;
    if (family.has(pid) || group === leader || session === leader) return true;
    const environment = environmentOf(pid);
    if (environment.length === 0 && startedAt >= this.startedAt && parent > KERNEL) this.unclear = true;
    return environment.includes(`${VARIABLE}=${this.mark}`);
  }
}

function familyOf(leader: number, table: readonly ProcessEntry[]): ReadonlySet<number> {
  const family = new Set([leader]);
  // Children stand behind their parents only mostly, since numbers are used again: once more, until nothing is added.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of table) if (family.has(parent)) family.add(pid);
  }
  return family;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended, or is not ours.
  }
}
