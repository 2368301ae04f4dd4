import type { ArgumentFault } from './contract';

/** The longest text, in UTF-16 code units. With the sentences that a call puts around it, the model is told no more than 2 000. */
const MAX_CHARS = 1_800;
const MAX_LINE = 300;

/**
 * What the model is told when its arguments do not fit: every fault by path, expected and got.
 *
 * @example describeFaults([{ path: 'from.y', expected: 'a number', got: '"north"' }])
 */
export function describeFaults(faults: readonly ArgumentFault[]): string {
  return listFaults('The arguments do not fit; nothing was done. Correct them and call again:', faults);
}

/** The faults under a line of one's own; `whole` is what the value itself is called. */
export function listFaults(head: string, faults: readonly ArgumentFault[], whole = 'the arguments'): string {
  // The sentence about what was left out is counted from the start, so it always fits.
  const reserve = 40;
  let text = head;
  for (const [at, fault] of faults.entries()) {
    const line = `\n- ${lineOf(fault, whole)}`;
    if (text.length + line.length > MAX_CHARS - reserve) return `${text}\n- and ${faults.length - at} more`.slice(0, MAX_CHARS);
    text += line;
  }
  return text.slice(0, MAX_CHARS);
}

function lineOf(fault: ArgumentFault, whole: string): string {
  const where = fault.path === '' ? whole : fault.path;
  const hint = fault.hint === undefined ? '' : ` (${fault.hint})`;
  return cut(`${where}: expected ${fault.expected}, got ${fault.got}${hint}`);
}

function cut(line: string): string {
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE - 1)}…`;
}
