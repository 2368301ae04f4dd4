import { SessionError } from '../../errors/session-error';
import type { BatchProgress, BegunCall } from '../../invocation/batch-progress';
import type { CallResult } from '../../invocation/call';
import type { Message } from '../../types/message';
import type { Trust } from '../../types/outcome';
import type { ToolCallRecord } from '../../types/run-result';
import type { SessionEntry, SessionLock, SessionStore } from '../../types/session';
import type { State } from '../../types/state-operation';
import { NO_PROGRESS, type RunDocument, type RunPoint } from './run-document';
import { checkMessages, userText } from '../conversation/transcript';

/** What the runner writes into a session's log. */
export type LogEntry =
  /** A run stands at this point; the messages and records are those since the last entry. */
  | {
      readonly kind: 'point';
      readonly v: 1;
      readonly run: RunPoint;
      readonly messages: readonly Message[];
      readonly records: readonly ToolCallRecord[];
    }
  /** A call is about to be executed. */
  | { readonly kind: 'begin'; readonly v: 1; readonly call: BegunCall }
  | { readonly kind: 'result'; readonly v: 1; readonly result: CallResult }
  /** A run is over. */
  | { readonly kind: 'end'; readonly v: 1; readonly runId: string; readonly messages: readonly Message[]; readonly state: State }
  /** The first so many of the messages are not shown any more; the summary stands for them. */
  | { readonly kind: 'compact'; readonly v: 1; readonly drop: number; readonly summary: string };

/** What a session's log adds up to. */
export interface SessionView {
  /** How many entries it has. */
  readonly entries: number;
  /** Everything that was ever said. */
  readonly all: readonly Message[];
  /** How many of them are not shown any more, and what stands for them. */
  readonly dropped: number;
  readonly summaries: readonly string[];
  readonly memory: State | undefined;
  /** The run that has not ended: it waits, or its process did not live to its end. */
  readonly open: RunDocument | undefined;
}

/** A session that a run has for itself, read. */
export interface OpenSession {
  readonly id: string;
  readonly store: Pick<SessionStore, 'append' | 'save'>;
  readonly lock: SessionLock;
  readonly view: SessionView;
}

/** The messages that a next run is given: the summaries, then what was not compacted. */
export function shownMessages({ all, dropped, summaries }: SessionView): readonly Message[] {
  return dropped === 0 ? all : [...summaries.map(summaryMessage), ...all.slice(dropped)];
}

const summaryMessage = (summary: string): Message => userText(`[Summary of what was said before]\n${summary}`);

/**
 * Adds a session's log up.
 * @throws SessionError when an entry is none of this package's, or of a newer version
 */
export function readLog(entries: readonly SessionEntry[], id: string): SessionView {
  const fold = new Fold();
  for (const [at, entry] of entries.entries()) {
    const { v } = entry;
    if (typeof v === 'number' && v > 1)
      throw new SessionError(
        `The session ${JSON.stringify(id)} was written by a newer version of this package (entry ${at}). Update toolwright here.`,
      );
    try {
      fold.take(entry as unknown as LogEntry);
    } catch (cause) {
      throw new SessionError(`The session ${JSON.stringify(id)} cannot be read: entry ${at} of its log is damaged.`, { cause });
    }
  }
  return fold.view();
}

/** A log that adds up to the same, of a session whose last run has ended: without the steps that led there. */
export function condensed({ all, memory = {}, summaries, dropped }: SessionView): LogEntry[] {
  return [
    { kind: 'end', v: 1, runId: '', messages: all, state: memory },
    // Only their sum is asked for.
    ...summaries.map((summary, at): LogEntry => ({ kind: 'compact', v: 1, drop: at === 0 ? dropped : 0, summary })),
  ];
}

class Fold {
  private entries = 0;
  private readonly all: Message[] = [];
  private dropped = 0;
  private readonly summaries: string[] = [];
  private memory: State | undefined;
  private run: RunPoint | undefined;
  private records: ToolCallRecord[] = [];
  private paged: (readonly [string, string, Trust])[] = [];
  private results: CallResult[] = [];
  private begun: BegunCall[] = [];

  take(entry: LogEntry): void {
    this.entries += 1;
    switch (entry.kind) {
      case 'point':
        return this.point(entry);
      case 'begin':
        this.begun.push(entry.call);
        return;
      case 'result':
        return this.result(entry.result);
      case 'end':
        this.all.push(...checkMessages(entry.messages, 'An entry'));
        this.memory = entry.state;
        this.run = undefined;
        this.records = [];
        this.paged = [];
        return this.turnIsOver();
      case 'compact':
        this.dropped += entry.drop;
        this.summaries.push(entry.summary);
        return;
      default:
        throw new Error(`unknown entry ${String((entry as { kind?: unknown }).kind)}`);
    }
  }

  view(): SessionView {
    return { ...this.viewWithoutRun(), open: this.run === undefined ? undefined : this.document(this.run) };
  }

  private point({ run, messages, records }: Extract<LogEntry, { readonly kind: 'point' }>): void {
    this.all.push(...checkMessages(messages, 'An entry'));
    this.records.push(...records);
    this.run = run;
    this.memory = run.state.memory;
    this.turnIsOver();
  }

  private turnIsOver(): void {
    this.results = [];
    this.begun = [];
  }

  private result(result: CallResult): void {
    this.results.push(result);
    this.begun = this.begun.filter(({ callId }) => callId !== result.record.id);
    if (result.overflow !== undefined) this.paged.push([result.record.id, result.overflow, result.message.trust]);
  }

  private document(run: RunPoint): RunDocument {
    const { pending } = run.state;
    const shown = shownMessages(this.viewWithoutRun());
    // The run counts what it was shown, in which summaries stand for what was dropped.
    const document: RunDocument = { ...run, messages: shown, records: this.records, paged: this.paged };
    if (pending === undefined) return document;
    const before = pending.progress ?? NO_PROGRESS;
    const decided = new Set(this.results.map(({ record }) => record.id));
    const progress: BatchProgress = {
      ...before,
      results: [...before.results.filter(({ record }) => !decided.has(record.id)), ...this.results],
      begun: this.begun,
    };
    return { ...document, state: { ...run.state, pending: { ...pending, progress } } };
  }

  private viewWithoutRun(): SessionView {
    const { entries, all, dropped, summaries, memory } = this;
    return { entries, all, dropped, summaries, memory, open: undefined };
  }
}
