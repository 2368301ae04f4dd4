import { bounded } from './deadline';
import type { CallScope } from './call-scope';
import { isThenable } from './maybe-promise';

/** Waits for the host's word no longer than a call without a timeout may take; a plain value is not waited for. */
export function waitForHost<T>(work: T | PromiseLike<T>, what: string, scope: CallScope): T | Promise<T> {
  return isThenable(work) ? bounded<T>(work, what, scope.ceiling, scope.signal) : work;
}
