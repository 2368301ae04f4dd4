const CONTEXT = 3;
const MOST_LINES = 400;
const LONGEST_LINE = 500;
/** Differing lines up to which the shortest script is looked for; beyond it a block is shown as replaced. */
const MOST_STEPS = 800;

interface Step {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * What changes between two texts, as a unified diff (POSIX `diff -u`) of at most 400 lines; empty where nothing does.
 * @param before `undefined` where there was no file
 */
export function unifiedDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return '';
  const steps = stepsBetween(linesOf(before ?? ''), linesOf(after));
  const shown = hunks(steps);
  const lines = shown.length > MOST_LINES ? [...shown.slice(0, MOST_LINES), `… ${shown.length - MOST_LINES} more lines`] : shown;
  return [`--- ${before === undefined ? '/dev/null' : `a/${path}`}`, `+++ b/${path}`, ...lines].join('\n');
}

/** Lines without their ends; a last line that has no end is marked, so that the difference shows. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push(`${lines.pop() ?? ''}\n\\ No newline at end of file`);
  return lines;
}

function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const left = before.slice(start, before.length - end);
  const right = after.slice(start, after.length - end);
  const same = (text: string): Step => ({ sign: ' ', text });
  const middle = shortest(left, right) ?? [
    ...left.map((text): Step => ({ sign: '-', text })),
    ...right.map((text): Step => ({ sign: '+', text })),
  ];
  return [...before.slice(0, start).map(same), ...middle, ...before.slice(before.length - end).map(same)];
}

/** The shortest edit script (Myers, "An O(ND) Difference Algorithm"); `undefined` where it is longer than is worth the time. */
function shortest(left: readonly string[], right: readonly string[]): Step[] | undefined {
  const most = Math.min(left.length + right.length, MOST_STEPS);
  const reached = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  const at = (map: Map<number, number>, k: number): number => map.get(k) ?? -1;
  for (let d = 0; d <= most; d++) {
    trace.push(new Map(reached));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && at(reached, k - 1) < at(reached, k + 1)) ? at(reached, k + 1) : at(reached, k - 1) + 1;
      let y = x - k;
      while (x < left.length && y < right.length && left[x] === right[y]) {
        x++;
        y++;
      }
      reached.set(k, x);
      if (x >= left.length && y >= right.length) return backtrack(left, right, trace);
    }
  }
  return undefined;
}

function backtrack(left: readonly string[], right: readonly string[], trace: readonly Map<number, number>[]): Step[] {
  const steps: Step[] = [];
  let x = left.length;
  let y = right.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    const reached = trace[d] as Map<number, number>;
    const at = (k: number): number => reached.get(k) ?? -1;
    const k = x - y;
    const from = k === -d || (k !== d && at(k - 1) < at(k + 1)) ? k + 1 : k - 1;
    const fromX = at(from);
    const fromY = fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      steps.push({ sign: ' ', text: left[--x] as string });
      y--;
    }
    if (d === 0) break;
    if (x === fromX) steps.push({ sign: '+', text: right[--y] as string });
    else steps.push({ sign: '-', text: left[--x] as string });
  }
  return steps.reverse();
}

function hunks(steps: readonly Step[]): string[] {
  const near = new Uint8Array(steps.length);
  steps.forEach((step, at) => {
    if (step.sign !== ' ') near.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  const lines: string[] = [];
  let [left, right] = [0, 0];
  for (let at = 0; at < steps.length;) {
    if (near[at] === 0) {
      left++;
      right++;
      at++;
      continue;
    }
    let until = at;
    while (until < steps.length && near[until] === 1) until++;
    const hunk = steps.slice(at, until);
    const lefts = hunk.filter(({ sign }) => sign !== '+').length;
    const rights = hunk.filter(({ sign }) => sign !== '-').length;
    lines.push(`@@ -${range(left, lefts)} +${range(right, rights)} @@`, ...hunk.map(({ sign, text }) => `${sign}${short(text)}`));
    left += lefts;
    right += rights;
    at = until;
  }
  return lines;
}

/** A range of no lines is written with the line before it. */
function range(before: number, count: number): string {
  return `${count === 0 ? before : before + 1},${count}`;
}

function short(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
