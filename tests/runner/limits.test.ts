import 'reflect-metadata';
import { AgentConfig } from '../../src/decorators/agent-config';
import { AgentRunner } from '../../src/runner/agent-runner';
import { LimitError } from '../../src/errors/run-error';
import { callTool, callTools, consume, finish, say, scripted } from '../../src/testing';
import type { Environment } from '../../src/types/environment';
import { brief, counter, eventsOf, fresh, isValidTranscript, LookupAgent } from './agents';

beforeEach(fresh);

const word = (text: string) => callTool('look_up', { word: text });

test('maxTurns counts requests with tools; one last request keeps the list of tools and forbids calls', async () => {
  const model = scripted([word('a'), word('b'), say('That is all I have.')]);
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Go', { limits: { maxTurns: 2 } });

  expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxTurns', text: 'That is all I have.' });
  expect(result.usage).toMatchObject({ requests: 3, toolCalls: 2 });
  expect(model.requests.map((request) => request.toolChoice)).toEqual(['auto', 'auto', 'none']);
  expect(model.requests[2]!.tools).toBe(model.requests[0]!.tools);
  expect(isValidTranscript(result.messages)).toBe(true);
});

test('a call made in the last request is answered as not run', async () => {
  const model = scripted([word('a'), word('b')]);
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Go', { limits: { maxTurns: 1 } });

  expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxTurns' });
  expect(result.toolCalls.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['ok', undefined],
    ['denied', 'limit'],
  ]);
  expect(isValidTranscript(result.messages)).toBe(true);
  expect(brief(result.messages).at(-1)).toMatch(/^tool denied: .*Not run/);
});

test.each([
  ['without guardrails', 'A means 1.', undefined],
  ['with guardrails', 'A means [cut].', { output: [(text: string) => ({ change: text.replace('1', '[cut]') })] }],
])('what is said beside a call in the last request is the answer (%s)', async (_, text, guardrails) => {
  @AgentConfig({ ...(guardrails && { guardrails }) })
  class LastAgent extends LookupAgent {}
  const model = scripted([word('a'), [say('A means 1.'), callTool('next')]]);
  const run = new AgentRunner({ model }).stream(LastAgent, 'Go', { limits: { maxTurns: 1 } });
  const events = await eventsOf(run);
  expect(await run.result).toMatchObject({ stopReason: 'limit', text, usage: { toolCalls: 1 } });
  expect(events.filter((event) => event.type === 'model.end').at(-1)).toMatchObject({ message: { parts: [{ text }] } });
});

test('a batch that would go over maxToolCalls runs nothing', async () => {
  const model = scripted([callTool('next'), callTools([['next'], ['next']]), say('Stopped.')]);
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Count', { limits: { maxToolCalls: 2 } });

  expect(counter.value).toBe(1);
  expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxToolCalls', text: 'Stopped.', usage: { toolCalls: 1 } });
  expect(result.toolCalls.map((call) => call.outcome)).toEqual(['ok', 'denied', 'denied']);
  expect(isValidTranscript(result.messages)).toBe(true);
});

test('maxTokens holds with the final answer inside it', async () => {
  const model = scripted([word('a'), word('b'), word('c'), say('Done.')], { strict: false });
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Go', { limits: { maxTokens: 60 } });

  expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxTokens', text: 'Done.' });
  expect(result.usage.totalTokens).toBeLessThanOrEqual(60);
  expect(model.requests.at(-1)!.toolChoice).toBe('none');
  expect(model.requests.at(-1)!.settings.maxTokens).toBeLessThanOrEqual(10);
});

test('with no tokens left for an answer the calls are not run, and no further request is made', async () => {
  const model = scripted([[callTool('next'), consume({ inputTokens: 50, outputTokens: 60 })]]);
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Go', { limits: { maxTokens: 100 } });

  expect(counter.value).toBe(0);
  expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxTokens', text: '', usage: { requests: 1 } });
  expect(isValidTranscript(result.messages)).toBe(true);
});

test('maxCostUsd stops in time, and a model without a price is told of', async () => {
  const priced = (text: string) => [callTool('look_up', { word: text }), consume({ inputTokens: 10, outputTokens: 1, costUsd: 0.01 })];
  const model = scripted([priced('a'), priced('b'), [say('Done.'), consume({ costUsd: 0.01 })]]);
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Go', { limits: { maxCostUsd: 0.035 } });
  expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxCostUsd', text: 'Done.' });
  expect(result.usage.costUsd).toBeCloseTo(0.03);

  const unknown = await new AgentRunner({ model: scripted([say('Hi')]) }).run(LookupAgent, 'Go', { limits: { maxCostUsd: 1 } });
  expect(unknown.warnings.join()).toMatch(/price of scripted: is unknown/);
  expect(unknown.usage.costUsd).toBeUndefined();
});

