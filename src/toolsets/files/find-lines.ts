import { printable } from './file-failure';
import type { FileSystemAccess } from './file-system-access';
import type { PathMatcher } from './glob';
import { readText } from './text-content';
import type { TreeWalk } from './tree-walk';

export interface FindOptions {
  readonly matchCase: boolean;
  readonly fits: PathMatcher | undefined;
  /** Lines to give. */
  readonly most: number;
  readonly hardLinks: boolean;
  readonly signal: AbortSignal;
}

export interface FoundLines {
  /** `path:line: text` */
  readonly lines: readonly string[];
  readonly total: number;
  /** Whether some files were not searched. */
  readonly cut: boolean;
}

const LARGEST_FILE = 2_000_000;
const MOST_BYTES = 200_000_000;
const LONGEST_LINE = 300;

/** The lines that contain a text, in all files of a walk. Files that cannot be read, and those that are no text, are passed over. */
export async function findLines(
  files: FileSystemAccess,
  root: string,
  walk: TreeWalk,
  query: string,
  { matchCase, fits, most, hardLinks, signal }: FindOptions,
): Promise<FoundLines> {
  const folded = (text: string): string => (matchCase ? text : text.toLowerCase());
  const wanted = folded(query);
  const lines: string[] = [];
  let total = 0;
  let bytes = 0;
  for await (const { path, type, size = 0 } of walk) {
    if (type !== 'file' || size > LARGEST_FILE || fits?.(path) === false) continue;
    signal.throwIfAborted();
    bytes += size;
    if (bytes > MOST_BYTES) return { lines, total, cut: true };
    const content = await files.read(root, path, { maxBytes: LARGEST_FILE, hardLinks }).catch(() => undefined);
    const text = content === undefined ? undefined : readText(content.bytes)?.text;
    if (text === undefined || !folded(text).includes(wanted)) continue;
    // A query of several lines is found, and named by its first.
    const found = wanted.includes('\n') ? startsOf(folded(text), wanted) : undefined;
    text.split('\n').forEach((line, at) => {
      if (found === undefined ? !folded(line).includes(wanted) : !found.has(at)) return;
      if (++total <= most) lines.push(`${printable(path)}:${at + 1}: ${around(line, folded(line).indexOf(wanted))}`);
    });
  }
  return { lines, total, cut: walk.cut };
}

/** The lines, from 0, in which a passage begins. */
function startsOf(text: string, passage: string): ReadonlySet<number> {
  const starts = new Set<number>();
  let line = 0;
  let from = 0;
  for (let place = text.indexOf(passage); place >= 0; place = text.indexOf(passage, place + passage.length)) {
    for (; from < place; from++) if (text[from] === '\n') line++;
    starts.add(line);
  }
  return starts;
}

function around(line: string, place: number): string {
  const text = line.trimEnd();
  if (text.length <= LONGEST_LINE) return text;
  const from = Math.max(0, place - LONGEST_LINE / 2);
  return `${from > 0 ? '…' : ''}${text.slice(from, from + LONGEST_LINE).toWellFormed()}…`;
}
