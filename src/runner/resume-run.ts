import { isRecord, shown } from '../errors/option-check';
import { DecisionError, SessionError, SnapshotError, type DecisionFault } from '../errors/session-error';
import { UsageError } from '../errors/usage-error';
import type { RunFacts, RunResult } from '../types/run-result';
import type { Decision } from '../types/decision';
import { fittingDecisions, type FittingDecision } from './persistence/decisions';
import { drive } from './driver';
import { openSession, takenUnlessCutOff, type ResumeSource } from './persistence/open-session';
import { giveFree } from './persistence/patient-store';
import { NO_USAGE } from '../types/usage';
import type { OpenSession } from './persistence/session-log';
import { preparedFor, setupFor, follow, type RunnerParts } from './start-run';
import type { Journal } from './persistence/journal';
import { abortedError } from './run-failure';
import { RunJournal } from './persistence/run-journal';
import type { RestoredRun, RunDocument } from './persistence/run-document';
import { checkResumeOptions } from './run-options-reader';
import { RunView } from './run-setup';
import type { RunSeat } from './seat';
import { decodeSnapshot } from './persistence/snapshot';

/**
 * Goes on with a run that paused, or that was cut off with its process.
 * @throws SnapshotError, DecisionError, SessionError, UsageError before anything is run
 */
export async function resumeRun(
  parts: RunnerParts,
  seat: RunSeat,
  ref: unknown,
  source: ResumeSource,
  asked: object | undefined,
): Promise<RunResult<unknown>> {
  const options = checkResumeOptions(asked);
  const unfollow = follow(options.signal, seat.interruption);
  let found: Found | undefined;
  try {
    found = await takenUnlessCutOff(find(parts, source), ({ session }) => session, seat.interruption);
    const { document } = found;
    const ownSeat = { ...seat, runId: document.runId };
    seat.emitter.runId = document.runId;
    const fitting = fittingDecisions(options.decisions ?? [], document.state, parts.environment.now());
    const metadata = options.metadata ?? document.metadata ?? {};
    const context = new RunView(document.runId, options.deps, metadata, {
      state: () => document.state.memory,
      messages: () => document.messages,
    });
    if (document.effect.kind === 'wait' && fitting.length === 0)
      throw new UsageError('The run waits, and nothing was decided: give `decisions` for one or more of the calls in `result.pending`.');
    await seat.interruption.race(authorize(parts, fitting, context));
    // What the run has spent counts on, within its own limits, unless others are given now.
    const within = { ...options, limits: { ...document.state.terms.limits, ...options.limits } };
    const prepared = await preparedFor(parts, ownSeat, ref, within, context);
    if (prepared.name !== document.agent)
      throw new SnapshotError('other', `The run is one of the agent ${document.agent}, and ${prepared.name} cannot go on with it.`);
    if (seat.interruption.aborted) throw seat.interruption.reason;
    claim(parts, found);
    const restored: RestoredRun = {
      document,
      from: found.session === undefined ? 'snapshot' : 'session',
      answers: fitting.map(({ call, answer }) => [call.callId, answer]),
    };
    const given = { history: [], input: [], memory: document.state.memory, metadata };
    return await drive({ ...setupFor(parts, ownSeat, prepared, within, given), restored, ...journalOf(found.session, document) });
  } catch (error) {
    // Aborted before the driver took over: the run waits as before, and the snapshot is not used up.
    const { interruption } = seat;
    if (interruption.aborted && error === interruption.reason)
      throw abortedError(error, found === undefined ? nothingKnown(seat) : factsOf(found.document));
    throw error;
  } finally {
    unfollow();
    if (found?.session !== undefined) await giveFree(found.session.lock);
  }
}

/** Of a run that was not found before the abort. */
function nothingKnown({ runId, emitter }: RunSeat): RunFacts {
  const warnings = emitter.warnings.slice();
  return { runId, text: '', messages: [], newMessages: [], usage: NO_USAGE, state: {}, toolCalls: [], warnings };
}

/** What a run had done when it was interrupted, calls of the turn that waits included. */
function factsOf({ runId, agent, messages, start, state, records, warnings }: RunDocument): RunFacts {
  const done = state.pending?.progress?.results ?? [];
  return {
    runId,
    agent,
    text: '',
    messages,
    newMessages: messages.slice(start),
    usage: state.usage,
    state: state.memory,
    toolCalls: [...records, ...done.map(({ record }) => record)],
    warnings,
  };
}

interface Found {
  readonly document: RunDocument;
  /** What a snapshot without a session is known by. */
  readonly digest: string | undefined;
  readonly session: OpenSession | undefined;
}

async function find(parts: RunnerParts, source: ResumeSource): Promise<Found> {
  if (typeof source === 'string') {
    const { document, digest } = await decodeSnapshot(source, parts.snapshotCodec);
    if (document.session === undefined) return { document, digest, session: undefined };
    const found = await findInSession(parts, document.session);
    const { document: open } = found;
    if (open.runId === document.runId && open.pauses === document.pauses && open.effect.kind === 'wait') return found;
    if (found.session !== undefined) await giveFree(found.session.lock);
    throw used();
  }
  if (isRecord(source) && Object.keys(source).length === 1) return findInSession(parts, source.session);
  throw new UsageError(`A run is resumed from a snapshot, or from { session: 'id' }; got ${shown(source)}.`);
}

async function findInSession(parts: RunnerParts, id: string): Promise<Found> {
  const session = await openSession(parts.sessions, id);
  const document = session.view.open;
  if (document !== undefined) return { document, digest: undefined, session };
  await giveFree(session.lock);
  throw new SessionError(
    `No run in the session ${JSON.stringify(id)} waits or was cut off: the last one ended. Go on with \`run(…, { session })\`.`,
  );
}

/** Asks the host whether each decision may be taken; whoever decides, the host answers for it. */
async function authorize(parts: RunnerParts, fitting: readonly FittingDecision[], context: RunView): Promise<void> {
  const { authorizeDecision } = parts;
  if (authorizeDecision === undefined) return;
  const faults: DecisionFault[] = [];
  for (const { call, answer } of fitting) {
    const { callId, name, digest } = call;
    const decision: Decision = { callId, name, digest, ...answer };
    let verdict: unknown;
    try {
      verdict = await authorizeDecision({ decision, call }, context);
    } catch {
      // A check that fails allows nothing.
      verdict = false;
    }
    if (verdict !== true) faults.push({ callId, problem: `\`authorizeDecision\` did not allow the decision about the call ${callId}.` });
  }
  if (faults.length > 0) throw new DecisionError(faults);
}

/** A snapshot is good for one resume: within this runner, or wherever its session is known. */
function claim({ claimed }: RunnerParts, { digest }: Found): void {
  if (digest === undefined) return;
  if (claimed.has(digest)) throw used();
  claimed.add(digest);
  const [oldest] = claimed;
  if (claimed.size > MOST_CLAIMED && oldest !== undefined) claimed.delete(oldest);
}

const MOST_CLAIMED = 100_000;

function used(): SnapshotError {
  return new SnapshotError(
    'used',
    'The snapshot was resumed already: its run went on, and is not where the snapshot says any more. Nothing was run.',
  );
}

function journalOf(session: OpenSession | undefined, document: RunDocument): { journal?: Journal; session?: string } {
  if (session === undefined) return {};
  const { store, lock, id } = session;
  return { session: id, journal: new RunJournal(store, lock, { messages: document.messages.length, records: document.records.length }) };
}
