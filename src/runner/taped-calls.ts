import type { InsideRun } from '../invocation/batch-progress';
import { FatalToolError } from '../errors/tool-error';
import { errorText } from '../errors/error-facts';
import type { CallResult, RequestedCall } from '../invocation/call';
import { asData } from '../invocation/result-data';
import type { PendingCall } from '../types/pending-call';
import type { Usage } from '../types/usage';
import type { ActiveRun } from './active-run';
import type { Refusal } from './loop/run-effect';
import type { TurnScope } from './turn-scope';

/** What came of the calls of a turn, as plain data. */
interface RecordedCalls {
  readonly results: readonly CallResult[];
  /** What a `FatalToolError` said, by the place of its call. */
  readonly fatal: readonly (string | null)[];
  readonly waiting: readonly PendingCall[];
  readonly inside?: readonly InsideRun[];
  /** What runs inside this one consumed. */
  readonly delegated?: Usage;
}

/** Carries the calls of a turn out, or reads what came of them. */
export async function tapedCalls(
  run: ActiveRun,
  scope: TurnScope,
  calls: readonly RequestedCall[],
  refusal: Refusal | undefined,
  perform: () => Promise<readonly CallResult[]>,
): Promise<readonly CallResult[]> {
  const { tape, taint } = run.setup;
  if (tape === undefined) return perform();
  let results: readonly CallResult[] | undefined;
  const recorded = await tape.step<RecordedCalls>(
    'calls',
    () => ({ calls, refusal }),
    async () => {
      results = await perform();
      return {
        results: results.map(asData),
        fatal: results.map(({ fatal }) => (fatal === undefined ? null : errorText(fatal))),
        waiting: scope.waiting,
        ...(scope.inside.length > 0 && { inside: scope.inside }),
        ...(run.ledger !== undefined && { delegated: run.ledger.untold }),
      };
    },
  );
  if (results !== undefined) return results;
  scope.waiting = recorded.waiting;
  if (recorded.inside !== undefined) scope.inside = recorded.inside;
  if (recorded.delegated !== undefined) run.books().restore(recorded.delegated);
  // Its event was told with the others.
  if (!taint.present && recorded.results.some(({ message }) => message.trust === 'untrusted')) taint.restore();
  return recorded.results.map((result, at) => {
    const fatal = recorded.fatal[at];
    return typeof fatal === 'string' ? { ...result, fatal: new FatalToolError(fatal) } : result;
  });
}
