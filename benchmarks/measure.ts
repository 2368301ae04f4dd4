/** One comparison: ours against the loop that one would write by hand, over the same transport, in the same process. */
export interface Comparison {
  readonly name: string;
  /** Milliseconds of CPU per run, medians. */
  readonly ours: number;
  readonly plain: number;
  /** Median of the rounds' ratios, ours to plain. */
  readonly ratio: number;
  readonly bound: number;
}

type Work = () => unknown;

export interface Rounds {
  readonly rounds: number;
  /** Runs per round and side. */
  readonly runs: number;
  readonly bound: number;
}

/** How long both sides run before anything is measured, in milliseconds: until the engine has compiled what it will compile. */
export const WARM_UP = 6_000;

/** Runs both sides in turn (A B, B A, A B …), so that a drift of the machine's speed hits both. */
export async function compare(name: string, ours: Work, plain: Work, { rounds, runs, bound }: Rounds): Promise<Comparison> {
  const warm = performance.now() + WARM_UP;
  while (performance.now() < warm) {
    await repeat(ours, runs);
    await repeat(plain, runs);
  }
  const a: number[] = [];
  const b: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const sides: [Work, number[]][] = [
      [ours, a],
      [plain, b],
    ];
    for (const [work, times] of round % 2 === 0 ? sides : sides.reverse()) times.push(await cpu(work, runs));
  }
  return { name, ours: median(a), plain: median(b), ratio: median(a.map((time, at) => time / (b[at] as number))), bound };
}

/**
 * Milliseconds of CPU (user and system, all threads) per run. Collecting garbage is part of it, as it comes; a full collection between
 * the rounds would throw away the shapes of objects, and with them all compiled code, so that compilers would be measured.
 */
async function cpu(work: Work, runs: number): Promise<number> {
  const before = process.cpuUsage();
  await repeat(work, runs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / runs;
}

async function repeat(work: Work, runs: number): Promise<void> {
  for (let run = 0; run < runs; run++) await work();
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Prints a figure with its bound and whether it holds. */
export function report(name: string, value: number, bound: number, unit: string, detail = ''): boolean {
  const holds = value <= bound;
  console.log(
    `${holds ? 'ok  ' : 'OVER'} ${name.padEnd(58)} ${value.toFixed(2).padStart(8)}${unit} (bound ${bound}${unit})${detail === '' ? '' : `  ${detail}`}`,
  );
  return holds;
}

export function reportComparison({ name, ours, plain, ratio, bound }: Comparison): boolean {
  return report(name, ratio, bound, '×', `ours ${ours.toFixed(3)} ms, plain ${plain.toFixed(3)} ms`);
}
