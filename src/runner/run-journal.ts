import { SessionError } from '../errors/session-error';
import { isToolwrightError } from '../errors/toolwright-error';
import type { BatchJournal, BegunCall } from '../invocation/batch-progress';
import type { CallResult } from '../invocation/call';
import { asData } from '../invocation/result-data';
import { toPlain } from '../invocation/plain-value';
import type { SessionEntry, SessionLock, SessionStore } from '../types/session';
import type { ActiveRun } from './active-run';
import { errorText } from './emitter';
import { pointOf } from './run-document';
import type { Effect } from './run-effect';
import type { LogEntry } from './session-log';

/** Writes a run down in its session as it goes: before anything is done, that it will be; as soon as a call has a result, the result. */
export class RunJournal implements BatchJournal {
  private messages: number;
  private records: number;

  /** @param written how many messages and records of the run the log has already */
  constructor(
    private readonly store: SessionStore,
    private readonly lock: SessionLock,
    written: { readonly messages: number; readonly records: number },
  ) {
    this.messages = written.messages;
    this.records = written.records;
  }

  /** The run is about to do this. */
  async checkpoint(run: ActiveRun, effect: Effect): Promise<void> {
    const messages = run.transcript.since(this.messages);
    const records = run.records.slice(this.records);
    await this.write({ kind: 'point', v: 1, run: pointOf(run, effect), messages, records });
    this.messages += messages.length;
    this.records += records.length;
  }

  begin(call: BegunCall): Promise<void> {
    return this.write({ kind: 'begin', v: 1, call });
  }

  settled(result: CallResult): Promise<void> {
    return this.write({ kind: 'result', v: 1, result: asData(result) });
  }

  /** The run is over, however it ended. */
  async end(run: ActiveRun): Promise<void> {
    const messages = run.transcript.since(this.messages);
    await this.write({ kind: 'end', v: 1, runId: run.setup.runId, messages, state: run.state.memory });
    this.messages += messages.length;
  }

  private async write(entry: LogEntry): Promise<void> {
    try {
      await this.store.append(this.lock, [plainEntry(entry)]);
    } catch (cause) {
      if (isToolwrightError(cause)) throw cause;
      throw new SessionError(
        `The session ${JSON.stringify(this.lock.id)} could not be written, so nothing more was done: ${errorText(cause)}`,
        { cause },
      );
    }
  }
}

/** An entry that JSON can say: nearly always as it is. */
function plainEntry(entry: LogEntry): SessionEntry {
  try {
    return JSON.parse(JSON.stringify(entry)) as SessionEntry;
  } catch {
    return toPlain(entry) as SessionEntry;
  }
}
