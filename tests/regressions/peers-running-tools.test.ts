import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, defineTool } from 'toolwright';
import { callTools, scripted } from 'toolwright/testing';
import { FatalToolError } from '../../src/errors/tool-error';
import { runBatch } from '../../src/invocation/gate';
import { call, idle, pass, scope, textOf, tool } from '../invocation/scope';

const together = { parallel: true, maxConcurrency: 10 };

test('X01: results stand in call order, whatever finishes first', async () => {
  const run = scope([
    tool('slow', async () => {
      await idle();
      await idle();
      return 'slow';
    }),
    tool('fast', async () => 'fast'),
  ]);
  const results = await runBatch([call('slow'), call('fast')], run, together);
  expect(results.map(textOf)).toEqual(['slow', 'fast']);
});

test('X03: a fatal error stops the siblings before anybody hears of it', async () => {
  let written = false;
  const run = scope([
    tool('fails', async () => {
      throw new FatalToolError('gone');
    }),
    tool('writes', async (_, context) => {
      await idle();
      await idle();
      if (!context.signal.aborted) written = true;
    }),
  ]);
  await runBatch([call('fails'), call('writes')], run, together);
  await idle();
  expect(written).toBe(false);
});

test('X03: siblings of a fatal error are told to stop and waited for before the run rejects', async () => {
  const told: string[] = [];
  const tools = [
    defineTool({ name: 'fails', description: 'Fails.', execute: () => idle().then(() => Promise.reject(new FatalToolError('gone'))) }),
    defineTool({
      name: 'writes',
      description: 'Writes, and tidies up when it is told to stop.',
      execute: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            told.push('stopping');
            setTimeout(() => resolve(told.push('stopped')), 5);
          });
        }),
    }),
  ];
  @AgentConfig({ tools, parallelToolCalls: true })
  class Both extends Agent {}
  const run = new AgentRunner({ model: scripted([callTools([['fails'], ['writes']])]) }).run(Both, 'Go');
  const error: unknown = await run.catch((thrown: unknown) => (told.push('rejected'), thrown));
  expect(told).toEqual(['stopping', 'stopped', 'rejected']);
  expect(error).toMatchObject({
    name: 'FatalRunError',
    partial: {
      toolCalls: [
        { name: 'fails', outcome: 'error' },
        { name: 'writes', outcome: 'aborted' },
      ],
    },
  });
});

test('X05: fifty calls do not run at once', async () => {
  let running = 0;
  let most = 0;
  const run = scope([
    tool('t', async () => {
      most = Math.max(most, ++running);
      await idle();
      running--;
    }),
  ]);
  await runBatch(
    Array.from({ length: 50 }, () => call('t')),
    run,
    together,
  );
  expect(most).toBe(10);
});

test('X06, X07, X10: a tool that throws still ends, with the error in its event and one result', async () => {
  const run = scope([
    tool('t', () => {
      throw new Error('inside');
    }),
  ]);
  const result = await pass(call('t'), run);
  expect(run.story()).toEqual(['tool.request', 'tool.start 1', 'tool.end error']);
  expect(run.events.at(-1)).toMatchObject({ error: { message: 'inside' } });
  expect(result.message).toMatchObject({ role: 'tool', outcome: 'error' });
});

test('X18: an empty list and an empty text reach the model', async () => {
  const run = scope([tool('list', () => []), tool('text', () => '')]);
  expect(textOf(await pass(call('list'), run))).toBe('[]');
  expect(textOf(await pass(call('text'), run))).not.toBe('');
});

test('X21: a huge result is cut at both ends, and kept aside whole', async () => {
  const huge = `head${'x'.repeat(5_000_000)}tail`;
  const result = await pass(call('t'), scope([tool('t', () => huge, { maxResultChars: 10_000 })]));
  expect(textOf(result).length).toBeLessThanOrEqual(10_000);
  expect(textOf(result)).toMatch(/^head.*left out.*tail$/s);
  expect(result.overflow).toBe(huge);
});

test('X28, B01: the run’s signal reaches the tool', async () => {
  const controller = new AbortController();
  let fired = false;
  const run = scope([tool('t', (_, context) => new Promise(() => context.signal.addEventListener('abort', () => (fired = true))))], {
    signal: controller.signal,
  });
  const pending = pass(call('t'), run);
  await idle();
  controller.abort();
  await pending;
  expect(fired).toBe(true);
});

test('B09: a thousand calls leave no listener on one long-lived signal', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  jest.spyOn(signal, 'addEventListener').mockImplementation(() => void listeners++);
  jest.spyOn(signal, 'removeEventListener').mockImplementation(() => void listeners--);
  const run = scope([tool('t', async () => 'x')], { signal });
  for (let round = 0; round < 1_000; round++) await pass(call('t'), run);
  expect(listeners).toBe(0);
});
