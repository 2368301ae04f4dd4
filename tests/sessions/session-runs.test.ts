import 'reflect-metadata';
import {
  AgentRunner,
  decide,
  SessionBusyError,
  SessionError,
  SnapshotError,
  UsageError,
  type SessionEntry,
  type SessionStore,
} from 'toolwright';
import { compactByTokens, MemorySessions } from 'toolwright/sessions';
import { callTool, expectRequest, fail, say, scripted } from 'toolwright/testing';
import { brief, isValidTranscript } from '../runner/agents';
import { Effects, later, MailAgent } from '../resume/agents';

const mail = (to: string) => callTool('send_mail', { to, text: 'Hi' }, { id: `call_${to}` });
const deps = new Effects();

test('a session remembers what was said and what the state is, from run to run', async () => {
  const sessions = new MemorySessions();
  const first = new AgentRunner({ sessions, model: scripted([mail('bo'), say('Sent.')]) });
  await first.run(MailAgent, 'Write to Bo.', { deps, session: 'chat', approve: () => true });
  const model = scripted([[expectRequest({ user: /And Cy/, messages: 6 }), say('No.')]]);
  const second = await new AgentRunner({ sessions, model }).run(MailAgent, 'And Cy?', { deps, session: 'chat' });
  expect(second.state).toEqual({ sent: ['bo'] });
  expect(brief(second.newMessages)).toEqual(['user: And Cy?', 'assistant: No.']);
  expect(second.messages).toHaveLength(6);
  expect(await first.inspect({ session: 'chat' })).toMatchObject({ status: 'ended', state: { sent: ['bo'] }, pending: [] });
  expect(await first.inspect({ session: 'other' })).toMatchObject({ status: 'new', messages: [] });
});

test('a run that waits in a session is resumed by the session or by its snapshot, once', async () => {
  const sessions = new MemorySessions();
  const own = new Effects();
  const runner = new AgentRunner({ sessions, model: scripted([mail('bo'), say('Sent.')]) });
  const paused = await runner.run(MailAgent, 'Write to Bo.', { deps: own, session: 'chat', approve: later });
  if (paused.stopReason !== 'paused') throw new Error(paused.stopReason);
  await expect(runner.run(MailAgent, 'Hello?', { deps: own, session: 'chat' })).rejects.toThrow(/waits for decisions/);
  const { pending } = await runner.inspect({ session: 'chat' });
  expect(pending).toEqual(paused.pending);

  const decisions = pending.map((call) => decide(call, 'approve'));
  const other = new AgentRunner({ sessions, model: scripted([]) });
  const both = await Promise.allSettled([
    runner.resume(MailAgent, { session: 'chat' }, { deps: own, decisions }),
    other.resume(MailAgent, paused.snapshot, { deps: own, decisions }),
  ]);
  expect(both[0]).toMatchObject({ status: 'fulfilled', value: { text: 'Sent.' } });
  expect(both[1]).toMatchObject({ status: 'rejected', reason: { name: 'SessionBusyError' } });
  await expect(other.resume(MailAgent, paused.snapshot, { deps: own, decisions })).rejects.toThrow(/the last one ended/);
  expect(own.done).toEqual(['bo: Hi']);
});

test('a snapshot of a run that went on in its session meanwhile is used', async () => {
  const sessions = new MemorySessions();
  const own = new Effects();
  const runner = new AgentRunner({ sessions, model: scripted([[mail('bo'), mail('cy')]]) });
  const paused = await runner.run(MailAgent, 'Go', { deps: own, session: 'chat', approve: later });
  if (paused.stopReason !== 'paused') throw new Error(paused.stopReason);
  const decisions = paused.pending.map((call) => decide(call, 'approve'));
  await runner.resume(MailAgent, paused.snapshot, { deps: own, decisions, approve: later });
  const again = runner.resume(MailAgent, paused.snapshot, { deps: own, decisions, approve: later });
  await expect(again).rejects.toThrow(SnapshotError);
  expect(own.done).toEqual(['bo: Hi']);
  expect((await runner.inspect({ session: 'chat' })).pending).toMatchObject([{ callId: 'call_cy' }]);
});

test('of two runs in one session at once one is told that it is busy', async () => {
  const sessions = new MemorySessions();
  const runner = new AgentRunner({ sessions, model: scripted([say('Hi.')]) });
  const [one, two] = await Promise.allSettled([1, 2].map(() => runner.run(MailAgent, 'Hello', { deps, session: 'chat' })));
  expect(one).toMatchObject({ status: 'fulfilled' });
  expect(two!.status === 'rejected' && SessionBusyError.is(two!.reason)).toBe(true);
});

