import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unifiedDiff } from '../../../src/toolsets/files/unified-diff';

const numbered = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => `${from + at}`);

describe('unified diffs', () => {
  it('are empty where nothing changes', () => {
    expect(unifiedDiff('a.txt', 'x\n', 'x\n')).toBe('');
  });

  it('show a new file', () => {
    expect(unifiedDiff('a.txt', undefined, 'x\ny')).toBe(
      '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file',
    );
  });

  it('keep hunks apart, with three lines around each', () => {
    const before = numbered(1, 30);
    const after = before.with(4, 'five').toSpliced(24, 1);
    expect(
      unifiedDiff('n', `${before.join('\n')}\n`, `${after.join('\n')}\n`)
        .split('\n')
        .filter((line) => /^[-+@]/.test(line)),
    ).toEqual(['--- a/n', '+++ b/n', '@@ -2,7 +2,7 @@', '-5', '+five', '@@ -22,7 +22,6 @@', '-25']);
  });

  it('are what `patch` needs to make one text of the other', () => {
    const folder = mkdtempSync(join(tmpdir(), 'diff-'));
    if (spawnSync('patch', ['--version']).status !== 0) return;
    let seed = 1;
    const chance = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let round = 0; round < 40; round++) {
      const lines = Array.from({ length: Math.floor(chance() * 40) + 1 }, () => `line ${Math.floor(chance() * 8)}`);
      const changed = lines.flatMap((line) => (chance() < 0.2 ? [] : chance() < 0.2 ? [line, `new ${Math.floor(chance() * 4)}`] : [line]));
      const [before, after] = [lines.join('\n') + (chance() < 0.5 ? '\n' : ''), changed.join('\n') + (chance() < 0.5 ? '\n' : '')];
      if (after === '' || before === after) continue;
      writeFileSync(join(folder, 'a'), before);
      execFileSync('patch', ['-s', 'a'], { cwd: folder, input: `${unifiedDiff('a', before, after)}\n` });
      expect(execFileSync('cat', ['a'], { cwd: folder, encoding: 'utf8' })).toBe(after);
    }
    rmSync(folder, { recursive: true });
  });

  it('stay quick and short between texts that have nothing in common', () => {
    const startedAt = process.cpuUsage();
    const diff = unifiedDiff('a', numbered(1, 20_000).join('\n'), numbered(30_000, 50_000).join('\n'));
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
    expect(diff.split('\n').length).toBeLessThan(410);
  });
});
