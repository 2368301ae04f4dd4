import 'reflect-metadata';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, AgentConfig, auditTrail, forgetSecret, Param, secret, Tool, ToolRetry, UsageError } from '../../src/index';
import type { AuditEntry, RunOptions } from '../../src/index';
import { callTool, callTools, createTestRunner, say, scripted, type ScriptStep } from '../../src/testing/index';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
  path = join(folder, 'logs', 'calls.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const acted: string[] = [];
let whenActing = (): void => undefined;

@AgentConfig({ policy: { deny: ['forbidden'] } })
class Clerk extends Agent {
  @Tool({ description: 'Looks up.', annotations: { readOnly: true } })
  lookUp(@Param('id', { type: String }) id: string) {
    return `found ${id}`;
  }

  @Tool('Changes.')
  change(@Param('id', { type: String }) id: string, @Param('password', { type: String, optional: true }) _password?: string) {
    whenActing();
    acted.push(id);
    if (id === 'again') throw new ToolRetry('Which?');
    if (id === 'broken') throw new Error('no');
    return 'changed';
  }

  @Tool('Forbidden.')
  forbidden() {
    return 'never';
  }

  @Tool({ description: 'Asks.', requiresApproval: true })
  ask(@Param('id', { type: String }) id: string) {
    acted.push(id);
    return 'done';
  }
}

const lines = (): AuditEntry[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEntry);
const brief = (): string[] => lines().map(({ entry, tool, outcome, reason }) => [entry, tool, outcome, reason].filter(Boolean).join(' '));

async function run(steps: readonly ScriptStep[], options: RunOptions = {}, fsync = false) {
  acted.length = 0;
  return createTestRunner({ model: scripted([...steps, say('done')]) }).run(Clerk, 'go', {
    hooks: [auditTrail({ path, fsync })],
    ...options,
  });
}

afterEach(() => {
  whenActing = () => undefined;
});

it.each([false, true])('every call in every outcome has its line, in order (fsync: %s)', async (fsync) => {
  await run(
    [
      callTool('look_up', { id: 'a' }),
      callTool('change', { id: 'b' }),
      callTool('change', { id: 5, x: 1 }),
      callTool('change', { id: 'again' }),
      callTool('change', { id: 'broken' }),
      callTool('nothing_such'),
      callTool('forbidden'),
      callTool('ask', { id: 'c' }),
      callTool('change', '{"id": broken'),
    ],
    {},
    fsync,
  );
  expect(brief()).toEqual([
    'end look_up ok',
    'begin change',
    'end change ok',
    'end change invalid',
    'begin change',
    'end change error',
    'begin change',
    'end change error',
    'end nothing_such unknown',
    'end forbidden denied policy',
    'end ask denied approval_unavailable',
    'end change invalid',
  ]);
});

it('a line says who, what, with what, and how it came out', async () => {
  const { runId } = await run([callTool('change', { id: 'b' })], { metadata: { user: 'u-17' } });
  const [begin, end] = lines();
  expect(begin).toEqual({
    v: 1,
    at: '2026-01-01T00:00:00.000Z',
    entry: 'begin',
    runId,
    callId: expect.any(String),
    key: `${runId}:1:0`,
    tool: 'change',
    arguments: { id: 'b' },
    metadata: { user: 'u-17' },
  });
  expect(end).toMatchObject({ entry: 'end', key: begin!.key, outcome: 'ok', attempts: 1, content: [{ type: 'text', text: 'changed' }] });
});

it('what changes something is written down before it acts', async () => {
  const seen: string[][] = [];
  whenActing = () => seen.push(brief());
  await run([callTool('change', { id: 'b' })]);
  expect(seen).toEqual([['begin change']]);
});

it('what cannot be written down is not done, and what only reads is', async () => {
  mkdirSync(path, { recursive: true });
  const { toolCalls, warnings } = await run([callTool('change', { id: 'b' }), callTool('look_up', { id: 'a' })]);
  expect(toolCalls.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['denied', 'hook'],
    ['ok', undefined],
  ]);
  expect(acted).toEqual([]);
  expect(warnings.join()).toMatch(/afterTool for `look_up` failed/);
});

it('the arguments are those that count: after hooks, and after a person has edited them', async () => {
  await run([callTool('ask', { id: 'c' })], { approve: () => ({ edit: { id: 'edited' } }) });
  expect(lines().map((line) => line.arguments)).toEqual([{ id: 'edited' }, { id: 'edited' }]);
});

it('hides secrets, also in arguments that could not be read', async () => {
  secret('hunter2-hunter2');
  try {
    await run([
      callTool('change', { id: 'hunter2-hunter2', password: 'pass-phrase' }),
      callTool('change', '{"password": "pass-phrase", "id": hunter2-hunter2'),
    ]);
  } finally {
    forgetSecret('hunter2-hunter2');
  }
  const text = readFileSync(path, 'utf8');
  expect(text).not.toMatch(/hunter2|pass-phrase/);
  expect(text).toMatch(/\[redacted\]/);
});

it('what is long is cut, line by line and text by text', async () => {
  await run([
    callTool('look_up', { id: 'x'.repeat(10_000) }),
    callTool('look_up', { id: 'y', ...Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, 'z'.repeat(3_000)])) }),
  ]);
  const [first, second] = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(first).toMatch(/x… \(10000 characters\)/);
  expect(second!.length).toBeLessThan(10_000);
  expect(JSON.parse(second!)).toMatchObject({ outcome: 'invalid', arguments: expect.stringMatching(/left out/) });
});

it('a line that a crash cut off spoils none that follow', async () => {
  mkdirSync(join(folder, 'logs'));
  writeFileSync(path, '{"v":1,"entry":"beg');
  await run([callTool('look_up', { id: 'a' })]);
  const [torn, whole] = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(torn).toBe('{"v":1,"entry":"beg');
  expect(JSON.parse(whole!)).toMatchObject({ tool: 'look_up' });
});

it('calls side by side, and runs side by side, write whole lines', async () => {
  @AgentConfig({ parallelToolCalls: true })
  class Busy extends Clerk {}
  const trail = auditTrail({ path, fsync: true });
  const one = (at: number) =>
    createTestRunner({ model: scripted([callTools([0, 1, 2, 3].map((n) => ['change', { id: `${at}-${n}` }] as const)), say('ok')]) }).run(
      Busy,
      'go',
      { hooks: [trail] },
    );
  await Promise.all([0, 1, 2, 3, 4].map(one));
  const all = lines();
  expect(all).toHaveLength(40);
  for (const end of all.filter(({ entry }) => entry === 'end')) {
    const at = all.indexOf(end);
    expect(
      all.slice(0, at).some(({ entry, arguments: args }) => entry === 'begin' && JSON.stringify(args) === JSON.stringify(end.arguments)),
    ).toBe(true);
  }
});

it('a file that is moved away is begun anew', async () => {
  const hooks = [auditTrail({ path })];
  await run([callTool('look_up', { id: 'a' })], { hooks });
  renameSync(path, `${path}.1`);
  await run([callTool('look_up', { id: 'b' })], { hooks });
  expect(lines()).toHaveLength(1);
});

(process.platform === 'win32' ? it.skip : it)('is for its owner only', async () => {
  await run([callTool('look_up', { id: 'a' })]);
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(existsSync(path)).toBe(true);
  chmodSync(path, 0o600);
  appendFileSync(path, '');
});

it.each([[undefined], [{}], [{ path: '' }], [{ path: 'x', fsync: 1 }], [{ path: 'x', sync: true }]])('refuses %j', (options) => {
  expect(() => auditTrail(options as never)).toThrow(UsageError);
});
