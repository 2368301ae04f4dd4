import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionBusyError, SessionError, type SessionStore } from 'toolwright';
import { FileSessions, MemorySessions, SqliteSessions, type SqliteDatabase } from 'toolwright/sessions';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sessions-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (n: number) => ({ kind: 'test', n });
const STORES: readonly [string, () => SessionStore][] = [
  ['memory', () => new MemorySessions()],
  ['files', () => new FileSessions(join(folder, 'files'), { sync: false })],
  ['SQLite', () => new SqliteSessions(join(folder, 'sessions.db'))],
];

describe.each(STORES)('sessions in %s', (_, make) => {
  test('what is appended is read back in order, what is saved replaces it', async () => {
    const store = make();
    expect(await store.load('a')).toEqual([]);
    const lock = await store.lock('a');
    await store.append(lock, [entry(1), entry(2)]);
    await store.append(lock, [entry(3)]);
    expect(await store.load('a')).toEqual([entry(1), entry(2), entry(3)]);
    await store.save(lock, [entry(9)]);
    await store.append(lock, [entry(10)]);
    await lock.release();
    expect(await store.load('a')).toEqual([entry(9), entry(10)]);
    expect(await store.load('b')).toEqual([]);
  });

  test('a second writer is refused, until the first has released; each session has its own lock', async () => {
    const store = make();
    const lock = await store.lock('a');
    await expect(store.lock('a')).rejects.toThrow(SessionBusyError);
    await (await store.lock('b')).release();
    await lock.release();
    await lock.release();
    await (await store.lock('a')).release();
  });

  test('of many who ask at once at most one gets the lock, and then one of them can', async () => {
    const store = make();
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => store.lock('a')));
    const got = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(got.length).toBeLessThanOrEqual(1);
    for (const one of asked) if (one.status === 'rejected') expect(SessionBusyError.is(one.reason)).toBe(true);
    for (const lock of got) await lock.release();
    await (await store.lock('a')).release();
  });

  test('nothing is written with a lock that was released', async () => {
    const store = make();
    const lock = await store.lock('a');
    await lock.release();
    await expect(store.append(lock, [entry(1)])).rejects.toThrow(SessionError);
    await expect(store.save(lock, [entry(1)])).rejects.toThrow(SessionError);
    expect(await store.load('a')).toEqual([]);
  });

  test('sessions are listed, and deleted unless somebody works in them', async () => {
    const store = make();
    for (const id of ['a', 'b']) {
      const lock = await store.lock(id);
      await store.append(lock, [entry(1)]);
      await lock.release();
    }
    expect((await store.list()).map(({ id }) => id).sort()).toEqual(['a', 'b']);
    const lock = await store.lock('a');
    await expect(store.delete('a')).rejects.toThrow(SessionBusyError);
    await lock.release();
    await store.delete('a');
    await store.delete('never there');
    expect((await store.list()).map(({ id }) => id)).toEqual(['b']);
    expect(await store.load('a')).toEqual([]);
  });

  test('ids that differ by case alone are two sessions', async () => {
    const store = make();
    const lock = await store.lock('a');
    await store.append(lock, [entry(1)]);
    await lock.release();
    expect(await store.load('A')).toEqual([]);
  });

  test.each(['a/b', '../../etc/passwd', 'A', 'con', 'ünïcode 🙂', '.', 'x'.repeat(100)])(
    'the id %j is an id like any other',
    async (id) => {
      const store = make();
      const lock = await store.lock(id);
      await store.append(lock, [entry(1)]);
      await lock.release();
      expect((await store.list()).map((info) => info.id)).toEqual([id]);
      expect(await store.load(id)).toEqual([entry(1)]);
    },
  );
});

describe('files', () => {
  const path = (): string => join(folder, 'files', 's-a.jsonl');
  const store = (): FileSessions => new FileSessions(join(folder, 'files'), { sync: false });

  test('a line that was never finished is cut off by the next writer', async () => {
    const own = store();
    const first = await own.lock('a');
    await own.append(first, [entry(1)]);
    await first.release();
    appendFileSync(path(), '[{"kind":"te');
    expect(await own.load('a')).toContainEqual(entry(1));
    const next = await own.lock('a');
    await own.append(next, [entry(2)]);
    await next.release();
    expect(readFileSync(path(), 'utf8').trim().split('\n').at(-1)).toBe(JSON.stringify([entry(2)]));
    expect((await own.load('a')).at(-1)).toEqual(entry(2));
  });

  test('a damaged line in the middle is an error that names it, never a shorter conversation', async () => {
    const own = store();
    await (await own.lock('a')).release();
    writeFileSync(path(), `${JSON.stringify([entry(1)])}\n{"kind"\n${JSON.stringify([entry(2)])}\n`);
    await expect(own.load('a')).rejects.toThrow(/Line 2 of the session "a" is damaged/);
  });

  test('the lock of a process that was killed is taken over, the lock of a live one is not', async () => {
    const own = store();
    const script = `
      require('ts-node/register/transpile-only');
      const { FileSessions } = require(${JSON.stringify(join(__dirname, '../../src/sessions/file-sessions.ts'))});
      new FileSessions(${JSON.stringify(join(folder, 'files'))}).lock('a').then(() => { console.log('held'); setInterval(() => {}, 1000); });`;
    const child = spawn(process.execPath, ['-e', script], { cwd: join(__dirname, '../..'), stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await expect(own.lock('a')).rejects.toThrow(SessionBusyError);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    const [one, two] = await Promise.allSettled([own.lock('a'), store().lock('a')]);
    expect([one, two].filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
    for (const taken of [one, two]) if (taken.status === 'fulfilled') await taken.value.release();
    const lock = await own.lock('a');
    expect(readdirSync(join(folder, 'files')).filter((name) => name.includes('.lock.'))).toHaveLength(1);
    await lock.release();
    expect(readdirSync(join(folder, 'files')).filter((name) => name.includes('.lock.'))).toEqual([]);
  }, 30_000);

  test('a folder that cannot be read is an error, not a place without sessions', async () => {
    expect(await store().list()).toEqual([]);
    writeFileSync(join(folder, 'files'), 'no folder');
    await expect(store().list()).rejects.toThrow(SessionError);
  });
});

test('SQLite: what went wrong is told, also where it has rolled back by itself', async () => {
  const full: SqliteDatabase = {
    exec(sql) {
      if (sql === 'COMMIT') throw new Error('database or disk is full');
      if (sql === 'ROLLBACK') throw new Error('cannot rollback - no transaction is active');
    },
    pragma: () => undefined,
    prepare: () => ({ run: () => undefined, get: () => undefined, all: () => [] }),
    close: () => undefined,
  };
  await expect(new SqliteSessions(full).lock('a')).rejects.toThrow('database or disk is full');
});
