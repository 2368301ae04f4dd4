import type { ActiveRun } from './active-run';
import { advance, type Step } from './loop/advance';
import type { RunOutcome } from './loop/run-outcome';

/**
 * The next step of a run. What the runs around it leave for it is read, and what the step will take of that is put aside, in one moment:
 * runs side by side must not count on the same rest.
 */
export function decide(run: ActiveRun, outcome: RunOutcome): Step {
  const { ledger } = run;
  if (ledger === undefined) return advance(run.state, outcome);
  const caps = ledger.caps();
  const step = advance(run.state, caps === undefined ? outcome : { ...outcome, caps });
  const { state, effect } = step;
  if (effect.kind === 'ask') ledger.putAside(state.lastRequest);
  else ledger.putAside({ toolCalls: effect.kind === 'batch' && effect.refusal === undefined ? (state.pending?.calls.length ?? 0) : 0 });
  return step;
}
