/** Beyond this many pairs of lines a difference is not worked out, only shown as old and new. */
const MOST_PAIRS = 4_000_000;
const CONTEXT = 2;
const MOST_SHOWN = 60;
const LONGEST_LINE = 200;

type Line = { readonly mark: ' ' | '-' | '+'; readonly text: string };

/** How two texts differ, by the line: `-` stands only in the first, `+` only in the second. */
export function lineDiff(before: string, after: string): string {
  const lines = compare(before.split('\n'), after.split('\n'));
  const near = lines.map((_line, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ mark }) => mark !== ' '));
  const shown: string[] = [];
  for (const [at, { mark, text }] of lines.entries()) {
    if (near[at] !== true) {
      if (near[at - 1] === true) shown.push('  ...');
      continue;
    }
    if (shown.length === MOST_SHOWN) {
      shown.push('  ... and more');
      break;
    }
    shown.push(`${mark} ${text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}...` : text}`);
  }
  return shown.join('\n');
}

/** How many lines two texts have in common, wherever they stand. */
export function commonLines(a: string, b: string): number {
  const counts = new Map<string, number>();
  for (const line of a.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of b.split('\n')) {
    const left = counts.get(line) ?? 0;
    if (left === 0) continue;
    counts.set(line, left - 1);
    common += 1;
  }
  return common;
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const middle = changed(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...marked(' ', before.slice(0, start)), ...middle, ...marked(' ', before.slice(before.length - end))];
}

/** By the longest common subsequence. */
function changed(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1;
  if ((before.length + 1) * width > MOST_PAIRS) return [...marked('-', before), ...marked('+', after)];
  const longest = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      longest[i * width + j] =
        before[i] === after[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ mark: ' ', text: before[i]! });
      i += 1;
      j += 1;
    } else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) lines.push({ mark: '-', text: before[i++]! });
    else lines.push({ mark: '+', text: after[j++]! });
  }
  return [...lines, ...marked('-', before.slice(i)), ...marked('+', after.slice(j))];
}

function marked(mark: Line['mark'], lines: readonly string[]): Line[] {
  return lines.map((text) => ({ mark, text }));
}
