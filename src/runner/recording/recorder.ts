import { errorFacts, errorText } from '../../errors/error-facts';
import type { Environment } from '../../types/environment';
import type { RunEvent } from '../../types/run-event';
import type { AnswerPiece, RecordedStep, RunRecord } from '../../types/run-record';
import { asJson, recordedError } from './recorded-data';
import type { Tape, TapedRun } from './tape';

type Open = { -readonly [K in keyof RecordedStep]: RecordedStep[K] } & {
  readonly events: RunEvent[];
  pieces?: (AnswerPiece & { readonly at: number })[];
  /** Warnings that there were when it began. */
  readonly before: number;
};

/** Options of a run that can be given again from a record. */
const PLAIN_OPTIONS = ['limits', 'modelSettings', 'instructions'];

/** Writes a run down while it happens. */
export class Recorder implements Tape {
  readonly environment: Environment;
  private readonly steps: RecordedStep[] = [];
  private readonly ids: [string, string][] = [];
  private open: Open | undefined;
  private clock: number;
  private moment: number | undefined;
  private head: Omit<RunRecord, 'steps' | 'ids' | 'aborted'> | undefined;
  private aborted: RunRecord['aborted'];
  private setup: TapedRun | undefined;

  /** @param deliver is given the record, once, when the run is over */
  constructor(
    private readonly real: Environment,
    private readonly deliver: (record: RunRecord) => void,
  ) {
    this.clock = real.now();
    this.environment = {
      now: () => this.moment ?? (this.open === undefined ? this.clock : real.now()),
      id: (kind) => this.note(kind, real.id(kind)),
      random: () => real.random(),
      sleep: (ms, signal, why) => real.sleep(ms, signal, why),
    };
  }

  /** Sees every event of the run. */
  push(event: RunEvent): void {
    // The pieces of an answer are noted as the model gave them.
    if (event.type !== 'model.delta' || event.path !== undefined) this.open?.events.push(event);
  }

  begin(setup: TapedRun, options: object): void {
    const { runId, agent, model, input, history, memory, metadata, emitter, interruption } = setup;
    const given = Object.entries(options).filter(([name, value]) => PLAIN_OPTIONS.includes(name) && typeof value !== 'function');
    const start = { at: this.clock, input, history, state: memory, metadata, options: Object.fromEntries(given) };
    const { name, capabilities } = model;
    this.setup = setup;
    this.head = asJson({ v: 1, runId, agent: agent.name, model: name, capabilities, start }) as typeof this.head;
    interruption.onAbort((reason) => {
      if (this.open === undefined) this.aborted = { steps: this.steps.length, events: emitter.count, reason: errorFacts(reason) };
    });
  }

  async step<T>(name: string, about: () => unknown, perform: () => Promise<T>): Promise<T> {
    this.leave();
    const { emitter } = this.setup as TapedRun;
    const open: Open = { name, about: asJson(about()), from: this.real.now(), to: 0, events: [], before: emitter.warnings.length };
    this.open = open;
    try {
      const value = await perform();
      open.outcome = asJson(value);
      return value;
    } catch (error) {
      open.error = recordedError(error);
      throw error;
    } finally {
      this.close(open);
    }
  }

  /** A step that nobody waited for any more has failed. */
  private leave(): void {
    const { open } = this;
    if (open === undefined) return;
    open.error = recordedError(new Error('It did not answer in time.'));
    this.close(open);
  }

  private close(closing: Open): void {
    if (this.open !== closing) return;
    const { emitter, interruption } = this.setup as TapedRun;
    const { before, ...open } = closing;
    open.to = this.clock = this.real.now();
    if (interruption.aborted) open.aborted = errorFacts(interruption.reason);
    if (emitter.warnings.length > before) open.warnings = emitter.warnings.slice(before);
    this.open = undefined;
    this.steps.push({ ...open, events: asJson(open.events) as RunEvent[] });
  }

  piece(piece: AnswerPiece, tell: (piece: AnswerPiece) => void): void {
    this.moment = this.real.now();
    if (this.open !== undefined) (this.open.pieces ??= []).push({ ...piece, at: this.moment });
    tell(piece);
    this.moment = undefined;
  }

  end(): void {
    if (this.head === undefined) return;
    this.leave();
    try {
      this.deliver({ ...this.head, steps: this.steps, ids: this.ids, ...(this.aborted && { aborted: this.aborted }) });
    } catch (error) {
      this.setup?.emitter.warn(`What takes the record failed: ${errorText(error)}`);
    }
  }

  private note(kind: 'run' | 'call' | 'marker', id: string): string {
    if (this.open === undefined) this.ids.push([kind, id]);
    return id;
  }
}
