import { ToolFailure } from '../../errors/tool-error';

/** Why a file could not be used, in words for the model: never with a path that it did not give, or one outside of the root. */
export type FileFault =
  | 'outside'
  | 'missing'
  | 'not_a_file'
  | 'not_a_folder'
  | 'loop'
  | 'hard_link'
  | 'permission'
  | 'too_large'
  | 'binary'
  | 'exists'
  | 'changed'
  | 'read_only'
  | 'failed';

const WORDS: Readonly<Record<FileFault, string>> = {
  outside: 'leads outside of the directory that these tools work in. Stay inside of it.',
  missing: 'does not exist. List the files to see what there is.',
  not_a_file: 'is not a regular file.',
  not_a_folder: 'is not a folder.',
  loop: 'is a link that leads back to itself.',
  hard_link: 'is a hard link: the same file may also lie outside of this directory, so it is not touched.',
  permission: 'may not be accessed: permission denied.',
  too_large: 'is too large.',
  binary: 'is not a text file.',
  exists: 'exists already.',
  changed: 'was changed by somebody else meanwhile. Read it again before you change it.',
  read_only: 'is read-only.',
  failed: 'could not be accessed.',
};

/** @param path as it is shown: below the root, without the root itself */
export function fileFailure(fault: FileFault, path: string, more = ''): ToolFailure {
  const said = fault === 'outside' && path === '' ? 'The path' : quoted(path);
  return new ToolFailure(`${said} ${WORDS[fault]}${more === '' ? '' : ` ${more}`}`, { details: { fault } });
}

/** A path that was refused as text; it is not repeated, since it may hold what the model must not see. */
export function refusedPath(why: string): ToolFailure {
  return new ToolFailure(`The path is refused: ${why}`, { details: { fault: 'outside' } });
}

const BY_CODE = new Map<string, FileFault>([
  ['ENOENT', 'missing'],
  ['ENOTDIR', 'missing'],
  ['EISDIR', 'not_a_file'],
  ['ENXIO', 'not_a_file'],
  ['EOPNOTSUPP', 'not_a_file'],
  ['ELOOP', 'loop'],
  ['EACCES', 'permission'],
  ['EPERM', 'permission'],
  ['EROFS', 'read_only'],
  ['EEXIST', 'exists'],
]);

/** What the system said, in our words: its own text shows real paths. */
export function asFileFailure(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const fault = BY_CODE.get(code);
  return fault === undefined ? fileFailure('failed', path, `(${code})`) : fileFailure(fault, path);
}

/** The code of an error of the system, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  // Told by its shape: under a test runner, the system's errors are of another realm.
  if (typeof error !== 'object' || error === null || !('code' in error) || !('syscall' in error)) return undefined;
  return typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}

/** A path between quotes, with everything escaped that could steer a terminal or forge a line. */
export function quoted(path: string): string {
  const text = path === '' ? '.' : path.length > 300 ? `${path.slice(0, 300)}…` : path;
  return `"${printable(text)}"`;
}

/** A name of the disk with control and direction characters escaped. */
export function printable(name: string): string {
  return name
    .toWellFormed()
    .replace(
      /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
