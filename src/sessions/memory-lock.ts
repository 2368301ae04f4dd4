import type { SessionLock } from '../types/session';
import { lostLock } from './lock-holder';

/** A lock that lives in this process. */
export class MemoryLock implements SessionLock {
  private released = false;

  constructor(
    readonly id: string,
    private readonly free: () => void,
  ) {}

  async release(): Promise<void> {
    if (this.released) return;
    this.released = true;
    this.free();
  }
}

/** @throws SessionError when somebody writes with a lock that is not held any more */
export function checkHeld(held: SessionLock | undefined, lock: SessionLock): void {
  if (held !== lock) throw lostLock(lock.id);
}
