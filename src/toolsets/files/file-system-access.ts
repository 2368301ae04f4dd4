import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, opendir, rename, unlink, type FileHandle } from 'node:fs/promises';
import { sep } from 'node:path';
import { Injectable } from '../injectable';
import { codeOf, fileFailure } from './file-failure';
import { located, type Located } from './locate';
import { defaultOpener, type DirectoryOpener, type OpenDirectory } from './open-directory';

/** What tells one state of a file from another. */
export interface FileStamp {
  readonly inode: number;
  readonly size: number;
  readonly changedMs: number;
}

/** A whole file, and the state in which it was read. */
export interface FileContent {
  /** Below the root, as it was asked for. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly stamp: FileStamp;
}

/** What stands under a name; links are named, never followed. */
export type EntryType = 'file' | 'folder' | 'link' | 'other';

/** One name in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly type: EntryType;
  /** In bytes; of files only. */
  readonly size?: number;
}

/** What may be read. */
export interface ReadOptions {
  /** In bytes. A larger file is a failure. */
  readonly maxBytes: number;
  /** Whether files that have other names too may be used; such a name may lie outside of the root. */
  readonly hardLinks?: boolean;
}

/** Under which conditions a file is written. */
export interface WriteOptions {
  /** What the file must still be: a stamp, or `absent`. Anything when not given. */
  readonly expected?: FileStamp | 'absent';
  readonly hardLinks?: boolean;
}

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
/** Entries of one folder that are looked at. */
const MOST_ENTRIES = 20_000;

/**
 * The files below a root, as the file and shell tools use them. Every path is walked by descriptor, links included, so nothing outside of the
 * root is read, written or made, also when somebody swaps a folder for a link meanwhile. Replace it to keep files elsewhere.
 */
@Injectable()
export class FileSystemAccess {
  protected readonly opener: DirectoryOpener = defaultOpener;

  /** The whole of one regular file. @throws ToolFailure when there is none, or when it is too large */
  read(root: string, path: string, options: ReadOptions): Promise<FileContent> {
    return located(this.opener, root, path, false, async ({ root: top, directory, name, shown, asFolder }) => {
      if (name === undefined || asFolder) throw fileFailure('not_a_file', shown, 'It is a folder; list it instead.');
      const { bytes, stamp } = await readIn(directory, name, shown, options);
      await directory.verify(top);
      return { path: shown, bytes, stamp };
    });
  }

