/** The name that was probably meant: the closest of the known ones, when it is close enough and no other is as close. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > 100) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  let tied = false;
  for (const candidate of known) {
    if (candidate.length > 100) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least) [best, least, tied] = [candidate, distance, false];
    else if (distance === least && best !== undefined) tied = true;
  }
  return tied ? undefined : best;
}

/** Optimal string alignment: insertions, deletions, replacements, and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, before[j - 2]! + 1);
      row.push(value);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
