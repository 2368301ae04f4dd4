import 'reflect-metadata';
import { AgentRunner, decide, RunAbortedError, SessionError, type SessionLock, type SessionStore } from 'toolwright';
import { MemorySessions } from 'toolwright/sessions';
import { callTool, say, scripted } from 'toolwright/testing';
import { brief } from '../runner/agents';
import { Effects, later, MailAgent } from '../resume/agents';

const never = new Promise<never>(() => undefined);
const deps = new Effects();
const mail = callTool('send_mail', { to: 'bo', text: 'Hi' });

/** A store that stops answering, or answers late, where a test says so. */
class Slow extends MemorySessions {
  stuck: Partial<Record<'lock' | 'load' | 'append', Promise<unknown>>> = {};
  readonly released: string[] = [];

  override async lock(id: string): Promise<SessionLock> {
    const lock = await super.lock(id);
    const release = lock.release.bind(lock);
    lock.release = async () => {
      this.released.push(id);
      await release();
    };
    await this.stuck.lock;
    return lock;
  }

  override async load(id: string): ReturnType<SessionStore['load']> {
    await this.stuck.load;
    return super.load(id);
  }

  override async append(...args: Parameters<SessionStore['append']>): Promise<void> {
    await this.stuck.append;
    return super.append(...args);
  }
}

async function withPausedRun(): Promise<{
  readonly sessions: Slow;
  readonly snapshot: string;
  readonly decisions: ReturnType<typeof decide>[];
}> {
  const sessions = new Slow();
  const paused = await new AgentRunner({ sessions, model: scripted([mail]) }).run(MailAgent, 'Go', {
    deps,
    session: 'chat',
    approve: later,
  });
  if (paused.stopReason !== 'paused') throw new Error(paused.stopReason);
  sessions.released.length = 0;
  return { sessions, snapshot: paused.snapshot, decisions: paused.pending.map((call) => decide(call, 'approve')) };
}

describe.each(['lock', 'load'] as const)('an abort is heard while a session is opened (%s)', (where) => {
  test.each(['run', 'resume by the session', 'resume by the snapshot'])('%s', async (how) => {
    const { sessions, snapshot, decisions } = how === 'run' ? { ...(await withPausedRun()), sessions: new Slow() } : await withPausedRun();
    let answer!: () => void;
    sessions.stuck[where] = new Promise<void>((resolve) => (answer = resolve));
    const runner = new AgentRunner({ sessions, model: scripted([], { strict: false }) });
    const abort = new AbortController();
    const options = { deps, signal: abort.signal };
    const running =
      how === 'run'
        ? runner.run(MailAgent, 'Go', { ...options, session: 'chat' })
        : runner.resume(MailAgent, how.endsWith('session') ? { session: 'chat' } : snapshot, { ...options, decisions });
    setTimeout(() => abort.abort(new Error('enough')), 5);
    await expect(running).rejects.toBeInstanceOf(RunAbortedError);
    expect(sessions.released).toEqual([]);

    // What comes too late is given back.
    answer();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(sessions.released).toEqual(['chat']);
  });
});

test('an abort is heard while a session is compacted, which is told; the session stays as it is', async () => {
  const sessions = new Slow();
  await new AgentRunner({ sessions, model: scripted([say('Hi.')]) }).run(MailAgent, 'Hello', { deps, session: 'chat' });
  const abort = new AbortController();
  let told: unknown;
  const compact = ({ signal }: { readonly signal: AbortSignal }): Promise<never> => {
    signal.addEventListener('abort', () => (told = signal.reason));
    setTimeout(() => abort.abort(new Error('enough')), 5);
    return never;
  };
  const runner = new AgentRunner({ sessions, compact, model: scripted([], { strict: false }) });
  const before = await sessions.load('chat');
  await expect(runner.run(MailAgent, 'And?', { deps, session: 'chat', signal: abort.signal })).rejects.toBeInstanceOf(RunAbortedError);
  expect(told).toEqual(new Error('enough'));
  expect(await sessions.load('chat')).toEqual(before);
  await (await sessions.lock('chat')).release();
});

test('an abort before the first request keeps what the session holds in the partial result', async () => {
  const sessions = new Slow();
  await new AgentRunner({ sessions, model: scripted([say('Hi.')]) }).run(MailAgent, 'Hello', { deps, session: 'chat' });
  const abort = new AbortController();
  const instructions = (): Promise<string> => {
    abort.abort(new Error('enough'));
    return never;
  };
  const running = new AgentRunner({ sessions, model: scripted([]) }).run(MailAgent, 'And?', {
    deps,
    session: 'chat',
    instructions,
    signal: abort.signal,
  });
  const error = (await running.catch((thrown: unknown) => thrown)) as RunAbortedError;
  expect(error).toBeInstanceOf(RunAbortedError);
  expect(brief(error.partial!.messages)).toEqual(['user: Hello', 'assistant: Hi.']);
});

describe('a store that does not answer', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test.each(['lock', 'load', 'append'] as const)('fails the run in time: %s', async (where) => {
    const sessions = new Slow();
    sessions.stuck[where] = never;
    const running = new AgentRunner({ sessions, model: scripted([say('Hi.')], { strict: false }) }).run(MailAgent, 'Hello', {
      deps,
      session: 'chat',
    });
    const failed = running.catch((thrown: unknown) => thrown);
    await jest.advanceTimersByTimeAsync(59_000);
    let over = false;
    void failed.then(() => (over = true));
    await jest.advanceTimersByTimeAsync(0);
    expect(over).toBe(false);
    // Its end cannot be written either.
    await jest.advanceTimersByTimeAsync(61_000);
    const error = await failed;
    expect(SessionError.is(error)).toBe(true);
    expect(String(error)).toMatch(/"chat" could not be .* within 60000 ms: its store does not answer/);
  });
});

test('a lock that cannot be given free takes nothing from the result, and the process is told', async () => {
  const sessions = new MemorySessions();
  const lock = sessions.lock.bind(sessions);
  sessions.lock = async (id) => Object.assign(await lock(id), { release: () => Promise.reject(new Error('no disk')) });
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    const result = await new AgentRunner({ sessions, model: scripted([say('Hi.')]) }).run(MailAgent, 'Hello', { deps, session: 'chat' });
    expect(result.text).toBe('Hi.');
    expect(warned.mock.calls.map(([text]) => text)).toEqual(['The session "chat" stays locked: no disk']);
  } finally {
    warned.mockRestore();
  }
});
