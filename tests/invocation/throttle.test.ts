import { ToolFailure, ToolRetry } from '../../src/errors/tool-error';
import type { Environment } from '../../src/types/environment';
import { ToolDefinitionError } from '../../src/errors/definition-error';
import { defineTool } from '../../src/tools/define-tool';
import { toolset } from '../../src/tools/toolset-view';
import { staticToolset } from '../../src/tools/static-toolset';
import { defaultRegistry } from '../../src/tools/tool-registry';
import { Throttle } from '../../src/invocation/throttle';
import { runBatch } from '../../src/invocation/gate';
import { call, pass, scope, textOf, tool, type Execute, type ToolFacts } from './scope';

const START = Date.UTC(2026, 0, 1);

/** A tool, and a clock that moves only by hand. */
function setting(facts: ToolFacts, execute: Execute = () => 'done') {
  const clock = { now: START };
  const throttle = new Throttle();
  const act = tool('act', execute, facts);
  const environment: Environment = { now: () => clock.now, id: () => 'x', random: () => 0.5, sleep: async () => undefined };
  const within = (over = {}) => scope([act], { throttle, environment, ...over });
  return { clock, within, run: async (over = {}) => pass(call('act'), within(over)) };
}

describe('rateLimit', () => {
  const rateLimit = { calls: 2, per: 60_000 };

  it('refuses what is over it, and says when it can be called again', async () => {
    const ran = jest.fn(() => 'done');
    const { run, clock } = setting({ rateLimit }, ran);
    await run();
    clock.now += 10_000;
    await run();
    clock.now += 5_000;
    const refused = await run();
    expect(refused.record).toMatchObject({ outcome: 'denied', reason: 'rate_limit', attempts: 0 });
    expect(textOf(refused)).toBe(
      'Denied: `act` may be called 2 times in 60 s, and was. It was not run. It can be called again in 45 s (at 2026-01-01T00:01:00.000Z). Until then go on without it.',
    );
    clock.now = START + 60_000;
    expect((await run()).record.outcome).toBe('ok');
    expect((await run()).record.reason).toBe('rate_limit');
    expect(ran).toHaveBeenCalledTimes(3);
  });

  it('holds in any stretch of time, not only in fixed windows', async () => {
    const { run, clock } = setting({ rateLimit: { calls: 3, per: 1_000 } });
    const ran: number[] = [];
    for (let step = 0; step < 200; step++) {
      clock.now += (step * 37) % 211;
      if ((await run()).record.outcome === 'ok') ran.push(clock.now);
    }
    expect(ran.length).toBeGreaterThan(20);
    for (let at = 3; at < ran.length; at++) expect(ran[at]! - ran[at - 3]!).toBeGreaterThanOrEqual(1_000);
  });

  it('is kept by the calls of one batch that run side by side', async () => {
    const { within } = setting({ rateLimit }, async () => 'done');
    const calls = [0, 1, 2, 3].map((index) => call('act', {}, { index }));
    const results = await runBatch(calls, within(), { parallel: true, maxConcurrency: 4 });
    expect(results.map(({ record }) => record.reason ?? record.outcome)).toEqual(['ok', 'ok', 'rate_limit', 'rate_limit']);
  });

  it('counts repetitions, and lets the failure stand when there is no room for one', async () => {
    const fails = jest.fn(() => {
      throw new Error('down');
    });
    const { run } = setting({ rateLimit, retries: 5 }, fails);
    expect((await run()).record).toMatchObject({ outcome: 'error', attempts: 2 });
    expect(fails).toHaveBeenCalledTimes(2);
  });

  it('asks nobody for approval of a call that could not run', async () => {
    const approver = jest.fn(() => true);
    const { run } = setting({ rateLimit: { calls: 1, per: 1_000 }, requiresApproval: true });
    await run({ approver });
    expect((await run({ approver })).record.reason).toBe('rate_limit');
    expect(approver).toHaveBeenCalledTimes(1);
  });

  it('does not count calls that are refused or invalid', async () => {
    const { run, within } = setting({ rateLimit: { calls: 1, per: 1_000 } });
    expect((await pass({ ...call('act'), arguments: '{' }, within())).record.outcome).toBe('invalid');
    expect((await run({ policy: [() => 'deny'] })).record.reason).toBe('policy');
    expect((await run()).record.outcome).toBe('ok');
  });
});

