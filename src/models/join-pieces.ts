import type { ModelChunk } from './model';

/** Joins neighbouring pieces of one text or of one call's arguments, in place: what arrived together is read together. */
export function joinPieces(chunks: ModelChunk[]): void {
  let last = 0;
  for (let at = 1; at < chunks.length; at += 1) {
    const joint = join(chunks[last]!, chunks[at]!);
    if (joint !== undefined) chunks[last] = joint;
    else chunks[(last += 1)] = chunks[at]!;
  }
  if (chunks.length > 0) chunks.length = last + 1;
}

function join(earlier: ModelChunk, later: ModelChunk): ModelChunk | undefined {
  switch (later.type) {
    case 'text':
    case 'reasoning':
      return earlier.type === later.type ? { type: later.type, text: earlier.text + later.text } : undefined;
    case 'call':
      return earlier.type === 'call' && earlier.index === later.index && later.id === undefined && later.name === undefined
        ? { ...earlier, arguments: (earlier.arguments ?? '') + (later.arguments ?? '') }
        : undefined;
    default:
      return undefined;
  }
}
