import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that hold what others made. */
const IGNORED = new Set(['node_modules', '.git', '.hg', '.svn', 'dist', 'build', 'out', 'coverage', '.cache', '__pycache__', 'target']);
export const MOST_FILES_WALKED = 5_000;
const DEEPEST = 40;

/**
 * The files under a directory as relative paths with forward slashes, in alphabetical order, a folder's files before its
 * folders. Links are not followed, and there is an end: at most 5 000 files, 40 levels.
 */
export async function* walk(root: string, folder = '', signal?: AbortSignal): AsyncGenerator<string, void, undefined> {
  let count = 0;
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    signal?.throwIfAborted();
    const entries = await readdir(join(root, at), { withFileTypes: true }).catch(() => []);
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    const below: string[] = [];
    for (const entry of entries) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && !IGNORED.has(entry.name) && path.split('/').length < DEEPEST) below.push(path);
      if (!entry.isFile()) continue;
      if (++count > MOST_FILES_WALKED) return;
      yield path;
    }
    waiting.push(...below.reverse());
  }
}
