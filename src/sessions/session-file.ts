import { SessionError } from '../errors/session-error';
import type { SessionEntry } from '../types/session';

const PREFIX = 's-';
const SUFFIX = '.jsonl';

/**
 * The name of a session's file: its id with everything but small letters, digits, `-` and `_` written as `%XX`, so that ids that differ by
 * case alone are two files on every system, and none is a path or a device.
 */
export function fileName(id: string): string {
  const bytes = Buffer.from(id, 'utf8');
  let name = '';
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    name += /[a-z0-9_-]/.test(char) ? char : `%${byte.toString(16).padStart(2, '0')}`;
  }
  if (name === '' || PREFIX.length + name.length + SUFFIX.length > 200)
    throw new SessionError(`The session id ${JSON.stringify(id.slice(0, 40))}… does not fit into the name of a file. Use a shorter one.`);
  return `${PREFIX}${name}${SUFFIX}`;
}

/** The id of a session's file; `undefined` for other files. */
export function idOf(name: string): string | undefined {
  if (!name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) return undefined;
  const written = name.slice(PREFIX.length, -SUFFIX.length);
  if (!/^(?:[a-z0-9_-]|%[0-9a-f]{2})+$/.test(written)) return undefined;
  return Buffer.from(
    written.replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
}

const LINE_END = 10;

/**
 * The entries of a log, and how many bytes of it are whole lines: what stands behind the last line end was never finished.
 * @throws SessionError for a whole line that is no list of entries
 */
export function parseLog(bytes: Buffer, id: string): { readonly entries: readonly SessionEntry[]; readonly whole: number } {
  const whole = bytes.lastIndexOf(LINE_END) + 1;
  const entries: SessionEntry[] = [];
  const lines = bytes.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
  for (const [at, line] of lines.entries()) entries.push(...parseLine(line, at, id));
  return { entries, whole };
}

function parseLine(line: string, at: number, id: string): readonly SessionEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new SessionError(`Line ${at + 1} of the session ${JSON.stringify(id)} is damaged.`, { cause });
  }
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null)) return value as SessionEntry[];
  throw new SessionError(`Line ${at + 1} of the session ${JSON.stringify(id)} is no list of entries.`);
}