describe('breaker', () => {
  const breaker = { failures: 2, resetAfter: 30_000 };
  const flaky = (facts: ToolFacts = { breaker }) => {
    const state = { works: false, error: new Error('down') as unknown };
    const made = setting(facts, () => {
      if (!state.works) throw state.error;
      return 'done';
    });
    return { ...made, state };
  };

  it('refuses after so many failures in a row, then lets one call try', async () => {
    const { run, clock, state } = flaky();
    await run();
    await run();
    clock.now += 1_500;
    const refused = await run();
    expect(refused.record).toMatchObject({ outcome: 'denied', reason: 'breaker', attempts: 0 });
    expect(textOf(refused)).toBe(
      'Denied: `act` failed 2 times in a row and is left alone for a while. It was not run. It can be tried again in 29 s (at 2026-01-01T00:00:30.000Z). Until then go on without it.',
    );
    clock.now += 28_500;
    expect((await run()).record.outcome).toBe('error');
    expect((await run()).record.reason).toBe('breaker');
    clock.now += 30_000;
    state.works = true;
    expect((await run()).record.outcome).toBe('ok');
    state.works = false;
    expect((await run()).record.outcome).toBe('error');
    expect((await run()).record.outcome).toBe('error');
    expect((await run()).record.reason).toBe('breaker');
  });

  it('a success in between starts the count anew', async () => {
    const { run, state } = flaky();
    await run();
    state.works = true;
    await run();
    state.works = false;
    await run();
    expect((await run()).record.outcome).toBe('error');
  });

  it.each([new ToolFailure('no such user'), new ToolRetry('which one?')])(
    'what a tool says on purpose is no failure: %s',
    async (error) => {
      const { run, state } = flaky();
      state.error = error;
      for (let at = 0; at < 2; at++) await run();
      expect((await run()).record.outcome).toBe('error');
    },
  );

  it('a timeout is a failure, and an abort is neither', async () => {
    const { run } = setting({ breaker: { failures: 1, resetAfter: 1_000 }, timeout: 5 }, () => new Promise(() => undefined));
    const controller = new AbortController();
    const aborted = run({ signal: controller.signal });
    controller.abort(new Error('enough'));
    expect((await aborted).record.outcome).toBe('aborted');
    expect((await run()).record.outcome).toBe('unsettled');
    expect((await run()).record.reason).toBe('breaker');
  });

  it.each(['done', new Error('still down')])(
    'what a call from before the rest gives says nothing of the one that tries: %s',
    async (late) => {
      const settle: ((value: unknown) => void)[] = [];
      const { run, clock } = setting({ breaker: { failures: 1, resetAfter: 1_000 } }, () => new Promise((resolve) => settle.push(resolve)));
      const begun = async () => {
        const ended = run();
        await new Promise((resolve) => setImmediate(resolve));
        return { give: settle.at(-1)!, ended };
      };
      const early = await begun();
      const failing = await begun();
      failing.give(Promise.reject(new Error('down')));
      expect((await failing.ended).record.outcome).toBe('error');

      clock.now += 1_000;
      const trial = await begun();
      early.give(late instanceof Error ? Promise.reject(late) : late);
      await early.ended;
      clock.now += 1_000;
      expect((await run()).record.reason).toBe('breaker');
      trial.give('done');
      expect((await trial.ended).record.outcome).toBe('ok');
      const next = await begun();
      next.give('done');
      expect((await next.ended).record.outcome).toBe('ok');
    },
  );

  it('while one call tries, others wait', async () => {
    let settle!: (value: string) => void;
    let works = false;
    const { run, clock } = setting({ breaker: { failures: 1, resetAfter: 1_000 } }, () => {
      if (!works) throw new Error('down');
      return new Promise((resolve) => (settle = resolve));
    });
    await run();
    clock.now += 1_000;
    works = true;
    const trial = run();
    expect((await run()).record.reason).toBe('breaker');
    settle('done');
    expect((await trial).record.outcome).toBe('ok');
  });
});

describe('who shares what is counted', () => {
  const ping = (over = {}) =>
    defineTool({ name: 'ping', description: 'Pings.', rateLimit: { calls: 1, per: 1_000 }, execute: () => 'pong', ...over });
  const refusedAfter = (first: any, second: any): boolean => {
    const throttle = new Throttle();
    throttle.begin(first, 0);
    return throttle.refusal(second, 1) !== undefined;
  };
  const one = (view: unknown) => staticToolset(view, defaultRegistry).tools;

  it('a tool under another name is the same tool', () => {
    const made = ping();
    const [renamed] = one(toolset([made]).prefixed('net_'));
    expect(refusedAfter(made, renamed)).toBe(true);
  });

  it('two tools written alike are two', () => {
    expect(refusedAfter(ping(), ping())).toBe(false);
  });

  it('one option for several tools of a set counts for each alone', () => {
    const plain = (name: string) => defineTool({ name, description: 'x', execute: () => 1 });
    const [a, b] = one(toolset([plain('a'), plain('b')]).configured({ rateLimit: { calls: 1, per: 1_000 } }));
    expect(refusedAfter(a, b)).toBe(false);
    expect(refusedAfter(a, a)).toBe(true);
  });

  it('runners do not share', () => {
    const made = ping();
    const mine = new Throttle();
    mine.begin(made, 0);
    expect(new Throttle().refusal(made as any, 1)).toBeUndefined();
  });
});

it.each([
  [{ rateLimit: { calls: 0, per: 1_000 } }],
  [{ rateLimit: { calls: 20_000, per: 1_000 } }],
  [{ rateLimit: { calls: 1, per: 0 } }],
  [{ rateLimit: { calls: 1, per: 1_000, burst: 3 } }],
  [{ breaker: { failures: 0, resetAfter: 1 } }],
  [{ breaker: { failures: 1 } }],
  [{ breaker: true }],
])('refuses %j', (options) => {
  expect(() => defineTool({ name: 'x', description: 'x', execute: () => 1, ...(options as object) })).toThrow(ToolDefinitionError);
});
