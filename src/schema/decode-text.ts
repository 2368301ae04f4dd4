import { attempt } from './decode-union';
import type { Decoder } from './walk';

/**
 * Lets a list or an object come as JSON text. Read once, and only taken when the result fits;
 * otherwise the fault speaks of the text that came.
 */
export function orJsonText(decoder: Decoder, isWanted: (value: unknown) => boolean, expected: string): Decoder {
  return (value, walk) => {
    if (typeof value !== 'string' || walk.exact) return decoder(value, walk);
    const read = parsed(value);
    if (!isWanted(read)) return walk.refuse(expected, value);
    return attempt(walk, [{ decoder, value: read, exact: false }], (at) => at.refuse(expected, value));
  };
}

function parsed(text: string): unknown {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
