import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, RunAbortedError, arrayOf, defineTool } from 'toolwright';
import type { RunFacts } from 'toolwright';
import { assertValidTranscript, callTool, callTools, say, scripted } from 'toolwright/testing';

const received: unknown[] = [];
const controller = { current: new AbortController() };
const tools = [
  defineTool({ name: 'ping', description: 'Answers.', execute: (args) => (received.push(args), 'pong') }),
  defineTool({
    name: 'search',
    description: 'Searches.',
    parameters: {
      queries: arrayOf(String),
      limit: { type: Number, default: 3 },
      deep: { type: Boolean, default: false },
      note: { optional: true },
    },
    execute: (args) => (received.push(args), 'found'),
  }),
  defineTool({
    name: 'boom',
    description: 'Fails.',
    execute: () => {
      throw new Error('inside');
    },
  }),
  defineTool({
    name: 'wait',
    description: 'Waits.',
    execute: (_, context) => {
      controller.current.abort(new Error('The user left.'));
      return new Promise((_resolve, reject) => context.signal.addEventListener('abort', () => reject(context.signal.reason as Error)));
    },
  }),
];

@AgentConfig({ tools })
class Asks extends Agent {}

beforeEach(() => {
  received.splice(0);
  controller.current = new AbortController();
});

test('58: an empty text is no arguments', async () => {
  const { toolCalls } = await new AgentRunner({ model: scripted([callTool('ping', ''), say('Done.')]) }).run(Asks, 'Go');
  expect(toolCalls[0]).toMatchObject({ outcome: 'ok', arguments: {} });
});

test('59: JSON inside a text is read once, where the schema wants what it is, and nowhere else', async () => {
  const model = scripted([
    callTool('search', { queries: '["a"]', limit: '2', deep: 'true', note: '["a"]' }),
    callTool('search', { queries: '"[\\"a\\"]"' }),
    say('Done.'),
  ]);
  const { toolCalls } = await new AgentRunner({ model }).run(Asks, 'Go');
  expect(received).toEqual([{ queries: ['a'], limit: 2, deep: true, note: '["a"]' }]);
  expect(toolCalls[1]!.outcome).toBe('invalid');
});

test('61, 62: a tool that throws ends neither the run nor its siblings, and its result is told from a normal one', async () => {
  const model = scripted([callTools([['boom'], ['ping']]), say('So be it.')]);
  const { text, messages } = await new AgentRunner({ model }).run(Asks, 'Go');
  expect(text).toBe('So be it.');
  const results = messages.filter((message) => message.role === 'tool');
  expect(results).toMatchObject([
    { outcome: 'error', parts: [{ text: expect.stringMatching(/^Error: /) as string }] },
    { outcome: 'ok', parts: [{ text: 'pong' }] },
  ]);
});

test('64: after an interruption each call has its result, and the history can be gone on from', async () => {
  const runner = new AgentRunner({ model: scripted([callTools([['ping'], ['wait'], ['ping']])]) });
  const error: unknown = await runner.run(Asks, 'Go', { signal: controller.current.signal }).catch((thrown: unknown) => thrown);
  if (!RunAbortedError.is(error)) throw error;
  assertValidTranscript(error.partial!.messages);
  expect(error.partial!.toolCalls.map(({ outcome }) => outcome)).toEqual(['ok', 'aborted', 'aborted']);
  const next = await new AgentRunner({ model: scripted([say('Welcome back.')]) }).run(Asks, 'Again', {
    continueFrom: error.partial as RunFacts,
  });
  expect(next).toMatchObject({ text: 'Welcome back.', warnings: [] });
});