  /**
   * Writes a whole file: beside the old one first, then in its place, so that nobody ever sees half of it. Folders on the way are made. The
   * mode of an existing file is kept.
   * @throws ToolFailure when it may not be written, or is not what was expected
   */
  write(root: string, path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<{ path: string; created: boolean }> {
    return located(this.opener, root, path, true, async (place) => {
      const { root: top, directory, name, shown, asFolder } = place;
      if (name === undefined || asFolder) throw fileFailure('not_a_file', shown, 'It is a folder.');
      const before = await replaceable(place, name, options);
      await directory.verify(top);
      const own = at(directory, `.toolwright-${randomBytes(8).toString('hex')}.tmp`);
      try {
        await writeWhole(own, bytes, before?.mode);
        await directory.verify(top);
        await replaceable(place, name, options);
        // A link is made only where nothing is; renaming would replace what came meanwhile.
        if (options.expected === 'absent') await link(own, at(directory, name));
        else await rename(own, at(directory, name));
      } finally {
        await unlink(own).catch(() => undefined);
      }
      return { path: shown, created: before === undefined };
    });
  }

  /** What a folder holds, in the order of names. @param most entries to give */
  list(root: string, path: string, most: number): Promise<{ path: string; entries: FolderEntry[]; total: number }> {
    return located(this.opener, root, path, false, async (place) => {
      const entries = await inFolder(this.opener, place, entriesOf);
      const shown = entries.slice(0, most);
      return { path: place.shown, entries: shown, total: entries.length };
    });
  }

  /**
   * Uses a folder while it is held open.
   * @param use is given a path that stays that folder, for the current process and for children while they start
   */
  within<T>(root: string, path: string, use: (directory: OpenDirectory, shown: string) => Promise<T>): Promise<T> {
    return located(this.opener, root, path, false, (place) =>
      inFolder(this.opener, place, async (directory) => {
        await directory.verify(place.root);
        return use(directory, place.shown);
      }),
    );
  }
}

function at(directory: OpenDirectory, name: string): string {
  return `${directory.path}${sep}${name}`;
}

async function inFolder<T>(opener: DirectoryOpener, place: Located, use: (directory: OpenDirectory) => Promise<T>): Promise<T> {
  if (place.name === undefined) return use(place.directory);
  let folder: OpenDirectory;
  try {
    folder = await opener.below(place.directory, place.name);
  } catch (error) {
    throw codeOf(error) === 'ENOTDIR' ? fileFailure('not_a_folder', place.shown) : error;
  }
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
}

/** The entries of an open folder. Links are named, not followed. */
async function entriesOf(directory: OpenDirectory): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  for await (const entry of await opendir(directory.path)) {
    if (entries.length >= MOST_ENTRIES) break;
    const type = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other';
    const size = type === 'file' ? (await lstat(at(directory, entry.name)).catch(() => undefined))?.size : undefined;
    entries.push({ name: entry.name, type, ...(size === undefined ? {} : { size }) });
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** A regular file in an open folder; never through a link, never waiting for the other end of a pipe. */
async function readIn(
  directory: OpenDirectory,
  name: string,
  shown: string,
  { maxBytes, hardLinks }: ReadOptions,
): Promise<{ bytes: Buffer; stamp: FileStamp }> {
  const handle = await open(at(directory, name), READ);
  try {
    const facts = await handle.stat();
    if (facts.isDirectory()) throw fileFailure('not_a_file', shown, 'It is a folder; list it instead.');
    if (!facts.isFile()) throw fileFailure('not_a_file', shown);
    if (facts.nlink > 1 && hardLinks !== true) throw fileFailure('hard_link', shown);
    const bytes = facts.size > maxBytes ? undefined : await readUpTo(handle, facts.size, maxBytes);
    if (bytes === undefined) throw fileFailure('too_large', shown, `At most ${maxBytes} bytes can be read.`);
    return { bytes, stamp: { inode: facts.ino, size: facts.size, changedMs: facts.mtimeMs } };
  } finally {
    await handle.close();
  }
}

/** All bytes, also of a file that grows meanwhile; `undefined` where there are more than `most`. */
async function readUpTo(handle: FileHandle, expected: number, most: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let total = 0;
  for (let size = expected + 1; ; size = 65_536) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(size), 0, size, null);
    if (bytesRead === 0) return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    total += bytesRead;
    if (total > most) return undefined;
    pieces.push(buffer.subarray(0, bytesRead));
  }
}

/** The file that would be replaced, if there is one. @throws ToolFailure when it must not be */
async function replaceable(
  { directory, shown }: Located,
  name: string,
  { expected, hardLinks }: WriteOptions,
): Promise<{ readonly mode: number } | undefined> {
  const facts = await lstat(at(directory, name)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (facts === undefined) {
    if (expected !== undefined && expected !== 'absent') throw fileFailure('changed', shown);
    return undefined;
  }
  if (!facts.isFile()) throw fileFailure('not_a_file', shown);
  if (expected === 'absent') throw fileFailure('exists', shown);
  if (facts.nlink > 1 && hardLinks !== true) throw fileFailure('hard_link', shown);
  if ((facts.mode & 0o222) === 0) throw fileFailure('read_only', shown);
  if (expected !== undefined && (facts.ino !== expected.inode || facts.size !== expected.size || facts.mtimeMs !== expected.changedMs))
    throw fileFailure('changed', shown);
  return { mode: facts.mode & 0o777 };
}

async function writeWhole(path: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const handle = await open(path, CREATE, mode ?? 0o666);
  try {
    await handle.writeFile(bytes);
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
