import { ReplayError } from '../../errors/replay-error';
import { shown } from '../../errors/option-check';
import type { Environment } from '../../types/environment';
import type { EventBody, RunEvent } from '../../types/run-event';
import type { ErrorFacts } from '../../types/run-result';
import type { AnswerPiece, RecordedStep, RunRecord } from '../../types/run-record';
import { asJson, errorFrom, firstDifference } from './recorded-data';
import type { Tape, TapedRun } from './tape';

/** Where a replay leaves its record: at the step of this number, whose outcome is another; what follows happens. */
export interface Branching {
  readonly at: number;
  readonly outcome: unknown;
  readonly real: Environment;
}

/** Reads what came of each step from a record, and compares what is asked. */
export class Replayer implements Tape {
  readonly environment: Environment;
  private next = 0;
  private nextId = 0;
  private clock: number;
  /** Set once the record is left: what the real clock has to be moved by. */
  private ahead: number | undefined;
  private setup: TapedRun | undefined;

  constructor(
    private readonly record: RunRecord,
    private readonly branching?: Branching,
  ) {
    this.clock = record.start.at;
    this.environment = {
      now: () => (this.ahead === undefined ? this.clock : this.real.now() + this.ahead),
      id: (kind) => (this.ahead === undefined ? this.recordedId(kind) : this.real.id(kind)),
      random: () => (this.ahead === undefined ? 0.5 : this.real.random()),
      sleep: (ms, signal, why) => (this.ahead === undefined ? never(signal) : this.real.sleep(ms, signal, why)),
    };
  }

  begin(setup: TapedRun): void {
    this.setup = setup;
    this.abortIfDue();
  }

  /** Sees every event of the run. */
  push(): void {
    this.abortIfDue();
  }

  async step<T>(name: string, about: () => unknown, perform: () => Promise<T>, tell?: (piece: AnswerPiece) => void): Promise<T> {
    if (this.ahead !== undefined) return perform();
    const at = this.next++;
    const step = this.record.steps[at];
    if (step === undefined)
      throw new ReplayError(`The run goes on after its record ends: \`${name}\` is asked for, as step ${at + 1}.`, { step: at + 1, name });
    compare(step, { name, about: asJson(about()) }, at);
    if (this.branching?.at === at) return this.leave(this.branching) as T;
    this.clock = step.from;
    this.retell(step);
    for (const { at: moment, ...piece } of step.pieces ?? []) {
      this.clock = moment;
      tell?.(piece);
    }
    this.clock = step.to;
    const outcome = this.outcomeOf(step) as T;
    this.abortIfDue();
    return outcome;
  }

  end(): void {
    // Nothing was written.
  }

  piece(piece: AnswerPiece, tell: (piece: AnswerPiece) => void): void {
    tell(piece);
  }

  /** An abort that came between two steps comes at the same place. */
  private abortIfDue(): void {
    const { aborted } = this.record;
    if (aborted === undefined || this.setup === undefined || this.ahead !== undefined) return;
    const { emitter, interruption } = this.setup;
    if (aborted.steps === this.next && aborted.events === emitter.count) interruption.abort(reasonFrom(aborted.reason));
  }

  private get real(): Environment {
    return (this.branching as Branching).real;
  }

  private leave({ outcome, real }: Branching): unknown {
    this.ahead = this.clock - real.now();
    return outcome;
  }

  private retell({ events, warnings = [] }: RecordedStep): void {
    const { emitter } = this.setup as TapedRun;
    for (const event of events) {
      this.clock = event.at;
      if (event.path !== undefined || event.runId !== this.record.runId) {
        emitter.pass(event);
        continue;
      }
      emitter.emit(bodyOf(event));
    }
    emitter.remember(warnings);
  }

  private outcomeOf({ outcome, error, aborted }: RecordedStep): unknown {
    const { interruption } = this.setup as TapedRun;
    if (aborted !== undefined) interruption.abort(reasonFrom(aborted));
    if (error !== undefined) throw aborted === undefined ? errorFrom(error) : interruption.reason;
    return outcome;
  }

  private recordedId(kind: string): string {
    const [was, id] = this.record.ids[this.nextId++] ?? [];
    if (id === undefined || was !== kind)
      throw new ReplayError(`The run asks for an id (${kind}) that its record does not have at this place.`, { kind });
    return id;
  }
}

/** An event without its header. */
function bodyOf({ runId: _runId, turn: _turn, seq: _seq, at: _at, ...body }: RunEvent): EventBody {
  return body;
}

function reasonFrom({ name, message }: ErrorFacts): Error {
  if (name === 'AbortError' || name === 'TimeoutError') return new DOMException(message, name);
  return Object.assign(new Error(message), { name });
}

function compare(step: RecordedStep, asked: { readonly name: string; readonly about: unknown }, at: number): void {
  const where = `step ${at + 1} (${step.name})`;
  if (step.name !== asked.name)
    throw new ReplayError(`The run and its record part at ${where}: now \`${asked.name}\` is asked for.`, {
      step: at + 1,
      recorded: step.name,
      now: asked.name,
    });
  const difference = firstDifference(step.about, asked.about);
  if (difference === undefined) return;
  const { path, recorded, now } = difference;
  throw new ReplayError(`The run and its record part at ${where}: \`${path}\` was ${brief(recorded)}, and is ${brief(now)} now.`, {
    step: at + 1,
    name: step.name,
    path,
    recorded,
    now,
  });
}

function brief(value: unknown): string {
  if (value === undefined) return 'not there';
  const text = JSON.stringify(value) ?? shown(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function never(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason as Error);
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
