import type { RunEvent } from 'toolwright';

/** Where text goes: the terminal, or a test's list. */
export type Write = (text: string) => void;

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Shows a run as it happens: each call, how it came out, and the answer as it is streamed. */
export class Printer {
  private atLineStart = true;

  constructor(private readonly write: Write) {}

  show(event: RunEvent): void {
    switch (event.type) {
      case 'model.delta':
        if (event.kind === 'text') this.text(event.text);
        break;
      case 'tool.start':
        this.line(`-> ${event.label}(${argumentsText(event.arguments)})`);
        break;
      case 'tool.end':
        this.line(`   ${event.outcome}, ${Math.round(event.durationMs)} ms`);
        break;
      case 'warning':
        this.line(`Warning: ${event.text}`);
        break;
    }
  }

  line(text: string): void {
    this.text(`${this.atLineStart ? '' : '\n'}${text}\n`);
  }

  // What comes from a model or a file must not steer the terminal.
  private text(text: string): void {
    if (text === '') return;
    this.write(text.replace(CONTROL, ''));
    this.atLineStart = text.endsWith('\n');
  }
}

function argumentsText(args: unknown): string {
  if (typeof args !== 'object' || args === null) return '';
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ');
}
