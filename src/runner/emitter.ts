import { errorFacts } from '../errors/error-facts';
import type { Environment } from '../types/environment';
import type { EventBody, RunEvent } from '../types/run-event';

/** Warnings that one run keeps; what is beyond is the same trouble again. */
const MOST_WARNINGS = 100;

/** Puts the header on each event of a run and hands it to whoever listens; with nobody there it does nothing. */
export class Emitter {
  /** The model request that is being made or carried out, from 1. */
  turn = 0;
  readonly warnings: string[] = [];
  private seq = 0;

  constructor(
    private readonly runId: string,
    private readonly environment: Environment,
    private readonly stream: { push(event: RunEvent): void } | undefined,
    private readonly onEvent: ((event: RunEvent) => unknown) | undefined,
  ) {}

  get listening(): boolean {
    return this.stream !== undefined || this.onEvent !== undefined;
  }

  /** A method that may be handed on alone. */
  readonly emit = (body: EventBody): void => {
    // Said once: a warning that comes with each turn would bury the others.
    if (body.type === 'warning' && !this.note(body.text)) return;
    if (!this.listening) return;
    const event: RunEvent = { ...body, runId: this.runId, turn: this.turn, seq: this.seq++, at: this.environment.now() };
    this.stream?.push(event);
    if (this.onEvent !== undefined) this.tell(this.onEvent, event);
  };

  warn(text: string): void {
    this.emit({ type: 'warning', text });
  }

  /** Keeps a warning, and says whether it is new. */
  private note(text: string): boolean {
    if (this.warnings.includes(text)) return false;
    if (this.warnings.length < MOST_WARNINGS) this.warnings.push(text);
    return true;
  }

  // What a listener throws is told in the result only: an event about it would call the listener again.
  private tell(listener: (event: RunEvent) => unknown, event: RunEvent): void {
    try {
      const answer = listener(event);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.note(`onEvent failed: ${errorText(error)}`));
    } catch (error) {
      this.note(`onEvent failed: ${errorText(error)}`);
    }
  }
}

/** What a thrown value says, whatever it is. */
export function errorText(error: unknown): string {
  return errorFacts(error).message;
}
