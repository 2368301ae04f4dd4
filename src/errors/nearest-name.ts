// Names longer than this are cut before they are compared: a hostile name must not cost quadratic time.
const LONGEST = 64;

/**
 * The known name that somebody most likely meant: the one with the fewest edits, if they are few for its length.
 * Case and separators do not count as edits.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = bare(name);
  let best: string | undefined;
  // Where every letter would change, nothing is left of what was written.
  let fewest = Math.min(Math.max(1, Math.floor(wanted.length / 3)) + 1, Math.max(1, wanted.length));
  for (const candidate of known) {
    const edits = distance(wanted, bare(candidate), fewest);
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** ` Did you mean \`x\`?`, or nothing: to be put behind a sentence. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`;
}

const bare = (name: string): string =>
  name
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[_\-. ]/g, '');

/** Insertions, deletions, replacements and swaps of neighbours between two short texts; `limit` or more means "too many". */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let edits = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1);
      current.push(edits);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? limit;
}
