import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { ModelError, RunAbortedError } from '../../src/errors/run-error';
import type { ModelChunk } from '../../src/models/model';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, callTools, fail, say, scripted, stall } from '../../src/testing';
import { deferred, eventsOf, fresh, isValidTranscript, LookupAgent } from './agents';
import * as agents from './agents';

beforeEach(fresh);

async function rejection(promise: Promise<unknown>): Promise<RunAbortedError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(RunAbortedError.is(error)).toBe(true);
  return error as RunAbortedError;
}

test('an abort while the model answers rejects with the reason, and leaves no listener', async () => {
  const controller = new AbortController();
  const reason = new Error('the user closed the tab');
  const run = new AgentRunner({ model: scripted([stall()]) }).run(LookupAgent, 'Go', { signal: controller.signal });
  await new Promise((resolve) => setImmediate(resolve));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  controller.abort(reason);

  const error = await rejection(run);
  expect(error).toMatchObject({ name: 'AbortError', cause: reason });
  expect(error.message).toContain('the user closed the tab');
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('an abort while a tool works reaches the tool; the transcript stays valid and no further request is made', async () => {
  const controller = new AbortController();
  const model = scripted([callTools([['look_up', { word: 'a' }], ['work'], ['look_up', { word: 'b' }]])]);
  const run = new AgentRunner({ model }).run(LookupAgent, 'Work', { signal: controller.signal });
  await agents.started.promise;
  controller.abort();

  const { partial } = await rejection(run);
  expect(partial!.toolCalls.map((call) => call.outcome)).toEqual(['ok', 'aborted', 'aborted']);
  expect(isValidTranscript(partial!.messages)).toBe(true);
  expect(partial!.usage).toMatchObject({ requests: 1, toolCalls: 2 });
  expect(model.requests).toHaveLength(1);
});

test('an error that is printed shows what to do, and not the conversation', async () => {
  const model = scripted([callTool('look_up', { word: 'a' }), fail('The line is dead.')]);
  const error: unknown = await new AgentRunner({ model }).run(LookupAgent, 'My PIN is 4711.').catch((thrown: unknown) => thrown);
  expect(ModelError.is(error) && JSON.stringify(error.partial)).toContain('4711');
  expect(inspect(error, { depth: 9 })).toContain('The line is dead.');
  expect(inspect(error, { depth: 9 })).not.toContain('4711');
});

test('the partial of an aborted run can be gone on from', async () => {
  const controller = new AbortController();
  const first = new AgentRunner({ model: scripted([callTool('work')]) }).run(LookupAgent, 'Work', { signal: controller.signal });
  await agents.started.promise;
  controller.abort();
  const { partial } = await rejection(first);

  const model = scripted([say('Welcome back.')]);
  const result = await new AgentRunner({ model }).run(LookupAgent, 'And now?', { continueFrom: partial! });
  expect(result.text).toBe('Welcome back.');
  expect(result.newMessages).toHaveLength(2);
  expect(isValidTranscript(result.messages)).toBe(true);
});

test('a signal that was aborted before the run asks no model', async () => {
  const model = scripted([say('never')], { strict: false });
  const error = await rejection(new AgentRunner({ model }).run(LookupAgent, 'Go', { signal: AbortSignal.abort('too late') }));
  expect(error.cause).toBe('too late');
  expect(error.partial).toMatchObject({ messages: [], usage: { requests: 0 } });
  expect(model.requests).toHaveLength(0);
});

test('a model that ignores its signal does not hold the run up, and what it says later is ignored', async () => {
  const late = deferred();
  const model = {
    ...base,
    async *stream(): AsyncGenerator<ModelChunk> {
      await late.promise;
      yield { type: 'text', text: 'too late' };
      throw new Error('and broken as well');
    },
  };
  const run = new AgentRunner({ model }).start(LookupAgent, 'Go');
  await new Promise((resolve) => setImmediate(resolve));
  run.abort('enough');
  const error = await rejection(run.result);
  late.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(error.partial!.text).toBe('');
});

test('a hook, a guardrail or instructions that never answer can be aborted', async () => {
  const never = () => new Promise<never>(() => undefined);
  for (const options of [{ hooks: [{ beforeModel: never }] }, { hooks: [{ onRunStart: never }] }, { instructions: never }]) {
    const run = new AgentRunner({ model: scripted([], { strict: false }) }).start(LookupAgent, 'Go', options);
    await new Promise((resolve) => setImmediate(resolve));
    run.abort();
    await rejection(run.result);
  }
});

test('leaving the events early aborts the run', async () => {
  const run = new AgentRunner({ model: scripted([stall()], { strict: false }) }).stream(LookupAgent, 'Go');
  for await (const event of run) if (event.type === 'turn.start') break;
  await rejection(run.result);
});

test('an abort after the end changes nothing', async () => {
  const run = new AgentRunner({ model: scripted([say('Hi')]) }).start(LookupAgent, 'Go');
  await run.result;
  run.abort();
  await expect(run.result).resolves.toMatchObject({ stopReason: 'completed' });
});

test('runs side by side share one listener on their signal', async () => {
  const controller = new AbortController();
  const model = scripted(Array.from({ length: 20 }, () => stall()));
  const runner = new AgentRunner({ model });
  const runs = Array.from({ length: 20 }, () => runner.run(LookupAgent, 'Go', { signal: controller.signal }));
  await new Promise((resolve) => setImmediate(resolve));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  controller.abort();
  for (const run of runs) await rejection(run);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('a thousand runs on one signal leave no listener on it', async () => {
  const controller = new AbortController();
  const runner = new AgentRunner({ model: answering('Hi') });
  for (let at = 0; at < 1_000; at++) await runner.run(LookupAgent, 'Go', { signal: controller.signal });
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('the run.end of an aborted run tells of it, and then the iteration throws', async () => {
  const run = new AgentRunner({ model: scripted([stall()], { strict: false }) }).stream(LookupAgent, 'Go');
  const seen: string[] = [];
  const reading = (async () => {
    for await (const event of run) {
      seen.push(event.type === 'run.end' ? `run.end ${event.error?.name}` : event.type);
      if (event.type === 'turn.start') run.abort();
    }
  })();
  await rejection(reading);
  expect(seen).toEqual(['run.start', 'turn.start', 'run.end AbortError']);
});

const base = {
  name: 'test:',
  capabilities: { tools: true, parallelToolCalls: true, jsonSchema: true, strict: true, images: true, reasoning: true },
};

function answering(text: string) {
  return {
    ...base,
    async *stream(): AsyncGenerator<ModelChunk> {
      yield { type: 'text', text };
      yield { type: 'end', finish: 'stop' };
    },
  };
}

test('events of a finished run can still be read afterwards', async () => {
  const run = new AgentRunner({ model: answering('Hi') }).start(LookupAgent, 'Go');
  await run.result;
  const events = await eventsOf(run);
  expect(events.map((event) => event.type)).toEqual(['run.start', 'turn.start', 'model.delta', 'model.end', 'run.end']);
});
