import { ToolFailure } from '../../errors/tool-error';
import { quoted } from './file-failure';

/** Characters of a file that one answer holds; room is left for the note below them. */
const MOST = 19_000;

/**
 * Lines of a text, whole ones as far as an answer can hold them, and a note where others are left.
 * @throws ToolFailure for lines that it does not have
 */
export function excerpt(text: string, path: string, first: number, last: number | undefined): string {
  if (text === '') return `[${quoted(path)} is empty]`;
  const lines = text.split('\n');
  // The end of the last line begins no other.
  if (lines.at(-1) === '') lines.pop();
  if (first > lines.length) throw new ToolFailure(`${quoted(path)} has ${lines.length} lines.`);
  if (last !== undefined && last < first) throw new ToolFailure('`last_line` comes before `first_line`.');
  const until = Math.min(last ?? lines.length, lines.length);
  const shown: string[] = [];
  let size = 0;
  for (let at = first - 1; at < until; at++) {
    const line = lines[at] as string;
    if (size + line.length + 1 > MOST) break;
    size += line.length + 1;
    shown.push(line);
  }
  if (shown.length === 0) {
    const line = lines[first - 1] as string;
    const rest = until > first ? ` Read on with first_line ${first + 1}.` : '';
    return `${line.slice(0, MOST).toWellFormed()}\n[line ${first} of ${lines.length} is cut: it has ${line.length} characters.${rest}]`;
  }
  const end = first - 1 + shown.length;
  if (first === 1 && end === lines.length) return shown.join('\n');
  const rest = end < until ? ` Read on with first_line ${end + 1}.` : '';
  return `${shown.join('\n')}\n[lines ${first} to ${end} of ${lines.length}.${rest}]`;
}
