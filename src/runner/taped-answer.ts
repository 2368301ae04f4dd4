import type { ModelTool } from '../models/model';
import type { Message } from '../types/message';
import type { AnswerPiece } from '../types/run-record';
import type { ActiveRun } from './active-run';
import type { Answer, AnswerWatcher } from './answer/collect-answer';
import type { Tape } from './recording/tape';
import type { TurnRequest } from './turn-request';

/** What came of a request: an answer, or why it was cut off although the run goes on. */
export type Heard =
  { readonly answer: Answer; readonly cut?: undefined } | { readonly answer?: undefined; readonly cut: 'redirected' | 'expired' };

/** What of a long conversation was asked already. */
interface Asked {
  readonly length: number;
  readonly tools: readonly ModelTool[];
}
const asked = new WeakMap<Tape, Asked>();

/** The messages since the last request, and the tools where they are others: a record must not grow with the square of its turns. */
function newSince(tape: Tape, run: ActiveRun, { tools }: TurnRequest): object {
  const last = asked.get(tape) ?? { length: 0, tools: undefined };
  const messages = run.transcript.since(last.length);
  asked.set(tape, { length: run.transcript.length, tools });
  return tools === last.tools ? { messages } : { messages, tools };
}

/** Asks the model, or reads what it answered; who watches sees it come in the same pieces. */
export async function tapedAnswer(
  run: ActiveRun,
  request: TurnRequest,
  appended: readonly Message[],
  watcher: AnswerWatcher | undefined,
  ask: (watcher: AnswerWatcher | undefined) => Promise<Heard>,
): Promise<Heard> {
  const { tape } = run.setup;
  if (tape === undefined) return ask(watcher);
  const tell = ({ kind, text, index }: AnswerPiece): void => watcher?.delta(kind, text, index);
  const noting: AnswerWatcher | undefined = watcher && {
    delta: (kind, text, index) => tape.piece({ kind, text, ...(index !== undefined && { index }) }, tell),
  };
  const about = (): unknown => ({
    turn: run.state.turn + 1,
    instructions: run.instructions ?? null,
    ...newSince(tape, run, request),
    appended,
    toolChoice: request.toolChoice,
    output: request.output,
    settings: request.settings,
  });
  return tape.step('model', about, () => ask(noting), tell);
}
