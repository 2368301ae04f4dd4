import type { Model, ModelRequest } from '../models/model';
import { piecesOf, playAnswer, playingWith } from './play-answer';
import type { ScriptAnswer } from './script-step';
import { EVERYTHING, type ScriptedOptions } from './scripted';

/**
 * A model that a function plays: it is asked each time and gives the answer, as text or as the pieces of a script.
 * @example functionModel((request) => (request.messages.length === 1 ? callTool('clock') : say('Noon.')))
 */
export function functionModel(
  answer: (request: ModelRequest) => ScriptAnswer | Promise<ScriptAnswer>,
  options: Omit<ScriptedOptions, 'strict'> = {},
): Model {
  const playing = playingWith(options);
  return {
    name: options.name ?? 'function:',
    capabilities: { ...EVERYTHING, ...options.capabilities },
    async *stream(request) {
      request.signal.throwIfAborted();
      yield* playAnswer(piecesOf(await answer(request)), request, playing);
    },
  };
}
