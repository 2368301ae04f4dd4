import { errorText } from '../errors/error-facts';
import type { BatchProgress } from '../invocation/batch-progress';
import type { CallResult } from '../invocation/call';
import { asData } from '../invocation/result-data';
import type { ActiveRun } from './active-run';
import { limitTime } from './signals/deadline';
import { contractsOf } from './persistence/frozen-contract';
import { afterHandover } from './hand-over';
import { Interruption } from './signals/interruption';
import type { Effect } from './loop/run-effect';
import type { RunOutcome } from './loop/run-outcome';
import type { PendingTurn } from './loop/run-state';
import { tapedCalls } from './taped-calls';
import { textOf } from './conversation/transcript';
import { applyUpdates, countCalls, settleTurn } from './turn-batch';
import { TurnScope } from './turn-scope';

/** Gives each call of the turn its result; then the turn is whole and enters the transcript. */
export async function carryOut(
  run: ActiveRun,
  turn: PendingTurn,
  effect: Extract<Effect, { readonly kind: 'batch' }>,
): Promise<RunOutcome> {
  const { setup, state } = run;
  const { agent, environment } = setup;
  const cut = new Interruption(setup.interruption);
  const stopClock = limitTime(cut, setup.limits, false, { environment, startedAt: run.startedAt });
  try {
    const scope = new TurnScope(run, cut);
    const how = { parallel: agent.parallelToolCalls, maxConcurrency: agent.maxConcurrency };
    const settled = await settleTurn(turn, run.attempts, effect.refusal, scope, how, (calls, perform) =>
      tapedCalls(run, scope, calls, effect.refusal, perform),
    );
    if (settled.messages === undefined)
      return {
        kind: 'waiting',
        progress: progressOf(run, turn, settled.results, scope),
        ...(run.ledger !== undefined && { delegated: run.ledger.take() }),
        ...run.now(),
      };
    const { results, taken } = settled;
    run.transcript.append(...settled.messages);
    run.fatal = results.find((result) => result.fatal !== undefined)?.fatal;
    takeAnswer(run, results, taken);
    const memory = updatedMemory(run, results);
    const handoff = await afterHandover(run, results).catch((error: unknown) => void (run.failed = { error }));
    return {
      kind: 'settled',
      calls: settled.settled,
      memory,
      tallies: countCalls(state, results),
      ...(run.ledger !== undefined && { delegated: run.ledger.take() }),
      ...(handoff !== undefined && { handoff }),
      output: taken !== undefined ? 'taken' : settled.refusedOutput ? 'refused' : 'none',
      fatal: run.fatal === undefined ? undefined : errorText(run.fatal),
      ...run.now(),
    };
  } finally {
    stopClock();
    cut.release();
  }
}

/** How far a turn came of which some calls wait. */
function progressOf(run: ActiveRun, turn: PendingTurn, results: readonly CallResult[], { waiting, inside }: TurnScope): BatchProgress {
  const contracts = contractsOf(turn, run.setup.agent.tools);
  return { results: results.map(asData), waiting, answers: [], begun: [], ...(inside.length > 0 && { inside }), contracts };
}

function takeAnswer(run: ActiveRun, results: readonly CallResult[], taken: { source: string; value: unknown } | undefined): void {
  for (const result of results) run.records.push(result.record);
  run.pager?.keep(results);
  if (taken !== undefined) {
    run.text = taken.source;
    run.output = { value: taken.value };
  } else if (results.length > 0 && results.every((result) => result.direct)) {
    run.text = results.map((result) => textOf(result.message.parts)).join('\n');
  }
}

function updatedMemory(run: ActiveRun, results: readonly CallResult[]): ActiveRun['state']['memory'] {
  const operations = results.flatMap((result) => result.operations);
  if (operations.length === 0) return run.state.memory;
  const memory = applyUpdates(run.state.memory, results, run.warn);
  run.setup.emitter.emit({ type: 'state.update', operations });
  return memory;
}
