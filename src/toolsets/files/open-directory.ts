import { constants, existsSync } from 'node:fs';
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileFailure } from './file-failure';

/**
 * A directory that is held open. What is asked of `path` is asked of that directory, whatever names point where by then: on Linux by way of its
 * descriptor, which is what `openat` does; elsewhere by its real path, which `verify` compares again after the deed.
 */
export interface OpenDirectory {
  readonly path: string;
  /** @throws ToolFailure when it does not lie below the root any more */
  verify(root: OpenDirectory): Promise<void>;
  close(): Promise<void>;
}

/** How directories are held open on this system. */
export interface DirectoryOpener {
  root(path: string): Promise<OpenDirectory>;
  /** A directory in an open one; never through a link. Rejects with the system's error. */
  below(parent: OpenDirectory, name: string): Promise<OpenDirectory>;
}

const DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const DESCRIPTORS = '/proc/self/fd';

class DescriptorDirectory implements OpenDirectory {
  constructor(private readonly handle: FileHandle) {}

  get path(): string {
    return `${DESCRIPTORS}/${this.handle.fd}`;
  }

  async verify(root: OpenDirectory): Promise<void> {
    const [here, top] = await Promise.all([readlink(this.path), readlink(root.path)]);
    if (!isWithin(here, top)) throw fileFailure('outside', '');
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** `openat` by way of `/proc/self/fd`. */
const byDescriptor: DirectoryOpener = {
  root: async (path) => new DescriptorDirectory(await open(path, DIRECTORY)),
  below: async (parent, name) => new DescriptorDirectory(await open(`${parent.path}/${name}`, DIRECTORY | NO_LINK)),
};

class NamedDirectory implements OpenDirectory {
  constructor(readonly path: string) {}

  async verify(root: OpenDirectory): Promise<void> {
    const now = await realpath(this.path);
    if (now !== this.path || !isWithin(now, root.path)) throw fileFailure('outside', '');
  }

  async close(): Promise<void> {}
}

/** By real paths, checked again after the deed: for systems without descriptors as paths. */
export const byName: DirectoryOpener = {
  root: async (path) => new NamedDirectory(await realpath(path)),
  async below(parent, name) {
    const path = join(parent.path, name);
    if (!(await lstat(path)).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR', syscall: 'open' });
    return new NamedDirectory(path);
  },
};

/** The safest way that this system has. */
export const defaultOpener: DirectoryOpener = process.platform === 'linux' && existsSync(DESCRIPTORS) ? byDescriptor : byName;

export function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
