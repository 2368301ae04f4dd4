import type { ArgumentFault } from './contract';

/** The longest text, in UTF-16 code units. */
const MAX_CHARS = 2_000;
const MAX_LINE = 300;

/**
 * What the model is told when its arguments do not fit: every fault by path, expected and got.
 *
 * @param options.maxChars the longest text, 2 000 by default
 * @example describeFaults([{ path: 'from.y', expected: 'a number', got: '"north"' }])
 */
export function describeFaults(faults: readonly ArgumentFault[], options: { readonly maxChars?: number } = {}): string {
  return listFaults('The arguments do not fit; nothing was done. Correct them and call again:', faults, options.maxChars);
}

/** The faults under a line of one's own. */
export function listFaults(head: string, faults: readonly ArgumentFault[], limit = MAX_CHARS): string {
  // The sentence about what was left out is counted from the start, so it always fits.
  const reserve = 40;
  let text = head;
  for (const [at, fault] of faults.entries()) {
    const line = `\n- ${lineOf(fault)}`;
    if (text.length + line.length > limit - reserve) return `${text}\n- and ${faults.length - at} more`.slice(0, limit);
    text += line;
  }
  return text.slice(0, limit);
}

function lineOf(fault: ArgumentFault): string {
  const where = fault.path === '' ? 'the arguments' : fault.path;
  const hint = fault.hint === undefined ? '' : ` (${fault.hint})`;
  return cut(`${where}: expected ${fault.expected}, got ${fault.got}${hint}`);
}

function cut(line: string): string {
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE - 1)}…`;
}
