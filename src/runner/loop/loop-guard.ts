import type { SettledCall } from './turn-facts';

/** Turns that a repeated pattern may have, and how often it must be seen in a row. */
const LONGEST_PATTERN = 3;
const REPEATS = 3;
const KEPT = LONGEST_PATTERN * REPEATS;

/** The trace with one more turn; only as much as the guard looks at is kept. */
export function traced(trace: readonly string[], turn: string): readonly string[] {
  return trace.length < KEPT ? [...trace, turn] : [...trace.slice(trace.length - KEPT + 1), turn];
}

/**
 * Whether the last turns repeat: the same calls with the same results three times in a row, or a cycle of two or three
 * turns (A B A B A B). Anything else between, such as a call that changes something, breaks the pattern.
 */
export function repeats(trace: readonly string[]): boolean {
  for (let period = 1; period <= LONGEST_PATTERN; period++) if (endsInCycle(trace, period)) return true;
  return false;
}

function endsInCycle(trace: readonly string[], period: number): boolean {
  const needed = period * REPEATS;
  if (trace.length < needed) return false;
  for (let at = trace.length - needed + period; at < trace.length; at++) if (trace[at] !== trace[at - period]) return false;
  return true;
}

/**
 * What one turn did, as a short text that is equal for equal calls with equal results. Calls of `polling` tools are left
 * out, and a turn of nothing else is like no other.
 */
export function fingerprint(turn: number, calls: readonly SettledCall[]): string {
  const counted = calls.filter((call) => !call.polling);
  return counted.length === 0 ? `turn ${turn}` : digest(counted.map((call) => call.says).join('\u0000'));
}

/** 53 bits of a text: enough that two different turns in a row are not taken for one. */
function digest(text: string): string {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return (4294967296 * (2097151 & high) + (low >>> 0)).toString(36);
}
