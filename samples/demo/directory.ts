import { open, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { Service } from 'typedi';
import { ToolFailure } from 'toolwright';
import { MOST_FILES_WALKED, walk } from './walk';

const LARGEST_FILE = 1_000_000;
const MOST_BYTES_SEARCHED = 100_000_000;
const MOST_PER_FILE = 5;
const LONGEST_LINE = 300;

/** A line that contains what was searched for. */
export interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Files below one root, read only: it never leaves the root, follows no links out of it, and everything has a bound. */
@Service()
export class Directory {
  /** The files below a folder of the root, how many there are in all, and whether none was left uncounted. */
  async list(
    root: string,
    folder: string,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ files: string[]; total: number; whole: boolean }> {
    const inside = await this.locate(root, folder);
    const files: string[] = [];
    let total = 0;
    for await (const path of walk(root, inside, signal)) if (++total <= most) files.push(path);
    return { files, total, whole: total < MOST_FILES_WALKED };
  }

  /** Lines of a text file, from a line number on. */
  async read(root: string, path: string, from: number, most: number): Promise<{ lines: string[]; total: number }> {
    const text = await textOf(join(root, await this.locate(root, path)));
    if (text === undefined) throw new ToolFailure(`${path} is not a text file of at most ${LARGEST_FILE} bytes.`);
    const lines = text.split('\n');
    return { lines: lines.slice(from - 1, from - 1 + most), total: lines.length };
  }

  /**
   * The lines that contain a text, in any case of letters, and whether no file was left unread. What defines it comes first,
   * then files that are named after it.
   */
  async search(
    root: string,
    text: string,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ matches: Match[]; total: number; whole: boolean }> {
    const ranked: { match: Match; rank: number }[] = [];
    let total = 0;
    let files = 0;
    let bytes = 0;
    for await (const path of walk(root, '', signal)) {
      files += 1;
      const content = await textOf(join(root, path));
      bytes += content?.length ?? 0;
      if (bytes > MOST_BYTES_SEARCHED) break;
      const found = content === undefined ? [] : matchesIn(path, content, text);
      total += found.length;
      ranked.push(
        ...found
          .map((match) => ({ match, rank: rankOf(match, text) }))
          .sort(byRank)
          .slice(0, MOST_PER_FILE),
      );
    }
    return {
      matches: ranked
        .sort(byRank)
        .slice(0, most)
        .map(({ match }) => match),
      total,
      whole: files < MOST_FILES_WALKED && bytes <= MOST_BYTES_SEARCHED,
    };
  }

  /** A path as it is below the root; refuses what is outside, also by way of links. */
  private async locate(root: string, path: string): Promise<string> {
    const base = await realpath(root);
    const target = await realpath(isAbsolute(path) ? path : join(base, path)).catch(() => undefined);
    if (target === undefined) throw new ToolFailure(`There is no ${JSON.stringify(path)}. ${await this.namesLike(root, path)}`);
    const inside = relative(base, target);
    if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
      throw new ToolFailure(`${JSON.stringify(path)} is outside of the directory. Give a path relative to its root.`);
    return inside.replaceAll(sep, '/');
  }

  private async namesLike(root: string, path: string): Promise<string> {
    const wanted = basename(path).toLowerCase();
    const like: string[] = [];
    for await (const file of walk(root))
      if (like.length < 5 && wanted !== '' && basename(file).toLowerCase().includes(wanted)) like.push(file);
    return like.length === 0 ? 'List the files to see what there is.' : `Did you mean ${like.join(', ')}?`;
  }
}

/** What a file holds as text; `undefined` for large and binary ones. */
async function textOf(file: string): Promise<string | undefined> {
  // A file may vanish while others are searched.
  const facts = await stat(file).catch(() => undefined);
  if (facts?.isFile() !== true || facts.size > LARGEST_FILE) return undefined;
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const content = await handle.readFile();
    // No text has a zero byte, and few other files have none in their first pages.
    return content.subarray(0, 8_192).includes(0) ? undefined : content.toString('utf8');
  } finally {
    await handle.close();
  }
}

function matchesIn(path: string, content: string, text: string): Match[] {
  const wanted = text.toLowerCase();
  if (!content.toLowerCase().includes(wanted)) return [];
  return content
    .split('\n')
    .flatMap((line, at) => (line.toLowerCase().includes(wanted) ? [{ path, line: at + 1, text: line.trim().slice(0, LONGEST_LINE) }] : []));
}

const DEFINES =
  /^(?:(?:export|default|public|private|protected|abstract|static|final|async|pub|declare)\s+)*(?:class|interface|type|enum|function|const|let|var|def|fn|func|struct|trait|module)\s+([\w$]+)/;

/** The lower, the more likely it is what one looks for. */
function rankOf({ path, text: line }: Match, text: string): number {
  if (DEFINES.exec(line)?.[1] === text) return 0;
  const named = squeezed(basename(path)).includes(squeezed(text));
  return (named ? 1 : 2) + (line.includes(text) ? 0 : 1);
}

function byRank(one: { readonly rank: number }, other: { readonly rank: number }): number {
  return one.rank - other.rank;
}

/** `AgentRunner`, `agent-runner` and `agent_runner` are the same name. */
function squeezed(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
