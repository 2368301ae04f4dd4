import { FatalToolError, ToolFailure, ToolRetry, ToolTimeoutError } from '../../src/errors/tool-error';
import { executeCall, prepareCall } from '../../src/invocation/gate';
import type { ReadyCall } from '../../src/invocation/call';
import { call, deferred, idle, pass, scope, textOf, tool } from './scope';

const never = (): Promise<never> => new Promise(() => undefined);

describe('a tool that fails', () => {
  it('unexpectedly is told without its text, which goes to the event', async () => {
    const run = scope([
      tool('t', () => {
        throw new Error('connect postgres://u:p4ss@h');
      }),
    ]);
    const result = await pass(call('t'), run);
    expect(result).toMatchObject({ repair: false, record: { outcome: 'error' }, message: { trust: 'trusted' } });
    expect(textOf(result)).not.toContain('p4ss');
    expect(textOf(result)).toMatch(/^Error: /);
    expect(run.events.at(-1)).toMatchObject({
      type: 'tool.end',
      outcome: 'error',
      error: { name: 'Error', message: 'connect postgres://u:p4ss@h' },
    });
    expect(textOf(await pass(call('t'), { ...run, exposeErrors: true }))).toContain('p4ss');
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a text', 'oops'],
    ['null', null],
    ['a symbol', Symbol('s')],
    [
      'an object whose message throws',
      {
        get message() {
          throw new Error('x');
        },
      },
    ],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('x');
          },
        },
      ),
    ],
  ])('with %s ends in one result', async (_, thrown) => {
    for (const execute of [
      () => {
        throw thrown;
      },
      () => Promise.reject(thrown),
    ]) {
      const run = scope([tool('t', execute)]);
      expect((await pass(call('t'), run)).record.outcome).toBe('error');
      expect(run.story()).toEqual(['tool.request', 'tool.start 1', 'tool.end error']);
    }
  });

  it('by ToolRetry spends a repair and is told its text; ToolFailure is told and free', async () => {
    const run = scope([
      tool(
        'again',
        () => {
          throw new ToolRetry('Give a street, too.');
        },
        { retries: 2 },
      ),
      tool(
        'over',
        () => {
          throw new ToolFailure('The account is closed.');
        },
        { retries: 2 },
      ),
    ]);
    const again = await pass(call('again'), run);
    expect(again).toMatchObject({ repair: true, executed: true, record: { outcome: 'error', attempts: 1 } });
    expect(textOf(again)).toContain('Give a street, too.');
    const over = await pass(call('over'), run);
    expect(over).toMatchObject({ repair: false, record: { outcome: 'error', attempts: 1 } });
    expect(textOf(over)).toBe('Error: The account is closed.');
  });

  it('by FatalToolError carries the error out, with a result in its place', async () => {
    const fatal = new FatalToolError('The vault is gone.');
    const result = await pass(
      call('t'),
      scope([
        tool('t', () => {
          throw fatal;
        }),
      ]),
    );
    expect(result.fatal).toBe(fatal);
    expect(result.record.outcome).toBe('error');
  });

  it('with a TimeoutError of its own takes the ordinary path', async () => {
    const own = Object.assign(new Error('socket'), { name: 'TimeoutError' });
    const result = await pass(
      call('t'),
      scope([
        tool(
          't',
          async () => {
            throw own;
          },
          { timeout: 1_000 },
        ),
      ]),
    );
    expect(result.record.outcome).toBe('error');
  });

  it('through a `then` that throws, or a thenable that rejects, ends in one result', async () => {
    const throwing = {
      get then() {
        throw new Error('x');
      },
    };
    const rejecting = { then: (_: unknown, reject: (error: unknown) => void) => reject(new Error('x')) };
    for (const value of [throwing, rejecting])
      expect((await pass(call('t'), scope([tool('t', () => value)]))).record.outcome).toBe('error');
    const thenable = { then: (resolve: (value: unknown) => void) => resolve('here') };
    expect(textOf(await pass(call('t'), scope([tool('t', () => thenable)])))).toBe('here');
  });
});

