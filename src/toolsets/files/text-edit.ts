import { ToolFailure } from '../../errors/tool-error';
import { quoted } from './file-failure';

export interface EditedText {
  readonly text: string;
  readonly replacements: number;
}

const MOST_LINES_NAMED = 10;

/**
 * Replaces a passage that stands exactly once, or everywhere where that is asked for. A passage written with plain line ends fits a text with those of
 * Windows, and is written back with them.
 * @throws ToolFailure when the passage is missing or stands more than once, with the lines where it does
 */
export function editText(text: string, from: string, to: string, everywhere: boolean, path: string): EditedText {
  if (from === to) throw new ToolFailure('`old_text` and `new_text` are the same: nothing would change.');
  const [passage, replacement] = asWritten(text, from, to);
  const places = placesOf(text, passage);
  if (places.length === 0) throw new ToolFailure(`\`old_text\` does not stand in ${quoted(path)}. ${hint(text, from)}`);
  if (places.length > 1 && !everywhere) {
    const lines = places.slice(0, MOST_LINES_NAMED).map((place) => lineAt(text, place));
    const more = places.length > lines.length ? ' and others' : '';
    throw new ToolFailure(
      `\`old_text\` stands ${places.length} times in ${quoted(path)}: lines ${lines.join(', ')}${more}. Give more of the text around the one that you mean, or set \`replace_all\`.`,
    );
  }
  // As a list of pieces: in `replace`, a `$` in the new text would mean something.
  return { text: text.split(passage).join(replacement), replacements: places.length };
}

function asWritten(text: string, from: string, to: string): readonly [string, string] {
  if (text.includes(from) || !text.includes('\r\n') || from.includes('\r')) return [from, to];
  const windows = (plain: string): string => plain.replace(/\r?\n/g, '\r\n');
  return [windows(from), windows(to)];
}

function placesOf(text: string, passage: string): number[] {
  const places: number[] = [];
  for (let place = text.indexOf(passage); place >= 0; place = text.indexOf(passage, place + passage.length)) places.push(place);
  return places;
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < place; end = text.indexOf('\n', end + 1)) line++;
  return line;
}

/** Most often the white space is not what it was taken for. */
function hint(text: string, from: string): string {
  const wanted = from
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
  if (wanted === undefined) return 'Read the file again and copy the text exactly.';
  const at = text.split('\n').findIndex((line) => line.trim() === wanted);
  return at < 0
    ? 'Read the file again and copy the text exactly.'
    : `Line ${at + 1} has the words of its first line; the white space, or what follows, differs. Copy the text exactly.`;
}
