import { EventStream } from '../../src/runner/signals/event-stream';
import { AgentRunner } from '../../src/runner/agent-runner';
import { UsageError } from '../../src/errors/usage-error';
import { callTool, fail, say, scripted, think } from '../../src/testing';
import type { RunEvent } from '../../src/types/run-event';
import { eventsOf, fresh, LookupAgent } from './agents';

beforeEach(fresh);

const header = { runId: 'r', turn: 1, seq: 0, at: 0 };
const delta = (text: string): RunEvent => ({ ...header, type: 'model.delta', kind: 'text', text });

test('a stream tells the whole story in order', async () => {
  const model = scripted([think('Let me see.', callTool('look_up', { word: 'ox' }, { id: 'c1' })), say('It means 2.')], {
    chunkSize: Infinity,
  });
  const run = new AgentRunner({ model, environment: { now: () => 5, id: (kind) => `${kind}_1` } }).stream(LookupAgent, 'ox?');
  const events = await eventsOf(run);

  expect(events.map((event) => event.type)).toEqual([
    'run.start',
    'turn.start',
    'model.delta',
    'model.delta',
    'model.end',
    'tool.request',
    'tool.start',
    'tool.end',
    'turn.start',
    'model.delta',
    'model.end',
    'run.end',
  ]);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at));
  expect(events.map((event) => event.turn)).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
  expect(new Set(events.map((event) => `${event.runId} ${event.at}`))).toEqual(new Set(['run_1 5']));
  expect(events[2]).toMatchObject({ kind: 'reasoning', text: 'Let me see.' });
  expect(events[3]).toMatchObject({ kind: 'arguments', text: '{"word":"ox"}', index: 0 });
  expect(events.at(-1)).toMatchObject({ stopReason: 'completed', usage: { requests: 2 } });
  expect((await run.result).text).toBe('It means 2.');
});

test('run and stream give the same result, and onEvent the same events', async () => {
  const script = () => scripted([callTool('look_up', { word: 'ox' }, { id: 'c1' }), say('Done.')]);
  const environment = { now: () => 5, id: (kind: string) => `${kind}_1` };
  const heard: RunEvent[] = [];
  const plain = await new AgentRunner({ model: script(), environment }).run(LookupAgent, 'ox?', { onEvent: (event) => heard.push(event) });
  const run = new AgentRunner({ model: script(), environment }).stream(LookupAgent, 'ox?');
  expect(await eventsOf(run)).toEqual(heard);
  expect(await run.result).toEqual(plain);
});

test('what onEvent throws becomes a warning, and the run goes on', async () => {
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'turn.start') throw new Error('no disk');
  };
  const result = await new AgentRunner({ model: scripted([say('Hi')]) }).run(LookupAgent, 'Go', { onEvent });
  expect(result).toMatchObject({ stopReason: 'completed', warnings: ['onEvent failed: no disk'] });

  const asynchronous = (async () => Promise.reject(new Error('no net'))) as unknown as (event: RunEvent) => void;
  const later = await new AgentRunner({ model: scripted([say('Hi')]) }).run(LookupAgent, 'Go', { onEvent: asynchronous });
  expect(later).toMatchObject({ stopReason: 'completed', warnings: ['onEvent failed: no net'] });
});

test('a failed run ends its events with the error, then the iteration throws the same', async () => {
  const run = new AgentRunner({ model: scripted([fail('the provider is down')]) }).stream(LookupAgent, 'Go');
  const seen: RunEvent[] = [];
  const error: unknown = await (async () => {
    for await (const event of run) seen.push(event);
  })().catch((thrown: unknown) => thrown);
  expect(seen.at(-1)).toMatchObject({ type: 'run.end', error: { name: 'ModelError', code: 'MODEL', message: 'the provider is down' } });
  await expect(run.result).rejects.toBe(error);
});

test('errors before the first request come through the events as well', async () => {
  const run = new AgentRunner({}).stream(LookupAgent, 'Go');
  const seen: RunEvent[] = [];
  await expect(
    (async () => {
      for await (const event of run) seen.push(event);
    })(),
  ).rejects.toThrow(/No model is set/);
  expect(seen.map((event) => event.type)).toEqual(['run.end']);
});

test('a second reader is an error', async () => {
  const run = new AgentRunner({ model: scripted([say('Hi')]) }).stream(LookupAgent, 'Go');
  await eventsOf(run);
  expect(() => run[Symbol.asyncIterator]()).toThrow(UsageError);
});

test('a slow reader gets deltas in larger pieces, and every life-cycle event', async () => {
  const stream = new EventStream(() => undefined);
  const text = 'x'.repeat(5_000);
  for (const letter of text) stream.push(delta(letter));
  stream.push({ ...header, type: 'tool.update', callId: 'a', data: 1 });
  stream.push({ ...header, type: 'tool.update', callId: 'a', data: 2 });
  for (let at = 0; at < 300; at++) stream.push({ ...header, type: 'warning', text: String(at) });
  stream.end();
  const events = await eventsOf(stream);

  expect(events.length).toBeLessThan(700);
  expect(events.map((event) => (event.type === 'model.delta' ? event.text : '')).join('')).toBe(text);
  expect(events.filter((event) => event.type === 'warning')).toHaveLength(300);
  expect(events.filter((event) => event.type === 'tool.update')).toEqual([expect.objectContaining({ data: 2 })]);
});

test('a slow reader gets one newest update of each of many calls, and events whose numbers still rise', async () => {
  const stream = new EventStream(() => undefined);
  for (let seq = 0; seq < 10_000; seq++) stream.push({ ...header, seq, type: 'tool.update', callId: `call ${seq % 100}`, data: seq });
  stream.end();
  const events = await eventsOf(stream);

  expect(events.length).toBeLessThanOrEqual(400);
  expect(events.slice(-100).map((event) => (event as { data?: unknown }).data)).toContain(9_999);
  expect(events.every((event, at) => at === 0 || event.seq > events[at - 1]!.seq)).toBe(true);
});

test('what an answer said before it was cancelled is not continued by the next', async () => {
  const stream = new EventStream(() => undefined);
  for (let at = 0; at < 300; at++) stream.push({ ...header, type: 'warning', text: String(at) });
  stream.push(delta('The old'));
  stream.push({ ...header, type: 'turn.start' });
  stream.push(delta('The new'));
  stream.end();
  const told = (await eventsOf(stream)).slice(300).map((event) => (event.type === 'model.delta' ? event.text : event.type));
  expect(told).toEqual(['The old', 'turn.start', 'The new']);
});

test('several reads at once are answered in order', async () => {
  const stream = new EventStream(() => undefined);
  const reader = stream[Symbol.asyncIterator]();
  const reads = [reader.next(), reader.next(), reader.next()];
  stream.push(delta('a'));
  stream.push(delta('b'));
  stream.end();
  expect((await Promise.all(reads)).map((read) => (read.done ? 'end' : (read.value as { text?: string }).text))).toEqual(['a', 'b', 'end']);
});

test('a handle that nobody looks at raises no unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', listener);
  new AgentRunner({ model: scripted([fail('down')]) }).start(LookupAgent, 'Go');
  void new AgentRunner({ model: scripted([fail('down')]) }).run(LookupAgent, 'Go');
  const read = new AgentRunner({ model: scripted([fail('down')]) }).stream(LookupAgent, 'Go');
  await eventsOf(read).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', listener);
  expect(unhandled).toEqual([]);
});
