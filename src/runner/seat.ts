import { redactError } from '../trust/redaction';
import { Taint } from '../trust/taint';
import type { RunResult } from '../types/run-result';
import { errorFacts } from '../errors/error-facts';
import type { Around } from './around';
import type { Emitter } from './signals/emitter';
import { Inbox } from './conversation/inbox';
import type { Interruption } from './signals/interruption';
import type { Tape } from './recording/tape';
import { usageOf } from './run-failure';

/** What belongs to one run before anything of it is known. */
export interface RunSeat {
  readonly runId: string;
  readonly emitter: Emitter;
  readonly interruption: Interruption;
  readonly inbox: Inbox;
  readonly taint: Taint;
  /** Set for a run that is carried out for a call of another. */
  readonly around?: Around;
  /** Set for a run that is recorded or replayed. */
  readonly tape?: Tape;
}

/** The seat of a run that has not begun. */
export function seatFor(runId: string, emitter: Emitter, interruption: Interruption): RunSeat {
  const taint = new Taint((present, from) => emitter.emit({ type: 'taint', present, ...(from !== undefined && { from }) }));
  return { runId, emitter, interruption, inbox: new Inbox(), taint };
}

/** Tells how a run ended, as its last event. */
export async function tellingEnd(emitter: Emitter, run: () => Promise<RunResult<unknown>>): Promise<RunResult<unknown>> {
  try {
    const result = await run();
    emitter.emit({ type: 'run.end', stopReason: result.stopReason, usage: result.usage });
    return result;
  } catch (error) {
    emitter.emit({ type: 'run.end', error: errorFacts(error), usage: usageOf(error) });
    throw redactError(error);
  }
}
