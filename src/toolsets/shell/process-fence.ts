import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { hasMark, processTable } from './process-table';

const VARIABLE = 'TOOLWRIGHT_COMMAND';
const MOST_ROUNDS = 20;

/**
 * Knows every process that came of one command, and ends them all.
 *
 * They are told by the command's process group and session, by their parents, and, on Linux, by a mark in their environment, which also those carry
 * that left group, session and parent behind. One that starts itself anew with an empty environment after all that is not found.
 */
export class ProcessFence {
  private readonly mark = randomUUID();
  private pid: number | undefined;

  /** What the command must be started with. */
  get environment(): { readonly [name: string]: string } {
    return { [VARIABLE]: this.mark };
  }

  started(pid: number): void {
    this.pid = pid;
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
    const members = this.members(this.pid);
    for (const pid of members) send(pid, signal);
    return members.length;
  }

  private members(leader: number): readonly number[] {
    const table = processTable();
    const family = new Set([leader]);
    // Children stand behind their parents only mostly, since numbers are used again: once more, until nothing is added.
    for (let size = 0; size < family.size;) {
      size = family.size;
      for (const { pid, parent } of table) if (family.has(parent)) family.add(pid);
    }
    return table
      .filter(
        ({ pid, group, session }) =>
          pid !== process.pid && (family.has(pid) || group === leader || session === leader || hasMark(pid, `${VARIABLE}=${this.mark}`)),
      )
      .map(({ pid }) => pid);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended, or is not ours.
  }
}
