import { fork } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { ToolCallRecord } from 'toolwright';
import { FileSessions } from 'toolwright/sessions';
import { readLog, shownMessages, type LogEntry } from '../../src/runner/persistence/session-log';
import { isValidTranscript } from '../runner/agents';
import { readWorld, type WorldEvent } from './campaign/agent';

/*
 * Processes are killed at random moments while they bring runs to their end, and others go on with what is in the file store. What the
 * tools did to the world is written down outside, and compared.
 */

const KILLS = 100;
const LANES = 3;
/** Signs of life (ready, a tool begins, a tool ends) before the kill, at most; it falls within so many milliseconds after the last of them. */
const LONGEST_LIFE = 8;
const AFTER = 6;

const root = join(__dirname, '../..');
const worker = join(root, '.cache/campaign', `worker-${process.pid}.js`);
let folder: string;

beforeAll(() => {
  mkdirSync(join(root, '.cache/campaign'), { recursive: true });
  buildSync({
    entryPoints: [join(__dirname, 'campaign/worker.ts')],
    outfile: worker,
    bundle: true,
    platform: 'node',
    packages: 'external',
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'error',
  });
  folder = mkdtempSync(join(tmpdir(), 'campaign-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(worker, { force: true });
});

interface Ended {
  readonly killed: boolean;
  readonly code: number | null;
}

/** Starts a process on a session and kills it soon after so many signs of life, unless it is done before. */
function live(session: string, log: string, signs: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = fork(worker, [folder, session, log], { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let killed = false;
    let left = signs;
    let timer: NodeJS.Timeout | undefined;
    child.on('message', () => {
      if (left-- === 0) timer = setTimeout(() => (killed = child.kill('SIGKILL')), Math.random() * AFTER);
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve({ killed: killed && code === null, code });
    });
  });
}

/** The calls that have their result in the session, by what they did. */
function settledCalls(session: string): ToolCallRecord[] {
  const path = join(folder, `s-${session}.jsonl`);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.flatMap((line) =>
    (JSON.parse(line) as LogEntry[]).flatMap((entry) => (entry.kind === 'result' ? [entry.result.record] : [])),
  );
}

const WORDS = new Map([
  ['read', 'account'],
  ['set_limit', 'limit'],
  ['pay', 'to'],
]);
const NAMES = new Map([['set_limit', 'limit']]);

function deed({ name, arguments: args }: ToolCallRecord): string {
  return `${NAMES.get(name) ?? name} ${String((args as Record<string, unknown>)[WORDS.get(name) ?? ''])}`;
}

const count = (world: readonly WorldEvent[], what: string): number => world.filter((event) => event.what === what).length;

test(`after each of ${KILLS} kills every run is brought to its end, and nothing that must not happen twice does`, async () => {
  let kills = 0;
  let unsettled = 0;
  let repeated = 0;
  const oneSession = async (session: string): Promise<void> => {
    const log = join(folder, `${session}.log`);
    let lived: Ended;
    const settledBefore: { readonly deed: string; readonly begun: number }[] = [];
    do {
      lived = await live(session, log, kills < KILLS ? Math.floor(Math.random() * LONGEST_LIFE) : Infinity);
      if (lived.killed) kills++;
      const world = readWorld(log);
      for (const record of settledCalls(session))
        if (record.name !== 'researcher') settledBefore.push({ deed: deed(record), begun: count(world, `begin ${deed(record)}`) });
    } while (lived.killed);
    expect(lived).toEqual({ killed: false, code: 0 });

    const entries = await new FileSessions(folder).load(session);
    const view = readLog(entries, session);
    expect(view.open).toBeUndefined();
    const messages = shownMessages(view);
    expect(isValidTranscript(messages)).toBe(true);
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', parts: [{ text: 'All done.' }] });

    const world = readWorld(log);
    // What had its result before a kill was not begun again after it.
    for (const { deed: what, begun } of settledBefore) expect([what, count(world, `begin ${what}`)]).toEqual([what, begun]);
    const records = settledCalls(session);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    for (const record of records) {
      if (record.name === 'researcher') {
        expect(['ok', 'unsettled']).toContain(record.outcome);
        continue;
      }
      const what = deed(record);
      const begun = count(world, `begin ${what}`);
      if (record.name === 'pay') {
        // Not to be repeated: it happened once, or nobody knows.
        expect([what, record.outcome === 'ok' ? begun === 1 && count(world, `end ${what}`) === 1 : begun <= 1]).toEqual([what, true]);
        if (record.outcome === 'unsettled') unsettled++;
        else expect(record.outcome).toBe('ok');
      } else {
        expect([what, record.outcome]).toEqual([what, 'ok']);
        expect(begun).toBeGreaterThanOrEqual(1);
        if (begun > 1) repeated++;
      }
      // Every attempt, in whatever process, had the same key.
      expect(new Set(world.filter((event) => event.what.endsWith(what)).map(({ key }) => key)).size).toBeLessThanOrEqual(1);
    }
  };
  let session = 0;
  const lane = async (): Promise<void> => {
    while (kills < KILLS) await oneSession(`run-${++session}`);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  expect(kills).toBeGreaterThanOrEqual(KILLS);
  // The kills fell into calls, or this would have shown nothing.
  expect(unsettled + repeated).toBeGreaterThan(0);
  // Some twenty seconds where nothing else is at work.
}, 600_000);
