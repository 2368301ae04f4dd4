import { segmentFault } from './windows-names';

/** What a path means below a root: the names on the way, or why it is refused. */
export type JudgedPath =
  { readonly ok: true; readonly segments: readonly string[]; readonly asFolder: boolean } | { readonly ok: false; readonly why: string };

export type PathStyle = 'posix' | 'win32';

const LONGEST_PATH = 4_096;
const LONGEST_NAME = 255;
const MOST_SEGMENTS = 128;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

const OUTSIDE = 'it lies outside of the directory that these tools work in. Give a path relative to that directory.';

const refused = (why: string): JudgedPath => ({ ok: false, why });

/**
 * Reads a path as text, without looking at any disk. Absolute paths are taken where they lie below a root. Nothing is expanded, decoded, trimmed
 * or folded: the names that are judged here are those that are opened.
 *
 * @param roots the root's absolute path, and its other spellings
 */
export function judgePath(input: string, roots: readonly string[], style: PathStyle): JudgedPath {
  if (input.length > LONGEST_PATH) return refused(`it is longer than ${LONGEST_PATH} characters.`);
  if (CONTROL.test(input)) return refused('it contains control characters.');
  if (!input.isWellFormed()) return refused('it contains half of a character.');
  const relative = style === 'win32' ? belowWindowsRoot(input, roots) : belowRoot(input, roots);
  if (relative === undefined) return refused(OUTSIDE);
  const parts = style === 'win32' ? relative.split(/[\\/]/) : relative.split('/');
  const segments: string[] = [];
  for (const part of parts) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (segments.pop() === undefined) return refused(OUTSIDE);
      continue;
    }
    const fault = style === 'win32' ? segmentFault(part) : undefined;
    if (fault !== undefined) return refused(fault);
    if (Buffer.byteLength(part) > LONGEST_NAME) return refused(`a name in it is longer than ${LONGEST_NAME} bytes.`);
    segments.push(part);
  }
  if (segments.length > MOST_SEGMENTS) return refused(`it is more than ${MOST_SEGMENTS} folders deep.`);
  return { ok: true, segments, asFolder: ['', '.', '..'].includes(parts.at(-1) ?? '') };
}

/** The part below the root; a relative path as it is; `undefined` for what is elsewhere. */
function belowRoot(input: string, roots: readonly string[]): string | undefined {
  if (!input.startsWith('/')) return input;
  for (const root of roots) {
    if (input === root) return '';
    const prefix = root.endsWith('/') ? root : `${root}/`;
    if (input.startsWith(prefix)) return input.slice(prefix.length);
  }
  return undefined;
}

/** As `belowRoot`, by the rules of Windows: no devices, no shares, no paths that depend on a drive's current folder. */
function belowWindowsRoot(input: string, roots: readonly string[]): string | undefined {
  const path = input.replaceAll('/', '\\');
  if (!path.startsWith('\\') && !/^[a-z]:/i.test(path)) return path;
  if (!/^[a-z]:\\/i.test(path)) return undefined;
  for (const root of roots) {
    const prefix = `${root.replaceAll('/', '\\').replace(/\\+$/, '')}\\`;
    if (`${path}\\`.toLowerCase() === prefix.toLowerCase()) return '';
    if (path.toLowerCase().startsWith(prefix.toLowerCase())) return path.slice(prefix.length);
  }
  return undefined;
}
