import type { Part, ToolMessage } from '../types/message';
import { asJson } from './plain';

/** The text that a model reads for a tool's result. Every adapter asks here, so that fencing has one place. */
export function renderToolMessage(message: ToolMessage): string {
  return textOf(message.parts);
}

/** Text and JSON parts as one text, a line break between them; images and files say only that they are there. */
export function textOf(parts: readonly Part[]): string {
  const first = parts[0];
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return parts.map(partText).join('\n');
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'json':
      return asJson(part.value);
    case 'image':
      return '[image]';
    case 'file':
      return `[file${part.name === undefined ? '' : ` ${part.name}`}]`;
  }
}
