import type { JsonSchema } from '../types/json';

/** How deep a JSON Schema from elsewhere may be nested. */
export const MAX_SCHEMA_DEPTH = 100;

type Ask = (part: unknown) => boolean;

/**
 * A question about a schema whose parts may refer to each other, and to themselves: each part is asked once. The answer of one
 * that is still being asked, or lies too deep, is no.
 */
export function followed(question: (part: unknown, ask: Ask) => boolean): Ask {
  const answers = new Map<unknown, boolean>();
  let depth = 0;
  const ask: Ask = (part) => {
    const known = answers.get(part);
    if (known !== undefined) return known;
    if (depth > MAX_SCHEMA_DEPTH) return false;
    answers.set(part, false);
    depth += 1;
    const answer = question(part, ask);
    depth -= 1;
    answers.set(part, answer);
    return answer;
  };
  return ask;
}

/** What a local reference such as `#/$defs/User` points to; `undefined` when it points to nothing here. */
export function resolvePointer(pointer: string, root: JsonSchema): unknown {
  if (pointer === '#') return root;
  if (!pointer.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const step of pointer.slice(2).split('/')) {
    const key = decodeStep(step);
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

function decodeStep(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