test('a run that fails leaves a session that the next run goes on with', async () => {
  const sessions = new MemorySessions();
  const runner = new AgentRunner({ sessions, model: scripted([mail('bo'), fail('down'), say('Here again.')]) });
  await expect(runner.run(MailAgent, 'Go', { deps, session: 'chat', approve: () => true })).rejects.toThrow(/down/);
  const result = await runner.run(MailAgent, [], { deps, session: 'chat' });
  expect(result.text).toBe('Here again.');
  expect(isValidTranscript(result.messages)).toBe(true);
});

test('what cannot be written down is not done', async () => {
  const own = new Effects();
  const inner = new MemorySessions();
  const sessions: SessionStore = {
    lock: (id) => inner.lock(id),
    load: (id) => inner.load(id),
    save: (lock, entries) => inner.save(lock, entries),
    list: () => inner.list(),
    delete: (id) => inner.delete(id),
    append: (lock, entries) =>
      entries.some(({ kind }) => kind === 'begin') ? Promise.reject(new Error('the disk is full')) : inner.append(lock, entries),
  };
  const runner = new AgentRunner({ sessions, model: scripted([mail('bo')]) });
  const error: unknown = await runner
    .run(MailAgent, 'Go', { deps: own, session: 'chat', approve: () => true })
    .catch((thrown: unknown) => thrown);
  expect(String((error as Error).message)).toMatch(/disk is full/);
  expect(own.done).toEqual([]);
});

test('a session with entries of a newer version, or of another program, is refused with words', async () => {
  for (const [entry, words] of [
    [{ kind: 'point', v: 2 }, /newer version/],
    [{ kind: 'something', v: 1 }, /entry 0 of its log is damaged/],
  ] as readonly [SessionEntry, RegExp][]) {
    const sessions = new MemorySessions();
    const lock = await sessions.lock('chat');
    await sessions.append(lock, [entry]);
    await lock.release();
    const runner = new AgentRunner({ sessions, model: scripted([], { strict: false }) });
    const error: unknown = await runner.run(MailAgent, 'Go', { deps, session: 'chat' }).catch((thrown: unknown) => thrown);
    expect(SessionError.is(error)).toBe(true);
    expect(String((error as Error).message)).toMatch(words);
    await (await sessions.lock('chat')).release();
  }
});

test('a session needs a store, an id, and no second history', async () => {
  const model = scripted([], { strict: false });
  const sessions = new MemorySessions();
  await expect(new AgentRunner({ model }).run(MailAgent, 'Go', { deps, session: 'chat' })).rejects.toThrow(/sessions: new FileSessions/);
  await expect(new AgentRunner({ model, sessions }).run(MailAgent, 'Go', { deps, session: '' })).rejects.toThrow(UsageError);
  await expect(new AgentRunner({ model, sessions }).run(MailAgent, 'Go', { deps, session: 'chat', messages: [] })).rejects.toThrow(
    UsageError,
  );
});

