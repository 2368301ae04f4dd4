import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Agent,
  AgentConfig,
  AgentRunner,
  decide,
  Param,
  SnapshotError,
  Tool,
  UsageError,
  type PausedRun,
  type RunnerOptions,
} from 'toolwright';
import { encryptedSnapshots } from 'toolwright/sessions';
import { callTool, expectRequest, say, scripted } from 'toolwright/testing';
import { Effects, later, MailAgent, ParallelMailAgent } from './agents';

const mail = callTool('send_mail', { to: 'bo', text: 'Hi' }, { id: 'call_bo' });
const approveAll = ({ pending }: PausedRun) => pending.map((call) => decide(call, 'approve'));

async function paused(options: RunnerOptions = {}): Promise<PausedRun> {
  const result = await new AgentRunner({ model: scripted([mail]), ...options }).run(MailAgent, 'Go', {
    deps: new Effects(),
    approve: later,
    state: { deep: [{ 'a.b': 1 }, null, 'ü\u2028\ud800'] },
    metadata: { user: 'ada' },
  });
  if (result.stopReason !== 'paused') throw new Error(result.stopReason);
  return result;
}

const resume = (snapshot: unknown, stopped: PausedRun, options: RunnerOptions = {}) =>
  new AgentRunner({ model: scripted([say('Done.')], { strict: false }), ...options }).resume(MailAgent, snapshot as string, {
    deps: new Effects(),
    decisions: approveAll(stopped),
  });

test('a snapshot is one versioned JSON text, and exact', async () => {
  const stopped = await paused();
  expect(JSON.parse(stopped.snapshot)).toMatchObject({ toolwright: 'snapshot', v: 1, run: { runId: stopped.runId, agent: 'mail_agent' } });
  const result = await resume(stopped.snapshot, stopped);
  expect(result.state).toEqual({ deep: [{ 'a.b': 1 }, null, 'ü\u2028\ud800'], sent: ['bo'] });
});

test('a snapshot survives a store that orders keys in its own way', async () => {
  const stopped = await paused();
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? 1 : -1))
              .map(([key, field]) => [key, sorted(field)]),
          )
        : value;
  expect((await resume(JSON.stringify(sorted(JSON.parse(stopped.snapshot))), stopped)).text).toBe('Done.');
});

describe('a damaged snapshot is refused before anything runs', () => {
  test.each([
    ['nothing', () => ''],
    ['no text', () => ({}) as unknown as string],
    ['no JSON', () => 'snapshot'],
    ['another JSON', () => '{"v":1}'],
    ['a cut text', (text: string) => text.slice(0, -3)],
    ['other arguments', (text: string) => text.replaceAll('"to":"bo"', '"to":"eve"').replaceAll('\\"to\\":\\"bo\\"', '\\"to\\":\\"eve\\"')],
    ['no run', () => '{"toolwright":"snapshot","v":1,"digest":"","run":null}'],
    ['no version', (text: string) => text.replace('"v":1,', '')],
  ])('%s', async (_, damage) => {
    const stopped = await paused();
    const error: unknown = await resume(damage(stopped.snapshot), stopped).catch((thrown: unknown) => thrown);
    expect(SnapshotError.is(error) || UsageError.is(error)).toBe(true);
  });
});

test('a newer one says so', async () => {
  const stopped = await paused();
  const error: unknown = await resume(stopped.snapshot.replace('"v":1,', '"v":2,'), stopped).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: 'SnapshotError',
    details: { reason: 'newer' },
    message: expect.stringContaining('Update toolwright') as string,
  });
});

test('another agent cannot go on with it', async () => {
  const stopped = await paused();
  @AgentConfig({ name: 'someone_else' })
  class Other extends MailAgent {}
  await expect(
    new AgentRunner({ model: scripted([]) }).resume(Other, stopped.snapshot, { deps: new Effects(), decisions: approveAll(stopped) }),
  ).rejects.toThrow(/agent mail_agent/);
});

test('encryptedSnapshots: unreadable without the secret, refused when changed, and as good as the plain one', async () => {
  const snapshotCodec = encryptedSnapshots('correct horse battery staple');
  const stopped = await paused({ snapshotCodec });
  expect(stopped.snapshot).not.toMatch(/send_mail|toolwright/);
  const changed = Buffer.from(stopped.snapshot, 'base64');
  changed[40]! ^= 1;
  for (const [snapshot, codec] of [
    [changed.toString('base64'), snapshotCodec],
    [stopped.snapshot, encryptedSnapshots('another secret of mine')],
    [stopped.snapshot, undefined],
    ['', snapshotCodec],
  ] as const)
    await expect(resume(snapshot, stopped, codec === undefined ? {} : { snapshotCodec: codec })).rejects.toThrow(SnapshotError);
  expect((await resume(stopped.snapshot, stopped, { snapshotCodec })).text).toBe('Done.');
  expect(() => encryptedSnapshots('short')).toThrow(UsageError);
});

describe('while a call waited', () => {
  test('its tool was removed: the model is told, nothing runs', async () => {
    const stopped = await paused();
    @AgentConfig({ name: 'mail_agent' })
    class Without extends Agent<string, Effects> {}
    const model = scripted([[expectRequest({ results: [/was removed while this call waited/] }), say('Done.')]]);
    const result = await new AgentRunner({ model }).resume(Without, stopped.snapshot, {
      deps: new Effects(),
      decisions: approveAll(stopped),
    });
    expect(result.toolCalls[0]).toMatchObject({ outcome: 'unknown' });
    expect(result.warnings.join()).toMatch(/not those that this run began with/);
  });

  test('its parameters were changed: the model is told, nothing runs', async () => {
    const stopped = await paused();
    const ran = jest.fn();
    @AgentConfig({ name: 'mail_agent' })
    class Changed extends MailAgent {
      @Tool({ description: 'Sends a mail.', requiresApproval: true })
      override sendMail(@Param('to', { type: String }) to: string, @Param('text', { optional: true, type: String }) text: any): any {
        ran(to, text);
      }
    }
    const model = scripted([[expectRequest({ results: [/parameters of `send_mail` were changed/] }), say('Done.')]]);
    const result = await new AgentRunner({ model }).resume(Changed, stopped.snapshot, {
      deps: new Effects(),
      decisions: approveAll(stopped),
    });
    expect(result.toolCalls[0]).toMatchObject({ outcome: 'invalid' });
    expect(ran).not.toHaveBeenCalled();
  });
});

describe('snapshots of every version and situation that was ever written', () => {
  const folder = join(__dirname, '../fixtures/snapshots');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

  test('there are some', () => expect(files.length).toBeGreaterThanOrEqual(4));

  test.each(files)('%s stays readable', async (name) => {
    const { pending, snapshot, ends } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly pending: PausedRun['pending'];
      readonly snapshot: string;
      readonly ends: object;
    };
    const decisions = pending.map((call) => decide(call, call.why.cause === 'external' ? { result: 'because' } : 'approve'));
    const agent = name.includes('parallel') ? ParallelMailAgent : MailAgent;
    const deps = new Effects();
    const result = await new AgentRunner({ model: scripted([say('Done.')]) }).resume(agent, snapshot, { deps, decisions });
    expect({ text: result.text, done: deps.done, state: result.state, requests: result.usage.requests, stop: result.stopReason }).toEqual(
      ends,
    );
  });
});
