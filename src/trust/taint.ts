import type { Message } from '../types/message';
import { isForeign } from './foreign';

/**
 * Whether foreign content is in a run's context, at this moment.
 *
 * It comes with messages and goes only by the host's word: nothing that a tool, a model or a hook says takes it away.
 */
export class Taint {
  private on = false;
  private begun = false;
  private believed = false;

  /** @param changed told of every change; `from` names what brought it */
  constructor(private readonly changed: (present: boolean, from: string | undefined) => void = () => undefined) {}

  get present(): boolean {
    return this.on;
  }

  /**
   * Takes note of what the run is given, unless the host has said already that it may be believed.
   * @param inherited whether the run is inside one that has foreign content in its context
   */
  begin(given: readonly Message[], inherited = false): void {
    this.begun = true;
    if (inherited && !this.believed && !this.on) {
      this.on = true;
      this.changed(true, 'the run around it');
    }
    if (!this.believed) for (const message of given) this.note(message);
  }

  /** A run goes on that had foreign content in its context. */
  restore(): void {
    this.begun = true;
    this.on = true;
  }

  /** Takes note of a message that enters the context. */
  note(message: Message): void {
    if (this.on || !isForeign(message)) return;
    this.on = true;
    this.changed(true, message.role === 'tool' ? message.name : 'the input');
  }

  /** The host's word that everything read so far may be believed; what comes later counts again. */
  clear(): void {
    if (!this.begun) this.believed = true;
    if (!this.on) return;
    this.on = false;
    this.changed(false, undefined);
  }
}