describe('a log that has become long', () => {
  const talk = async (sessions: SessionStore, options: Partial<ConstructorParameters<typeof AgentRunner>[0]> = {}) => {
    let longest = 0;
    for (let at = 0; at < 60; at++) {
      const model = scripted([callTool('look_up', { name: `n${at}` }), say(`Answer ${at}`)]);
      await new AgentRunner({ sessions, model, ...options }).run(MailAgent, `Question ${at}`, { deps, session: 'chat', state: { at } });
      longest = Math.max(longest, (await sessions.load('chat')).length);
    }
    return longest;
  };
  const inspected = (sessions: SessionStore) => new AgentRunner({ sessions, model: scripted([]) }).inspect({ session: 'chat' });

  test('is written anew without the steps of runs that have ended, and says the same', async () => {
    const sessions = new MemorySessions();
    expect(await talk(sessions)).toBeLessThan(220);
    const { messages, state, status } = await inspected(sessions);
    expect({ state, status }).toEqual({ state: { at: 59 }, status: 'ended' });
    expect(messages).toHaveLength(240);
    expect(isValidTranscript(messages)).toBe(true);
    expect(brief(messages).filter((line) => line.startsWith('user'))).toEqual(
      Array.from({ length: 60 }, (_, at) => `user: Question ${at}`),
    );
  });

  test('keeps its summaries', async () => {
    const sessions = new MemorySessions();
    let summaries = 0;
    const compact = compactByTokens({ maxTokens: 1_000, keepTokens: 500, summarize: () => `summary ${(summaries += 1)}` });
    expect(await talk(sessions, { compact })).toBeLessThan(230);
    expect(summaries).toBeGreaterThan(5);
    const lines = brief((await inspected(sessions)).messages);
    const shown = Array.from({ length: summaries }, (_, at) => `user: [Summary of what was said before]\nsummary ${at + 1}`);
    expect(lines.slice(0, summaries)).toEqual(shown);
    expect(lines[summaries]).toMatch(/^user: Question \d+$/);
    expect(lines.at(-1)).toBe('assistant: Answer 59');
  });

  test('that cannot be written anew stays, and the run says so', async () => {
    const sessions = new MemorySessions();
    const save = jest.spyOn(sessions, 'save').mockRejectedValue(new Error('disk is full'));
    expect(await talk(sessions)).toBeGreaterThan(250);
    expect(save.mock.calls.length).toBeGreaterThan(1);
    const runner = new AgentRunner({ sessions, model: scripted([say('Here.')]) });
    const result = await runner.run(MailAgent, 'Still there?', { deps, session: 'chat' });
    expect(result.messages).toHaveLength(242);
    expect(result.warnings).toEqual(['The log of the session "chat" stays as long as it is: disk is full']);
  });
});

describe('compaction', () => {
  const long = 'x'.repeat(400);

  test.each<[object, RegExp]>([
    [{}, /`maxTokens`, more than 0/],
    [{ maxTokens: -1 }, /`maxTokens` must be a number greater than 0, not -1/],
    [{ maxTokens: 100, keepTokens: 100 }, /`keepTokens`, less than that/],
    [{ maxTokens: 100, summarise: () => '' }, /no option `summarise`\. Did you mean `summarize`/],
  ])('by %j is refused', (options, text) => {
    expect(() => compactByTokens(options as { maxTokens: number })).toThrow(text);
  });

  test('old messages become summaries, which are never summarised again; calls keep their results', async () => {
    const sessions = new MemorySessions();
    const summarised: string[][] = [];
    const compact = compactByTokens({
      maxTokens: 700,
      keepTokens: 250,
      summarize: (messages) => {
        summarised.push(brief(messages).map((line) => line.slice(0, 16)));
        return `summary ${summarised.length}`;
      },
    });
    const turns = Array.from({ length: 8 }, (_, at) => at);
    for (const at of turns) {
      const model = scripted([callTool('look_up', { name: 'n' }), say(`Answer ${at} ${long}`)]);
      const runner = new AgentRunner({ sessions, compact, model });
      const result = await runner.run(MailAgent, `Question ${at} ${long}`, { deps, session: 'chat' });
      expect(isValidTranscript(result.messages)).toBe(true);
    }
    expect(summarised.length).toBeGreaterThan(1);
    expect(summarised.flat().filter((line) => line.includes('[Summary'))).toEqual([]);
    const asked = summarised.flat().filter((line) => line.startsWith('user'));
    expect(asked).toEqual(asked.map((_, at) => `user: Question ${at}`));
    const { messages } = await new AgentRunner({ sessions, model: scripted([]) }).inspect({ session: 'chat' });
    expect(brief(messages).slice(0, 2)).toEqual([
      'user: [Summary of what was said before]\nsummary 1',
      'user: [Summary of what was said before]\nsummary 2',
    ]);
    expect((await sessions.load('chat')).some(({ kind }) => kind === 'point')).toBe(true);
  });

  test('one that fails, or gives nonsense, leaves the session as it is', async () => {
    for (const compact of [
      () => Promise.reject(new Error('no model')),
      () => ({ drop: 'all' }) as never,
      () => ({ drop: -1, summary: '' }),
    ]) {
      const sessions = new MemorySessions();
      const model = scripted([say('One.'), [expectRequest({ messages: 4 }), say('Two.')]], { strict: false });
      const runner = new AgentRunner({ sessions, compact, model });
      await runner.run(MailAgent, 'Go', { deps, session: 'chat' });
      expect((await runner.run(MailAgent, 'On', { deps, session: 'chat' })).messages).toHaveLength(4);
    }
  });
});
