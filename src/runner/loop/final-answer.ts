import type { LimitName } from '../../types/run-result';
import { limitText } from './limits';
import type { Refusal } from './run-effect';
import type { RunState, WrapUp } from './run-state';

/** Put at the end of the last request. */
export function finalNote(state: RunState, wrapUp: WrapUp): string {
  const why =
    wrapUp.stop === 'loop'
      ? 'You keep making the same calls and getting the same results.'
      : `This run has reached a limit (${limitText(state, wrapUp.limit)}).`;
  return `${why} No more tools can be called. Give your final answer now, from what you have; say what is missing.`;
}

/** Put at the end of one request, when the model is seen to repeat itself. */
export const LOOP_NOTE =
  'You have made the same calls with the same arguments and got the same results several times. ' +
  'Repeating them will change nothing: try something else, or answer with what you have.';

export const NOT_RUN_FINAL: Refusal = {
  outcome: 'denied',
  reason: 'limit',
  text: 'Not run: this was the last answer of the run, and no tool could be called any more.',
};

export const NOT_RUN_CUT: Refusal = {
  outcome: 'invalid',
  text: 'Not run: your answer was cut off at the token limit, so its calls may be incomplete. Make fewer calls at once, or shorter ones.',
};

export const NOT_RUN_FILTERED: Refusal = {
  outcome: 'denied',
  reason: 'content_filter',
  text: 'Not run: this answer was filtered.',
};

/** For a batch that would go over a limit. */
export function notRunLimit(state: RunState, limit: LimitName): Refusal {
  return { outcome: 'denied', reason: 'limit', text: `Not run: the call would go over a limit of this run (${limitText(state, limit)}).` };
}
