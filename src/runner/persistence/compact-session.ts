import { errorText } from '../../errors/error-facts';
import { isRecord, shown } from '../../errors/option-check';
import type { Message } from '../../types/message';
import { estimateTokens, type Compaction, type CompactionDecision } from './compaction';
import { HostTime } from '../signals/host-time';
import { Interruption } from '../signals/interruption';
import { shownMessages, type OpenSession, type SessionView } from './session-log';

/** The session after its compaction, which is written down. One that fails leaves it as it was, with a warning. */
export async function compacted(
  session: OpenSession,
  compaction: Compaction,
  interruption: Interruption,
  warn: (text: string) => void,
): Promise<SessionView> {
  const { id, store, lock, view } = session;
  const messages = view.all.slice(view.dropped);
  let decision: CompactionDecision | undefined;
  const host = new HostTime(interruption, () => Infinity);
  const overdue = new Interruption(interruption);
  try {
    const { signal } = overdue;
    const tokens = estimateTokens(shownMessages(view));
    decision = await host.wait(compaction({ session: id, summaries: view.summaries, messages, tokens, signal }));
    if (decision === undefined) return view;
    if (!isRecord(decision) || !Number.isInteger(decision.drop) || typeof decision.summary !== 'string')
      throw new Error(`it must give nothing, or { drop, summary }, not ${shown(decision)}`);
  } catch (error) {
    overdue.abort(error);
    if (interruption.aborted) throw interruption.reason;
    warn(`The compaction of the session failed, so it stays as it is: ${errorText(error)}`);
    return view;
  } finally {
    overdue.release();
  }
  const drop = turnBorder(messages, decision.drop);
  if (drop <= 0) return view;
  const { summary } = decision;
  await store.append(lock, [{ kind: 'compact', v: 1, drop, summary }]);
  return { ...view, dropped: view.dropped + drop, summaries: [...view.summaries, summary] };
}

/** The last place up to the wanted one where what a person said begins: no call is cut from its results, no answer from its question. */
function turnBorder(messages: readonly Message[], wanted: number): number {
  for (let at = Math.min(wanted, messages.length); at > 0; at--) if (at === messages.length || messages[at]?.role === 'user') return at;
  return 0;
}
