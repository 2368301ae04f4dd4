import { checkedOptions, type OptionRules } from '../errors/option-check';
import type { Model, ModelRequest } from '../models/model';
import { piecesOf, playAnswer, playingWith } from './play-answer';
import type { ScriptAnswer } from './script-step';
import { EVERYTHING, SCRIPTED_RULES, type ScriptedOptions } from './scripted';

const RULES: OptionRules = new Map([...SCRIPTED_RULES].filter(([name]) => name !== 'strict'));

/**
 * A model that a function plays: it is asked each time and gives the answer, as text or as the pieces of a script.
 * @throws UsageError for options that do not exist or do not fit
 * @example functionModel((request) => (request.messages.length === 1 ? callTool('clock') : say('Noon.')))
 */
export function functionModel(
  answer: (request: ModelRequest) => ScriptAnswer | Promise<ScriptAnswer>,
  options?: Omit<ScriptedOptions, 'strict'>,
): Model {
  const { name = 'function:', capabilities, ...streaming } = checkedOptions(options, RULES, 'functionModel()');
  const playing = playingWith(streaming);
  return {
    name,
    capabilities: { ...EVERYTHING, ...capabilities },
    async *stream(request) {
      request.signal.throwIfAborted();
      yield* playAnswer(piecesOf(await answer(request)), request, playing);
    },
  };
}
