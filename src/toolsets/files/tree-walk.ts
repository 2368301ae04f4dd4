import type { FileSystemAccess, FolderEntry } from './file-system-access';

/** A file or folder below a root. */
export interface TreeEntry extends FolderEntry {
  /** Below the root, with forward slashes. */
  readonly path: string;
}

export interface WalkOptions {
  /** Names of folders that are not entered. */
  readonly skip: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

const MOST_ENTRIES = 50_000;
const DEEPEST = 60;

/**
 * Everything below a folder, a folder's files before its folders, each in the order of names. Links are named and not followed, and there is an
 * end: `cut` says afterwards whether it was reached before everything was seen.
 */
export class TreeWalk implements AsyncIterable<TreeEntry> {
  cut = false;
  /** The folder that it began with, below the root; known once it runs. */
  start = '';

  constructor(
    private readonly files: FileSystemAccess,
    private readonly root: string,
    private readonly from: string,
    private readonly options: WalkOptions,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<TreeEntry, void, undefined> {
    const { path: start, entries } = await this.files.list(this.root, this.from, MOST_ENTRIES);
    this.start = start;
    let waiting: { readonly path: string; readonly entries?: readonly FolderEntry[] }[] = [{ path: start, entries }];
    let count = 0;
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      this.options.signal?.throwIfAborted();
      const below: { readonly path: string }[] = [];
      for (const entry of folder.entries ?? (await this.entriesIn(folder.path))) {
        if (++count > MOST_ENTRIES) {
          this.cut = true;
          return;
        }
        const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
        yield { ...entry, path };
        if (entry.type !== 'folder' || this.options.skip.has(entry.name)) continue;
        if (path.split('/').length >= DEEPEST) this.cut = true;
        else below.push({ path });
      }
      waiting = [...waiting, ...below.reverse()];
    }
  }

  /** A folder that cannot be read, or went away meanwhile, holds nothing. */
  private async entriesIn(path: string): Promise<readonly FolderEntry[]> {
    try {
      return (await this.files.list(this.root, path, MOST_ENTRIES)).entries;
    } catch {
      this.options.signal?.throwIfAborted();
      this.cut = true;
      return [];
    }
  }
}
