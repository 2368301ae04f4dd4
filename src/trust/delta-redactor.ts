import { REDACTED } from './redaction';
import { secretNeedles } from './secrets';

/**
 * Redacts a text that comes in pieces: what could be the beginning of a secret is held back until it is known not to be one.
 *
 * A secret that was registered after its beginning had passed cannot be held back any more.
 */
export class DeltaRedactor {
  private readonly tails = new Map<string, string>();

  /** What of the stream `name` may be shown now; empty when all is held back. */
  take(name: string, piece: string): string {
    const needles = secretNeedles();
    const held = this.tails.get(name);
    if (needles.length === 0 && held === undefined) return piece;
    let text = (held ?? '') + piece;
    for (const needle of needles) if (text.includes(needle)) text = text.replaceAll(needle, REDACTED);
    const from = beginningOfSecret(text, needles);
    if (from === text.length) this.tails.delete(name);
    else this.tails.set(name, text.slice(from));
    return text.slice(0, from);
  }

  /** What was held back and has turned out to be no secret, by stream; the streams are over. */
  flush(): readonly (readonly [name: string, text: string])[] {
    if (this.tails.size === 0) return NOTHING;
    const rest = [...this.tails];
    this.tails.clear();
    return rest;
  }
}

const NOTHING: readonly (readonly [string, string])[] = Object.freeze([]);

/** Where the text's end begins that may go on to be a secret; its length when none does. */
function beginningOfSecret(text: string, needles: readonly string[]): number {
  const longest = needles[0]?.length ?? 0;
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const left = text.length - at;
    for (const needle of needles)
      if (needle.length > left && needle.charCodeAt(0) === text.charCodeAt(at) && text.endsWith(needle.slice(0, left))) return at;
  }
  return text.length;
}
