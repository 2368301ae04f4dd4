// Breaks one promise after the other in a copy of the tree, and fails unless the tests that stand for it fail.
// `npm run mutants`, or `npm run mutants -- taint` for those whose names hold a word; `--placed` only looks whether all of them can be made.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTANTS } from './mutant-list.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const WORKERS = 2;
/** How long a test may hang before it counts as failed: a mutant may leave many of them hanging. */
const TEST_TIMEOUT_MS = 5_000;
/** Files that are not done by then said nothing; all of them together may take longer. */
const LONGEST_MS = 180_000;
const LONGEST_OF_ALL_MS = 600_000;
const COPIED = ['src', 'tests', 'samples', 'package.json', 'jest.config.ts', 'tsconfig.json', 'tsconfig.jest.json'];

const onlyPlaced = process.argv[2] === '--placed';
const wanted = onlyPlaced ? '' : (process.argv[2] ?? '');
const chosen = MUTANTS.filter(({ name }) => name.includes(wanted));
if (chosen.length === 0) fail(`No mutant's name holds "${wanted}".`);
const misplaced = chosen.flatMap((mutant) =>
  editsOf(mutant)
    .filter(({ file, find }) => readFileSync(join(root, file), 'utf8').split(find).length !== 2)
    .map(({ file, find }) => `${mutant.name}: in ${file} there must be exactly one\n    ${find}`),
);
if (misplaced.length > 0) fail(`The sources have changed; mend scripts/mutant-list.mjs.\n  ${misplaced.join('\n  ')}`);
if (onlyPlaced) process.exit();

const work = mkdtempSync(join(tmpdir(), 'toolwright-mutants-'));
const children = new Set();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(work, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const copies = Array.from({ length: Math.min(WORKERS, chosen.length) }, (_, at) => copyOf(`copy-${at}`));
const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
const sound = await jest(copies[0], all, LONGEST_OF_ALL_MS);
if (sound.verdict !== 'passed') fail(`The tests must pass before anything is broken: ${sound.verdict}.\n${sound.says}`);
console.log(`Without a mutant: ${sound.passed} tests of ${all.length} files pass (${seconds(sound.ms)}).\n`);

const width = Math.max(...chosen.map(({ name }) => name.length));
const survivors = [];
const queue = chosen.values();
await Promise.all(
  copies.map(async (copy) => {
    for (const mutant of queue) {
      const { verdict, says, ms } = await withMutant(copy, mutant, () => jest(copy, mutant.tests));
      const killed = verdict === 'failed';
      if (!killed) survivors.push(mutant.name);
      console.log(
        `${killed ? 'killed  ' : 'SURVIVED'}  ${mutant.name.padEnd(width)}  ${seconds(ms)}  ${killed ? says : `${verdict}. ${says}`}`,
      );
    }
  }),
);
if (survivors.length > 0) fail(`\n${survivors.length} of ${chosen.length} mutants survived: ${survivors.join('; ')}.`);
console.log(`\nAll ${chosen.length} mutants were killed.`);

function editsOf({ edits, file, find, put }) {
  return edits ?? [{ file, find, put }];
}

function copyOf(name) {
  const copy = join(work, name);
  mkdirSync(copy);
  for (const one of COPIED) cpSync(join(root, one), join(copy, one), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}

async function withMutant(copy, mutant, use) {
  const edits = editsOf(mutant);
  const before = new Map(edits.map(({ file }) => [file, readFileSync(join(copy, file), 'utf8')]));
  try {
    for (const { file, find, put } of edits) {
      const path = join(copy, file);
      const [head, ...tail] = readFileSync(path, 'utf8').split(find);
      if (tail.length !== 1) throw new Error(`${mutant.name}: an earlier edit took what this one needs in ${file}.`);
      writeFileSync(path, head + put + tail[0]);
    }
    return await use();
  } finally {
    for (const [file, text] of before) writeFileSync(join(copy, file), text);
  }
}

/** `failed` only where a test ran and failed: a file that could not even be loaded proves nothing. */
function jest(copy, tests, longest = LONGEST_MS) {
  const started = Date.now();
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const args = [
    '--selectProjects',
    'isolated',
    '--runInBand',
    '--forceExit',
    '--silent',
    `--testTimeout=${TEST_TIMEOUT_MS}`,
    '--json',
    '--outputFile',
    report,
  ];
  // The suite's configuration is TypeScript, and is checked elsewhere.
  const env = { ...process.env, TS_NODE_TRANSPILE_ONLY: 'true', CI: 'true' };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules/jest/bin/jest.js'), ...args, '--runTestsByPath', ...tests], {
      cwd: copy,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children.add(child);
    let said = '';
    child.stderr.on('data', (data) => (said = (said + data).slice(-4_000)));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, longest);
    child.once('close', () => {
      clearTimeout(timer);
      children.delete(child);
      const ms = Date.now() - started;
      resolve({ ms, ...(isLate ? { verdict: `not done after ${seconds(longest)}`, says: said } : read(report, said)) });
    });
  });
}

function read(report, said) {
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { verdict: 'the tests could not be started', says: said };
  }
  const broken = results.testResults.find(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  if (broken !== undefined) return { verdict: 'a file could not be loaded', says: broken.message };
  const failures = results.testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'));
  if (failures.length > 0) return { verdict: 'failed', says: `${failures.length} failed, such as: ${failures[0].fullName}` };
  return { verdict: results.success ? 'passed' : 'failed without a failing test', says: '', passed: results.numPassedTests };
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
