import type { Message } from '../../types/message';

/** What a compaction decides from. */
export interface CompactionView {
  readonly session: string;
  /** What stands for messages that were dropped before; these are never part of `messages`. */
  readonly summaries: readonly string[];
  /** What is shown in full. */
  readonly messages: readonly Message[];
  /** An estimate of what the model would be shown, in tokens. */
  readonly tokens: number;
  /** Aborts when nobody waits any more: with the run, or after 300 000 ms. */
  readonly signal: AbortSignal;
}

/** Drops the first so many messages; the summary stands for them. */
export interface CompactionDecision {
  readonly drop: number;
  readonly summary: string;
}

/**
 * Looks at a session before a run goes on in it, within 300 000 ms. A call and its results stay together whatever it says, and what was dropped stays in the
 * store.
 */
export type Compaction = (view: CompactionView) => CompactionDecision | undefined | Promise<CompactionDecision | undefined>;

/** UTF-16 code units that are taken for one token. */
const CHARS_PER_TOKEN = 4;

/** What messages may cost, roughly: nobody but the provider can count. */
export function estimateTokens(messages: readonly Message[]): number {
  let chars = 0;
  for (const message of messages) chars += JSON.stringify(message).length;
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
