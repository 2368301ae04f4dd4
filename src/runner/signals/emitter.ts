import { errorText } from '../../errors/error-facts';
import { isThenable } from '../../invocation/maybe-promise';
import { DeltaRedactor } from '../../trust/delta-redactor';
import { redact, redactText } from '../../trust/redaction';
import type { PathStep } from '../../types/run-path';
import type { Environment } from '../../types/environment';
import type { EventBody, RunEvent } from '../../types/run-event';

/** Warnings that one run keeps; what is beyond is the same trouble again. */
const MOST_WARNINGS = 100;

/** Where a run inside another stands. */
interface Origin {
  readonly path: readonly PathStep[];
  /** Keeps its warnings in the run around it as well. */
  readonly note: (text: string) => void;
}

/** Puts the header on each event of a run and hands it, without secrets, to whoever listens; with nobody there it does nothing. */
export class Emitter {
  /** The model request that is being made or carried out, from 1. */
  turn = 0;
  readonly warnings: string[] = [];
  private seq = 0;
  private deltas: DeltaRedactor | undefined;

  constructor(
    public runId: string,
    private readonly environment: Environment,
    private readonly stream: { push(event: RunEvent): void } | undefined,
    private readonly onEvent: ((event: RunEvent) => unknown) | undefined,
    private readonly origin?: Origin,
  ) {}

  /** The emitter of a run inside this one: its events come with the way to it, its warnings with its name. */
  inside(runId: string, name: string, step: PathStep): Emitter {
    const path = [...(this.origin?.path ?? []), step];
    const stream = this.listening ? { push: (event: RunEvent) => this.pass(event) } : undefined;
    return new Emitter(runId, this.environment, stream, undefined, { path, note: (text) => void this.note(`${name}: ${text}`) });
  }

  /** Goes on where the run was interrupted: its events count on. */
  restore({ runId, turn, seq, warnings }: { runId: string; turn: number; seq: number; warnings: readonly string[] }): void {
    this.runId = runId;
    this.turn = turn;
    this.seq = seq;
    this.warnings.push(...warnings);
  }

  /** Events so far. */
  get count(): number {
    return this.seq;
  }

  get listening(): boolean {
    return this.stream !== undefined || this.onEvent !== undefined;
  }

  /** A method that may be handed on alone. */
  readonly emit = (body: EventBody): void => {
    // Said once: a warning that comes with each turn would bury the others.
    if (body.type === 'warning' && !this.note(body.text)) return;
    if (!this.listening) return;
    if (body.type === 'model.delta') return this.sendDelta(body);
    if (body.type === 'model.end' || body.type === 'run.end' || body.type === 'turn.start') this.sendRest();
    this.send(redact(body));
  };

  /** A secret may come in two pieces: what could be the beginning of one waits for what follows. */
  private sendDelta(body: EventBody & { readonly type: 'model.delta' }): void {
    this.deltas ??= new DeltaRedactor();
    const text = this.deltas.take(`${body.kind} ${body.index ?? ''}`, body.text);
    if (text !== '') this.send(text === body.text ? body : { ...body, text });
  }

  private sendRest(): void {
    for (const [stream, text] of this.deltas?.flush() ?? []) {
      const [kind, index] = stream.split(' ') as ['text' | 'reasoning' | 'arguments', string];
      this.send({ type: 'model.delta', kind, text, ...(index !== '' && { index: Number(index) }) });
    }
  }

  private send(body: EventBody): void {
    const event: RunEvent = { runId: this.runId, turn: this.turn, seq: this.seq++, at: this.environment.now(), ...body };
    this.pass(this.origin === undefined ? event : { ...event, path: this.origin.path, parentCallId: this.origin.path.at(-1)!.callId });
  }

  /** Hands on an event that has its header already. */
  pass(event: RunEvent): void {
    this.stream?.push(event);
    if (this.onEvent !== undefined) this.tell(this.onEvent, event);
  }

  /** Keeps warnings that are told of already. */
  remember(warnings: readonly string[]): void {
    for (const text of warnings) this.note(text);
  }

  warn(text: string): void {
    this.emit({ type: 'warning', text });
  }

  /** Keeps a warning, and says whether it is new. */
  private note(said: string): boolean {
    const text = redactText(said);
    if (this.warnings.includes(text)) return false;
    if (this.warnings.length < MOST_WARNINGS) this.warnings.push(text);
    this.origin?.note(text);
    return true;
  }

  // What a listener throws is told in the result only: an event about it would call the listener again.
  private tell(listener: (event: RunEvent) => unknown, event: RunEvent): void {
    try {
      const answer = listener(event);
      if (isThenable(answer)) answer.then(undefined, (error: unknown) => void this.note(`onEvent failed: ${errorText(error)}`));
    } catch (error) {
      this.note(`onEvent failed: ${errorText(error)}`);
    }
  }
}
