import { isRecord, shown } from '../errors/option-check';
import type { Message } from '../types/message';
import { errorText } from './emitter';
import type { OpenSession } from './open-session';
import { shownMessages, type SessionView } from './session-log';

/** What a compaction decides from. */
export interface CompactionView {
  readonly session: string;
  /** What stands for messages that were dropped before; these are never part of `messages`. */
  readonly summaries: readonly string[];
  /** What is shown in full. */
  readonly messages: readonly Message[];
  /** An estimate of what the model would be shown, in tokens. */
  readonly tokens: number;
}

/** Drops the first so many messages; the summary stands for them. */
export interface CompactionDecision {
  readonly drop: number;
  readonly summary: string;
}

/**
 * Looks at a session before a run goes on in it. A call and its results stay together whatever it says, and what was dropped stays in the
 * store.
 */
export type Compaction = (view: CompactionView) => CompactionDecision | undefined | Promise<CompactionDecision | undefined>;

/** The session after its compaction, which is written down. One that fails leaves it as it was, with a warning. */
export async function compacted(session: OpenSession, compaction: Compaction, warn: (text: string) => void): Promise<SessionView> {
  const { id, store, lock, view } = session;
  const messages = view.all.slice(view.dropped);
  let decision: CompactionDecision | undefined;
  try {
    decision = await compaction({ session: id, summaries: view.summaries, messages, tokens: estimateTokens(shownMessages(view)) });
    if (decision === undefined) return view;
    if (!isRecord(decision) || !Number.isInteger(decision.drop) || typeof decision.summary !== 'string')
      throw new Error(`it must give nothing, or { drop, summary }, not ${shown(decision)}`);
  } catch (error) {
    warn(`The compaction of the session failed, so it stays as it is: ${errorText(error)}`);
    return view;
  }
  const drop = turnBorder(messages, decision.drop);
  if (drop <= 0) return view;
  const { summary } = decision;
  await store.append(lock, [{ kind: 'compact', v: 1, drop, summary }]);
  return { ...view, dropped: view.dropped + drop, summaries: [...view.summaries, summary] };
}

/** The last place up to the wanted one where what a person said begins: no call is cut from its results, no answer from its question. */
export function turnBorder(messages: readonly Message[], wanted: number): number {
  for (let at = Math.min(wanted, messages.length); at > 0; at--) if (at === messages.length || messages[at]?.role === 'user') return at;
  return 0;
}

/** UTF-16 code units that are taken for one token. */
const CHARS_PER_TOKEN = 4;

/** What messages may cost, roughly: nobody but the provider can count. */
export function estimateTokens(messages: readonly Message[]): number {
  let chars = 0;
  for (const message of messages) chars += JSON.stringify(message).length;
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
