const OPEN = '<think>';
const CLOSE = '</think>';

/** A piece of an answer: what the model thinks, or what it says. */
export interface ThoughtPiece {
  readonly reasoning: string;
  readonly text: string;
}

/**
 * Parts an answer that begins with `<think>…</think>`, as some models write their reasoning into their text. Only at its very beginning:
 * further on the tags are quoted.
 */
export class ThinkTagReader {
  private state: 'before' | 'thinking' | 'after' = 'before';
  private held = '';
  /** Whether the line breaks after a tag are still to come. */
  private gap = true;

  push(text: string): ThoughtPiece {
    if (this.state === 'after') return { reasoning: '', text: this.past(text) };
    this.held += text;
    if (this.state === 'before') {
      const begin = this.held.trimStart();
      if (begin.length < OPEN.length && OPEN.startsWith(begin)) return { reasoning: '', text: '' };
      if (!begin.startsWith(OPEN)) {
        this.state = 'after';
        this.gap = false;
        return { reasoning: '', text: this.take(this.held.length) };
      }
      this.state = 'thinking';
      this.held = begin.slice(OPEN.length);
    }
    this.held = this.past(this.held);
    const end = this.held.indexOf(CLOSE);
    if (end === -1) return { reasoning: this.take(this.held.length - possibleEnd(this.held)), text: '' };
    this.state = 'after';
    this.gap = true;
    const reasoning = this.take(end);
    return { reasoning, text: this.past(this.take(this.held.length).slice(CLOSE.length)) };
  }

  /** The answer is over: what was held back. */
  end(): ThoughtPiece {
    const held = this.take(this.held.length);
    return this.state === 'thinking' ? { reasoning: held, text: '' } : { reasoning: '', text: held };
  }

  private past(text: string): string {
    if (!this.gap) return text;
    const rest = text.trimStart();
    this.gap = rest === '';
    return rest;
  }

  private take(length: number): string {
    const text = this.held.slice(0, length);
    this.held = this.held.slice(length);
    return text;
  }
}

/** How many characters at the end may be the beginning of the closing tag. */
function possibleEnd(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1)
    if (CLOSE.startsWith(text.slice(-length))) return length;
  return 0;
}