describe('attempts', () => {
  it('repeat up to `retries`, each with its own arguments and number, one key for all', async () => {
    const seen: unknown[] = [];
    const slept: number[] = [];
    const run = scope([
      tool(
        't',
        (args, context) => {
          seen.push([{ ...args }, context.attempt, context.idempotencyKey]);
          args.n = 'spoilt';
          if (context.attempt < 3) throw new Error('busy');
          return 'ok';
        },
        { retries: 2 },
      ),
    ]);
    const waiting = { ...run.environment, sleep: async (ms: number) => void slept.push(ms) };
    const result = await pass(call('t', { n: 1 }, { turn: 4, index: 2 }), { ...run, environment: waiting });
    expect(seen).toEqual([1, 2, 3].map((attempt) => [{ n: 1 }, attempt, 'run_1:4:2']));
    expect(result.record).toMatchObject({ outcome: 'ok', attempts: 3 });
    expect(slept).toEqual([150, 300]);
    expect(run.story()).toEqual(['tool.request', 'tool.start 1', 'tool.start 2', 'tool.start 3', 'tool.end ok']);
  });

  it('stop when the next would not fit in the budget', async () => {
    let now = 0;
    const run = scope([
      tool(
        't',
        () => {
          now += 60_000;
          throw new Error('busy');
        },
        { retries: 5, timeout: 1_000 },
      ),
    ]);
    const result = await pass(call('t'), { ...run, environment: { ...run.environment, now: () => now } });
    expect(result.record).toMatchObject({ outcome: 'error', attempts: 1 });
  });

  it('end with the run while waiting for the next', async () => {
    const controller = new AbortController();
    const run = scope(
      [
        tool(
          't',
          () => {
            throw new Error('busy');
          },
          { retries: 5 },
        ),
      ],
      { signal: controller.signal },
    );
    const pending = pass(call('t'), { ...run, environment: { ...run.environment, sleep: never } });
    await idle();
    controller.abort();
    expect((await pending).record).toMatchObject({ outcome: 'aborted', attempts: 1 });
  });

  it('do not follow on one whose time was up and that may still be changing something', async () => {
    const run = scope([
      tool('t', never, { retries: 3, timeout: 5 }),
      tool('r', never, { retries: 1, timeout: 5, annotations: { readOnly: true } }),
    ]);
    expect((await pass(call('t'), run)).record).toMatchObject({ outcome: 'unsettled', attempts: 1 });
    expect((await pass(call('r'), run)).record).toMatchObject({ outcome: 'timeout', attempts: 2 });
  });
});

