import { mkdir, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { asFileFailure, codeOf, fileFailure, refusedPath } from './file-failure';
import { isWithin, type DirectoryOpener, type OpenDirectory } from './open-directory';
import { judgePath } from './path-rules';

/** Where a path leads: a name in a directory that is held open, or that directory itself. */
export interface Located {
  readonly root: OpenDirectory;
  readonly directory: OpenDirectory;
  /** Absent where the path means the directory itself. */
  readonly name: string | undefined;
  /** As it is shown: what was asked for, below the root. */
  readonly shown: string;
  /** Whether the path was written as a folder's, with a slash at its end. */
  readonly asFolder: boolean;
}

const MOST_LINKS = 40;

/**
 * Walks a path below a root, name by name, holding each directory open while it asks for the next. Links are read and walked here, not by the
 * system, so none leads out; `use` runs while everything is still held.
 *
 * @param makeFolders whether directories that are missing on the way are made
 * @throws ToolFailure when the path leads outside, or does not exist
 */
export async function located<T>(
  opener: DirectoryOpener,
  root: string,
  path: string,
  makeFolders: boolean,
  use: (place: Located) => Promise<T>,
): Promise<T> {
  // A root that is not there is the host's mistake, and its text is for the host.
  const real = await realpath(root);
  const judged = judgePath(path, [resolve(root), real], process.platform === 'win32' ? 'win32' : 'posix');
  if (!judged.ok) throw refusedPath(judged.why);
  // Whatever was asked for: the root's own place is not for the model.
  const shown = judged.segments.join('/').replaceAll(real, '…');
  const walk = new PathWalk(opener, real, shown, makeFolders);
  try {
    const name = await walk.along(judged.segments);
    return await use({ root: walk.root, directory: walk.here, name, shown, asFolder: judged.asFolder });
  } catch (error) {
    throw asFileFailure(error, shown);
  } finally {
    await walk.close();
  }
}

class PathWalk {
  private readonly held: OpenDirectory[] = [];
  private links = 0;

  constructor(
    private readonly opener: DirectoryOpener,
    private readonly real: string,
    private readonly shown: string,
    private readonly makeFolders: boolean,
  ) {}

  get root(): OpenDirectory {
    return this.held[0] as OpenDirectory;
  }

  get here(): OpenDirectory {
    return this.held.at(-1) as OpenDirectory;
  }

  /** Gives the last name, which may or may not exist, but is no link; `undefined` where the path ends in a directory that is held. */
  async along(segments: readonly string[]): Promise<string | undefined> {
    this.held.push(await this.opener.root(this.real));
    let pending = segments.slice();
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      if (name === '' || name === '.') continue;
      if (name === '..') {
        await this.up();
        continue;
      }
      const target = await this.linkAt(name);
      if (target !== undefined) pending = [...(await this.followed(target)), ...pending];
      else if (pending.every((rest) => rest === '' || rest === '.')) return name;
      else this.held.push(await this.below(name));
    }
    return undefined;
  }

  async close(): Promise<void> {
    for (const directory of this.held.splice(0).reverse()) await directory.close();
  }

  private async up(): Promise<void> {
    if (this.held.length === 1) throw fileFailure('outside', this.shown);
    await this.held.pop()?.close();
  }

  private async linkAt(name: string): Promise<string | undefined> {
    try {
      return await readlink(`${this.here.path}${sep}${name}`);
    } catch (error) {
      // No link, or nothing at all: both are told by what is done with the name.
      if (['EINVAL', 'ENOENT', 'UNKNOWN'].includes(codeOf(error) ?? 'UNKNOWN')) return undefined;
      throw error;
    }
  }

  /** The names to walk instead of a link. */
  private async followed(target: string): Promise<readonly string[]> {
    if (++this.links > MOST_LINKS) throw fileFailure('loop', this.shown);
    if (!isAbsolute(target)) return target.split(sep);
    if (!isWithin(target, this.real)) throw fileFailure('outside', this.shown);
    while (this.held.length > 1) await this.held.pop()?.close();
    return target.slice(this.real.length).split(sep);
  }

  private async below(name: string): Promise<OpenDirectory> {
    try {
      return await this.opener.below(this.here, name);
    } catch (error) {
      if (!this.makeFolders || codeOf(error) !== 'ENOENT') throw error;
      await this.here.verify(this.root);
      await mkdir(`${this.here.path}${sep}${name}`).catch((made: unknown) => {
        if (codeOf(made) !== 'EEXIST') throw made;
      });
      return this.opener.below(this.here, name);
    }
  }
}
