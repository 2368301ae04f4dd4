import { errorText } from '../../errors/error-facts';
import { SessionError } from '../../errors/session-error';
import { isToolwrightError } from '../../errors/toolwright-error';
import type { BegunCall } from '../../invocation/batch-progress';
import type { CallResult } from '../../invocation/call';
import { asData } from '../../invocation/result-data';
import { toPlain } from '../../invocation/plain-value';
import type { ToolCallRecord } from '../../types/run-result';
import type { State } from '../../types/state-operation';
import type { SessionEntry, SessionLock, SessionStore } from '../../types/session';
import type { Journal } from './journal';
import type { RunPoint } from './run-document';
import type { LogEntry } from './session-log';
import type { Transcript } from '../conversation/transcript';

/** Writes a run down in its session as it goes: before anything is done, that it will be; as soon as a call has a result, the result. */
export class RunJournal implements Journal {
  private messages: number;
  private records: number;

  /** @param written how many messages and records of the run the log has already */
  constructor(
    private readonly store: Pick<SessionStore, 'append'>,
    private readonly lock: SessionLock,
    written: { readonly messages: number; readonly records: number },
  ) {
    this.messages = written.messages;
    this.records = written.records;
  }

  async checkpoint(point: RunPoint, transcript: Transcript, all: readonly ToolCallRecord[]): Promise<void> {
    const messages = transcript.since(this.messages);
    const records = all.slice(this.records);
    await this.write({ kind: 'point', v: 1, run: point, messages, records });
    this.messages += messages.length;
    this.records += records.length;
  }

  begin(call: BegunCall): Promise<void> {
    return this.write({ kind: 'begin', v: 1, call });
  }

  settled(result: CallResult): Promise<void> {
    return this.write({ kind: 'result', v: 1, result: asData(result) });
  }

  async end(runId: string, transcript: Transcript, memory: State): Promise<void> {
    const messages = transcript.since(this.messages);
    await this.write({ kind: 'end', v: 1, runId, messages, state: memory });
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
export function plainEntry(entry: LogEntry): SessionEntry {
  try {
    return JSON.parse(JSON.stringify(entry)) as SessionEntry;
  } catch {
    return toPlain(entry) as SessionEntry;
  }
}