describe('a deadline', () => {
  it('aborts the signal with a ToolTimeoutError and ends the call; what comes late is dropped and reported', async () => {
    const late = deferred<string>();
    let reason: unknown;
    const run = scope([
      tool(
        't',
        (_, context) => {
          context.signal.addEventListener('abort', () => (reason = context.signal.reason));
          return late.promise;
        },
        { timeout: 5 },
      ),
    ]);
    const result = await pass(call('t'), run);
    expect(result.record.outcome).toBe('unsettled');
    expect(textOf(result)).toContain('check first');
    expect(reason).toBeInstanceOf(ToolTimeoutError);
    late.resolve('too late');
    await idle();
    expect(run.story()).toEqual(['tool.request', 'tool.start 1', 'tool.end unsettled', 'warning']);
  });

  it('swallows a late rejection', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    let fail!: (error: Error) => void;
    const run = scope([tool('t', () => new Promise((_, reject) => (fail = reject)), { timeout: 2 })]);
    await pass(call('t'), run);
    fail(new Error('late'));
    await idle();
    await idle();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('of the run’s ceiling holds for a tool without a timeout', async () => {
    const run = scope([tool('t', never, { timeout: null })], { ceiling: 5 });
    expect((await pass(call('t'), run)).record.outcome).toBe('unsettled');
  });

  it('longer than a timer can be does not fire at once', async () => {
    const run = scope([
      tool(
        't',
        async () => {
          await idle();
          return 'ok';
        },
        { timeout: 1e12 },
      ),
    ]);
    expect((await pass(call('t'), run)).record.outcome).toBe('ok');
  });

  it('makes updates after the end do nothing', async () => {
    let update!: (data: unknown) => void;
    const run = scope([
      tool('t', (_, context) => {
        update = (data) => context.update(data);
        update('early');
        return 'ok';
      }),
    ]);
    await pass(call('t'), run);
    update('late');
    expect(run.story()).toEqual(['tool.request', 'tool.start 1', 'tool.update', 'tool.end ok']);
  });
});

describe('an abort', () => {
  it('reaches the tool’s signal with its reason, ends the call, and leaves no listener', async () => {
    const controller = new AbortController();
    const add = jest.spyOn(controller.signal, 'addEventListener');
    const remove = jest.spyOn(controller.signal, 'removeEventListener');
    let reason: unknown;
    const run = scope(
      [
        tool('t', (_, context) => {
          context.signal.addEventListener('abort', () => (reason = context.signal.reason));
          return never();
        }),
      ],
      { signal: controller.signal },
    );
    const pending = pass(call('t'), run);
    await idle();
    controller.abort('enough');
    const result = await pending;
    expect(result.record.outcome).toBe('aborted');
    expect(textOf(result)).toContain('may have taken effect');
    expect(reason).toBe('enough');
    expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
  });

  it('waits for an atomic tool, whose signal stays quiet', async () => {
    const controller = new AbortController();
    const work = deferred<string>();
    let aborted = true;
    const run = scope(
      [
        tool(
          't',
          async (_, context) => {
            const value = await work.promise;
            aborted = context.signal.aborted;
            return value;
          },
          { atomic: true },
        ),
      ],
      {
        signal: controller.signal,
      },
    );
    const pending = pass(call('t'), run);
    await idle();
    controller.abort();
    await idle();
    expect(run.story()).toEqual(['tool.request', 'tool.start 1']);
    work.resolve('whole');
    const result = await pending;
    expect(result.record.outcome).toBe('ok');
    expect(aborted).toBe(false);
  });

  it('of one call is not seen by another', async () => {
    const signals: AbortSignal[] = [];
    const first = new AbortController();
    const slow = tool(
      't',
      (_, context) => {
        signals.push(context.signal);
        return never();
      },
      { timeout: null },
    );
    const one = pass(call('t'), scope([slow], { signal: first.signal }));
    void pass(call('t'), scope([slow], { ceiling: 50 }));
    await idle();
    first.abort();
    await one;
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
  });

  it('is watched by one listener, however many calls wait', async () => {
    const warned = jest.fn();
    process.on('warning', warned);
    const controller = new AbortController();
    const run = scope([tool('t', never)], { signal: controller.signal });
    const pending = Array.from({ length: 50 }, () => pass(call('t'), run));
    await idle();
    controller.abort();
    await Promise.all(pending);
    await idle();
    process.off('warning', warned);
    expect(warned).not.toHaveBeenCalled();
  });
});

describe('a generator', () => {
  it('shows its yields as updates, and returns its result', async () => {
    const run = scope([
      tool('later', async function* () {
        yield 'one';
        yield 'two';
        return 'end';
      }),
      tool('now', function* () {
        yield 1;
        return 2;
      }),
    ]);
    expect(textOf(await pass(call('later'), run))).toBe('end');
    expect(run.events.filter((event) => event.type === 'tool.update')).toMatchObject([{ data: 'one' }, { data: 'two' }]);
    expect(textOf(await pass(call('now'), run))).toBe('2');
  });

  it('that never ends and never waits meets its deadline, and is closed', async () => {
    let closed = false;
    const endless = async function* () {
      try {
        for (;;) yield 1;
      } finally {
        closed = true;
      }
    };
    const result = await pass(call('t'), scope([tool('t', endless, { timeout: 10, annotations: { readOnly: true } })]));
    expect(result.record.outcome).toBe('timeout');
    await idle();
    await idle();
    expect(closed).toBe(true);
  });

  it('is closed when what it yields fails', async () => {
    let closed = 0;
    const failing = function* () {
      try {
        yield Promise.reject(new ToolFailure('no'));
      } finally {
        closed++;
      }
    };
    expect(textOf(await pass(call('t'), scope([tool('t', failing)])))).toBe('Error: no');
    expect(closed).toBe(1);
  });

  it('that throws fails like any tool', async () => {
    const run = scope([
      tool('t', async function* () {
        yield 1;
        throw new ToolFailure('no');
      }),
    ]);
    expect(textOf(await pass(call('t'), run))).toBe('Error: no');
  });
});

describe('a lock', () => {
  const ready = async (name: string, args: unknown, run: ReturnType<typeof scope>): Promise<ReadyCall> => {
    const prepared = await prepareCall(call(name, args), run);
    if (prepared.kind !== 'ready') throw new Error('not ready');
    return prepared;
  };

  it('lets calls with one key run one after the other, and others beside them', async () => {
    const order: string[] = [];
    const gates = { a: deferred(), b: deferred(), c: deferred() };
    const run = scope([
      tool(
        't',
        async ({ id }: { id: 'a' | 'b' | 'c' }) => {
          order.push(`+${id}`);
          await gates[id].promise;
          order.push(`-${id}`);
        },
        { lock: ({ key }) => key },
      ),
    ]);
    const calls = [
      { id: 'a', key: 'x' },
      { id: 'b', key: 'x' },
      { id: 'c', key: 'y' },
    ];
    const running = await Promise.all(calls.map((args) => ready('t', args, run)));
    const all = running.map((one) => executeCall(one, run));
    await idle();
    expect(order).toEqual(['+a', '+c']);
    gates.a.resolve();
    await idle();
    expect(order).toEqual(['+a', '+c', '-a', '+b']);
    gates.b.resolve();
    gates.c.resolve();
    await Promise.all(all);
  });

  it('is held until the tool really settles, also after its deadline', async () => {
    const late = deferred();
    let runs = 0;
    const run = scope([tool('t', () => (++runs === 1 ? late.promise : 'second'), { timeout: 5, lock: () => 'x' })]);
    expect((await pass(call('t'), run)).record.outcome).toBe('unsettled');
    const second = pass(call('t'), run);
    await idle();
    expect(runs).toBe(1);
    late.resolve();
    expect(textOf(await second)).toBe('second');
  });

  it('that is waited for too long ends the call without running it', async () => {
    const held = deferred();
    const run = scope([tool('t', () => held.promise, { timeout: null, lock: () => 'x' })], { ceiling: 20 });
    const first = pass(call('t'), { ...run, ceiling: 1_000 });
    await idle();
    const second = await pass(call('t'), run);
    expect(second).toMatchObject({ executed: false, record: { outcome: 'timeout' } });
    held.resolve();
    await first;
    expect((await pass(call('t'), run)).record.outcome).toBe('ok');
  });

  it.each([
    [
      'a function that throws',
      () => {
        throw new Error('x');
      },
    ],
    ['a promise', async () => 'k'],
    ['a promise that fails', () => Promise.reject(new Error('x'))],
    ['an object', () => ({})],
  ])('whose key cannot be told (%s) fails the call, not the run', async (_, lock) => {
    const run = scope([tool('t', () => 1, { lock: lock as () => string })]);
    const result = await pass(call('t'), run);
    expect(result).toMatchObject({ executed: false, record: { outcome: 'error' } });
    expect(textOf(result)).toContain('failed before the tool began; its error is not shown. It was not run.');
  });
});

describe('a kept result', () => {
  const counting = (facts = {}) => {
    let runs = 0;
    const one = tool('t', ({ n }) => ({ n, run: ++runs }), { annotations: { readOnly: true }, cache: { ttl: 1_000 }, ...facts });
    return { one, runs: () => runs };
  };

  it('answers an equal call, whatever the order of keys, without running again', async () => {
    const { one, runs } = counting();
    const run = scope([one]);
    await pass(call('t', '{"n":1,"m":2}'), run);
    const second = await pass(call('t', '{"m":2,"n":1}'), run);
    expect(runs()).toBe(1);
    expect(textOf(second)).toBe('{"n":1,"run":1}');
    expect(second).toMatchObject({ executed: false, record: { attempts: 0 } });
    await pass(call('t', { n: 2 }), run);
    expect(runs()).toBe(2);
  });

  it('is not shared between runs with other deps, nor kept past its time, nor for a tool that may change things', async () => {
    const { one, runs } = counting();
    const run = scope([one]);
    await pass(call('t', { n: 1 }), { ...run, deps: { user: 'ada' } });
    await pass(call('t', { n: 1 }), { ...run, deps: { user: 'bob' } });
    expect(runs()).toBe(2);
    let now = 0;
    const timed = { ...run, environment: { ...run.environment, now: () => now } };
    await pass(call('t', { n: 5 }), timed);
    now = 1_000;
    await pass(call('t', { n: 5 }), timed);
    expect(runs()).toBe(4);
    const open = counting({ annotations: {} });
    await pass(call('t', { n: 1 }), scope([open.one], { cache: run.cache }));
    await pass(call('t', { n: 1 }), scope([open.one], { cache: run.cache }));
    expect(open.runs()).toBe(2);
  });

  it('is a copy: what the tool does to its value later does not show', async () => {
    const own = { list: [1] };
    const run = scope([tool('t', () => own, { annotations: { readOnly: true }, cache: { ttl: 1_000 } })]);
    await pass(call('t'), run);
    own.list.push(2);
    expect(textOf(await pass(call('t'), run))).toBe('{"list":[1]}');
  });
});
