import { Agent, AgentConfig, AgentRunner, RunAbortedError, type Hooks } from 'toolwright';
import { say, scripted } from 'toolwright/testing';

const never = (): Promise<never> => new Promise(() => undefined);

@AgentConfig({ instructions: 'You answer.' })
class PlainAgent extends Agent {}

@AgentConfig({ guardrails: { input: [never] } })
class GuardedAgent extends Agent {}

@AgentConfig({ guardrails: { output: [never] } })
class WatchedAgent extends Agent {}

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'Date'] }));
afterEach(() => void jest.useRealTimers());

const limits = { maxDurationMs: 5_000 };
const runWith = (hooks: Hooks, options: object = {}) =>
  new AgentRunner({ model: scripted([say('Yes.')], { strict: false }) }).run(PlainAgent, 'Go', { limits, hooks: [hooks], ...options });

test.each(['onRunStart', 'beforeModel'] as const)('%s that never answers ends the run when its time is up', async (name) => {
  const run = expect(runWith({ [name]: never })).rejects.toMatchObject({
    code: 'HOOK',
    message: expect.stringContaining('did not answer within'),
  });
  await jest.advanceTimersByTimeAsync(5_000);
  await run;
});

test('afterModel that never answers is left behind when the time is up', async () => {
  const run = runWith({ afterModel: never });
  await jest.advanceTimersByTimeAsync(5_000);
  await expect(run).resolves.toMatchObject({ text: 'Yes.', warnings: [expect.stringContaining('`afterModel` failed')] });
});

test('onRunEnd that never answers is left behind, and soon after an abort', async () => {
  const run = runWith({ onRunEnd: never });
  await jest.advanceTimersByTimeAsync(300_000);
  await expect(run).resolves.toMatchObject({ text: 'Yes.', warnings: [expect.stringContaining('`onRunEnd` failed')] });

  const controller = new AbortController();
  const aborted = expect(runWith({ onRunStart: () => controller.abort(), onRunEnd: never }, { signal: controller.signal })).rejects.toThrow(
    RunAbortedError,
  );
  await jest.advanceTimersByTimeAsync(1_000);
  await aborted;
});

test.each([
  ['input', GuardedAgent],
  ['output', WatchedAgent],
])('an %s guardrail that never answers lets nothing pass when the time is up', async (_, agent) => {
  const run = new AgentRunner({ model: scripted([say('Yes.')], { strict: false }) }).run(agent, 'Go', { limits });
  await jest.advanceTimersByTimeAsync(5_000);
  await expect(run).resolves.toMatchObject({ stopReason: 'refused', refusal: expect.stringContaining('did not answer within') });
});

test('a hook that answers leaves no timer', async () => {
  await runWith({ onRunStart: async () => undefined, afterModel: async () => undefined, onRunEnd: async () => undefined });
  expect(jest.getTimerCount()).toBe(0);
});
