import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, ContextUpdate, Tool, ToolResult, type RunOptions, type RunResult } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';
import { deferred, eventsOf } from './agents';

/** What runs of one runner share: locks, and what read-only tools said before. */
let asked = 0;
let entered = 0;
let work: Promise<void> = Promise.resolve();
let onEntry: () => void = () => undefined;

@AgentConfig({ instructions: 'You share.' })
class SharingAgent extends Agent {
  @Tool({ description: 'Works alone.', lock: () => 'desk', timeout: 100 })
  async alone(): Promise<string> {
    entered++;
    onEntry();
    await work;
    return 'done';
  }

  @Tool({ description: 'Reads.', cache: { ttl: 60_000 }, annotations: { readOnly: true } })
  status(): unknown {
    asked++;
    return answers[asked - 1];
  }
}
let answers: readonly unknown[] = [];

type Way = (runner: AgentRunner, call: string, options?: RunOptions) => Promise<RunResult<unknown>>;
const WAYS: readonly [string, Way][] = [
  ['run', (runner, call, options) => runner.run(SharingAgent, 'Go', { ...options, model: calling(call) })],
  [
    'stream',
    async (runner, call, options) => {
      const run = runner.stream(SharingAgent, 'Go', { ...options, model: calling(call) });
      await eventsOf(run).catch(() => undefined);
      return run.result;
    },
  ],
];
const calling = (call: string) => scripted([callTool(call), say('Done.')], { strict: false });

beforeEach(() => {
  asked = entered = 0;
  work = Promise.resolve();
  onEntry = () => undefined;
});

test.each(WAYS)('a lock is free again, whichever moment a call that waits for it is aborted in (%s)', async (_, way) => {
  for (let moments = 0; moments < 25; moments++) {
    const runner = new AgentRunner();
    const holding = deferred();
    const inside = deferred();
    work = holding.promise;
    onEntry = inside.resolve;
    const first = way(runner, 'alone');
    await inside.promise;

    const controller = new AbortController();
    const second = way(runner, 'alone', { signal: controller.signal }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 2));
    holding.resolve();
    for (let passed = 0; passed < moments; passed++) await null;
    controller.abort();
    await Promise.all([first, second]);

    const third = await way(runner, 'alone');
    expect({ moments, outcome: third.toolCalls[0]?.outcome }).toEqual({ moments, outcome: 'ok' });
  }
  expect(entered).toBeGreaterThanOrEqual(50);
});

test.each(WAYS)('a failure is not kept, in whatever form the tool tells of it (%s)', async (_, way) => {
  for (const failure of [{ status: 'error', error: 'The server is down.' }, ToolResult.error('The server is down.')]) {
    asked = 0;
    answers = [failure, 'up', 'up again'];
    const runner = new AgentRunner();
    const outcomes: unknown[] = [];
    for (let runs = 0; runs < 3; runs++) outcomes.push((await way(runner, 'status')).toolCalls[0]?.outcome);
    expect([outcomes, asked]).toEqual([['error', 'ok', 'ok'], 2]);
  }
});

test.each(WAYS)('a kept result says and changes the same as the first (%s)', async (_, way) => {
  const update = ContextUpdate.of().set('seen', true);
  for (const answer of [update, ToolResult.update(update), ToolResult.success(1, { update })]) {
    asked = 0;
    answers = [answer];
    const runner = new AgentRunner();
    const first = await way(runner, 'status');
    const second = await way(runner, 'status');
    expect([second.toolCalls[0]?.content, second.state, asked]).toEqual([first.toolCalls[0]?.content, { seen: true }, 1]);
  }
});

test.each(WAYS)('what hides whether it is a result is not kept, and counts as the data that it is (%s)', async (_, way) => {
  const HARMLESS: readonly (string | symbol)[] = [Symbol.toStringTag, Symbol.asyncIterator];
  const hiding = new Proxy(
    { up: true },
    {
      get(target, key) {
        if (typeof key === 'symbol' && !HARMLESS.includes(key)) throw new Error('no');
        return Reflect.get(target, key) as unknown;
      },
    },
  );
  answers = [hiding, 'up'];
  const runner = new AgentRunner();
  expect((await way(runner, 'status')).toolCalls[0]).toMatchObject({ outcome: 'ok', attempts: 1 });
  expect((await way(runner, 'status')).toolCalls[0]).toMatchObject({ content: [{ text: 'up' }] });
});