test('onExceeded: throw rejects with the limit and what had been done', async () => {
  const model = scripted([word('a')]);
  const error: unknown = await new AgentRunner({ model })
    .run(LookupAgent, 'Go', { limits: { maxTurns: 1, onExceeded: 'throw' } })
    .catch((thrown: unknown) => thrown);

  expect(LimitError.is(error)).toBe(true);
  expect(error).toMatchObject({ limit: 'maxTurns', partial: { usage: { requests: 1, toolCalls: 1 } } });
  expect((error as LimitError).message).toMatch(/maxTurns = 1/);
  expect((error as LimitError).advice).toMatch(/limits\.maxTurns/);
  expect(isValidTranscript((error as LimitError).partial!.messages)).toBe(true);
});

/** A clock that only moves when somebody waits for it: sleeping longer than all others wakes last. */
function fakeTime(): { readonly environment: Partial<Environment>; readonly waiting: () => number; pass(ms: number): Promise<void> } {
  let now = 1_000;
  const sleepers = new Map<() => void, number>();
  return {
    waiting: () => sleepers.size,
    environment: {
      now: () => now,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          sleepers.set(resolve, now + ms);
          signal?.addEventListener('abort', () => (sleepers.delete(resolve), reject(signal.reason as Error)), { once: true });
        }),
    },
    async pass(ms) {
      now += ms;
      for (const [wake, at] of [...sleepers]) if (at <= now && sleepers.delete(wake)) wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('maxDurationMs cuts a tool off early enough for a final answer, and leaves no timer', async () => {
  const time = fakeTime();
  const model = scripted([callTool('work'), say('The work took too long.')]);
  const run = new AgentRunner({ model, environment: time.environment }).start(LookupAgent, 'Work', { limits: { maxDurationMs: 1_000 } });
  await (
    await import('./agents')
  ).started.promise;
  await time.pass(750);
  const result = await run.result;

  expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxDurationMs', text: 'The work took too long.' });
  expect(result.toolCalls[0]).toMatchObject({ outcome: 'aborted' });
  expect(isValidTranscript(result.messages)).toBe(true);
  expect(time.waiting()).toBe(0);
});

test('maxDurationMs cuts a model off, also when it does not listen to its signal', async () => {
  const time = fakeTime();
  const deaf = {
    ...scripted([]),
    name: 'deaf',
    capabilities: scripted([]).capabilities,
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }),
  };
  const run = new AgentRunner({ model: deaf, environment: time.environment }).start(LookupAgent, 'Go', {
    limits: { maxDurationMs: 1_000 },
  });
  await new Promise((resolve) => setImmediate(resolve));
  await time.pass(750);
  await time.pass(250);

  await expect(run.result).resolves.toMatchObject({ stopReason: 'limit', limit: 'maxDurationMs', text: '' });
  expect(time.waiting()).toBe(0);
});

test('an answer that the provider cut by length is a limit, not an answer', async () => {
  const model = scripted([[say('Once upon a'), finish('length')]]);
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Tell a story');
  expect(result).toMatchObject({ stopReason: 'limit', limit: 'outputTokens', text: 'Once upon a' });
});

test('a call that was cut by length is not run: the model is told, and goes on', async () => {
  const model = scripted([[callTool('look_up', '{"word":"lon'), finish('length')], word('short'), say('Done.')]);
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Go');

  expect(result).toMatchObject({ stopReason: 'completed', text: 'Done.' });
  expect(result.toolCalls.map((call) => call.outcome)).toEqual(['invalid', 'ok']);
  expect(brief(result.messages)[2]).toMatch(/cut off at the token limit/);
});

test.each([
  [{ maxTurns: 0 }, /maxTurns/],
  [{ maxTokens: Number.NaN }, /maxTokens/],
  [{ maxDurationMs: '5s' }, /maxDurationMs/],
  [{ maxTurn: 3 }, /maxTurn\b.*maxTurns/s],
])('limits %j are refused with the line to write', async (limits, message) => {
  const model = scripted([say('never')], { strict: false });
  await expect(new AgentRunner({ model }).run(LookupAgent, 'Go', { limits: limits as never })).rejects.toThrow(message);
});
