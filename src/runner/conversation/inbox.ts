import { UsageError } from '../../errors/usage-error';
import type { Part, UserMessage } from '../../types/message';
import { partsFault, userMessage, userText } from './transcript';

/** A message to a run under way: text, parts, or a whole message. */
export type SteerInput = string | readonly Part[] | UserMessage;

/** What people say to a run while it works. */
export class Inbox {
  private steers: UserMessage[] = [];
  private followUps: UserMessage[] = [];
  /** Cancels the model call in flight; set while there is one. */
  cancelModelCall: (() => void) | undefined;

  /** Read before the next request. */
  steer(message: SteerInput): void {
    this.steers.push(readSteer(message));
  }

  /** Read when the run would end. */
  followUp(message: SteerInput): void {
    this.followUps.push(readSteer(message));
  }

  /** Read at once. */
  redirect(message: SteerInput): void {
    this.steer(message);
    this.cancelModelCall?.();
  }

  takeSteers(): readonly UserMessage[] {
    return this.steers.length === 0 ? this.steers : this.steers.splice(0);
  }

  /** What keeps the run from ending, if anything: it becomes the next thing the model reads. */
  keepsGoing(): boolean {
    if (this.steers.length > 0) return true;
    this.steers = this.followUps;
    this.followUps = [];
    return this.steers.length > 0;
  }

  /** What waits to be read, for a run that is interrupted. */
  unreadMessages(): { readonly steers: readonly UserMessage[]; readonly followUps: readonly UserMessage[] } {
    return { steers: this.steers.slice(), followUps: this.followUps.slice() };
  }

  /** What waited when the run was interrupted comes before what was said since. */
  restore(steers: readonly UserMessage[], followUps: readonly UserMessage[]): void {
    this.steers.unshift(...steers);
    this.followUps.unshift(...followUps);
  }

  /** How many messages nobody will read any more. */
  get unread(): number {
    return this.steers.length + this.followUps.length;
  }
}

function readSteer(message: SteerInput): UserMessage {
  if (typeof message === 'string') return userText(message);
  const parts = Array.isArray(message) ? (message as readonly Part[]) : (message as UserMessage | undefined)?.parts;
  const fault = partsFault(parts);
  if (fault !== undefined) throw new UsageError(`A message to a run is text, parts, or a user's message: it ${fault}`);
  return userMessage([...(parts as readonly Part[])]);
}
