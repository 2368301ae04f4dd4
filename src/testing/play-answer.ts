import type { FinishReason, ModelChunk, ModelRequest, ModelUsage } from '../models/model';
import { chunked } from './chunked';
import type { ScriptAnswer, ScriptPiece } from './script-step';
import { jsonText } from './transcript-text';

/** How answers are streamed, and how many calls were made so far. */
export interface Playing {
  readonly chunkSize: number;
  calls: number;
}

const USUAL_USAGE: ModelUsage = { inputTokens: 10, outputTokens: 5 };
const USUAL_CHUNK = 12;

export function playingWith({ chunkSize = USUAL_CHUNK }: { readonly chunkSize?: number }): Playing {
  return { chunkSize, calls: 0 };
}

/** The pieces of an answer. @throws TypeError where a function gave none */
export function piecesOf(answer: ScriptAnswer): readonly ScriptPiece[] {
  if (typeof answer === 'string') return [{ piece: 'text', text: answer }];
  if (typeof answer !== 'object' || answer === null)
    throw new TypeError("A step of the script gave no answer. Return one from the function, such as say('...').");
  return 'piece' in answer ? [answer] : answer;
}

/** Streams an answer as a provider does: in fragments, then usage, then the end. */
export async function* playAnswer(
  pieces: readonly ScriptPiece[],
  request: ModelRequest,
  playing: Playing,
): AsyncGenerator<ModelChunk, void, undefined> {
  let index = 0;
  let finish: FinishReason | undefined;
  let usage = USUAL_USAGE;
  for (const piece of pieces) {
    request.signal.throwIfAborted();
    switch (piece.piece) {
      case 'text':
      case 'reasoning':
      case 'refusal':
        yield* fragments(piece.piece, piece.text, request.signal, playing);
        break;
      case 'call':
        yield* call(index++, piece.name, piece.arguments, piece.id, request.signal, playing);
        break;
      case 'output': {
        const tool = request.output === undefined ? outputTool(request) : undefined;
        const value = jsonText(wrapped(piece.value));
        if (tool === undefined) yield* fragments('text', value, request.signal, playing);
        else yield* call(index++, tool, value, undefined, request.signal, playing);
        break;
      }
      case 'usage':
        usage = piece.usage;
        break;
      case 'finish':
        finish = piece.finish;
        break;
      case 'expect':
        break;
      case 'fail':
        throw piece.error;
      case 'stall':
        await aborted(request.signal);
        break;
      case 'cut':
        return;
    }
  }
  yield { type: 'usage', usage };
  yield { type: 'end', finish: finish ?? (index > 0 ? 'tool_calls' : 'stop') };
}

function* fragments(
  type: 'text' | 'reasoning' | 'refusal',
  text: string,
  signal: AbortSignal,
  { chunkSize }: Playing,
): Generator<ModelChunk, void, undefined> {
  for (const fragment of chunked(text, chunkSize)) {
    signal.throwIfAborted();
    yield { type, text: fragment };
  }
}

// As providers do: id and name first, then the arguments in fragments.
function* call(
  index: number,
  name: string,
  args: string,
  id: string | undefined,
  signal: AbortSignal,
  playing: Playing,
): Generator<ModelChunk, void, undefined> {
  yield { type: 'call', index, id: id ?? `call_${++playing.calls}`, name };
  for (const fragment of chunked(args, playing.chunkSize)) {
    signal.throwIfAborted();
    yield { type: 'call', index, arguments: fragment };
  }
}

/** The tool by which the final answer is given, where there is no native schema: the one that is forced, or `final_answer`. */
function outputTool({ toolChoice, tools }: ModelRequest): string | undefined {
  if (typeof toolChoice === 'object') return toolChoice.tool;
  return tools.findLast((tool) => /^final_answer(_\d+)?$/.test(tool.name))?.name;
}

/** Providers want an object at the root, so every other value is asked for under `answer`. */
function wrapped(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { answer: value };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
