import { ModelError, RunAbortedError, RunError } from '../../src/errors/run-error';
import type { Model, ModelChunk } from '../../src/models/model';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, cutStream, fail, finish, say, scripted } from '../../src/testing';
import { brief, counter, fresh, isValidTranscript, LookupAgent } from './agents';

beforeEach(fresh);

const capabilities = { tools: true, parallelToolCalls: true, jsonSchema: true, strict: true, images: true, reasoning: true };

/** A model that answers with these chunks, one list a request; whatever they are. */
function raw(...answers: readonly unknown[][]): Model {
  let at = 0;
  return {
    name: 'raw:',
    capabilities,
    async *stream() {
      for (const chunk of answers[at++] ?? [{ type: 'text', text: 'Done.' }, end()]) yield chunk as ModelChunk;
    },
  };
}
const end = (finish = 'stop') => ({ type: 'end', finish });
const call = (index: number, more: object) => ({ type: 'call', index, ...more });
const word = (text: string) => ({ name: 'look_up', arguments: JSON.stringify({ word: text }) });

async function failureOf(model: Model): Promise<RunError> {
  const error: unknown = await new AgentRunner({ model }).run(LookupAgent, 'Go').catch((thrown: unknown) => thrown);
  expect(RunError.is(error)).toBe(true);
  expect(isValidTranscript((error as RunError).partial!.messages)).toBe(true);
  return error as RunError;
}

test('ids that are missing, empty or used before are made unique', async () => {
  const model = raw(
    [call(0, { id: 'x', ...word('a') }), call(1, { id: 'x', ...word('b') }), call(2, word('c')), call(5, { id: '', ...word('d') }), end()],
    [call(0, { id: 'x', ...word('e') }), end()],
  );
  const { messages, toolCalls } = await new AgentRunner({ model }).run(LookupAgent, 'Go');
  expect(new Set(toolCalls.map((record) => record.id)).size).toBe(5);
  expect(toolCalls[0]!.id).toBe('x');
  expect(toolCalls.map((record) => (record.arguments as { word: string }).word)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(isValidTranscript(messages)).toBe(true);
});

test('an id that stood in the given transcript is not used again', async () => {
  const first = await new AgentRunner({ model: scripted([callTool('look_up', { word: 'a' }, { id: 'c1' }), say('Done.')]) }).run(
    LookupAgent,
    'Go',
  );
  const model = scripted([callTool('look_up', { word: 'b' }, { id: 'c1' }), say('Done.')]);
  const second = await new AgentRunner({ model }).run(LookupAgent, 'Go', { continueFrom: first });
  expect(second.toolCalls[0]!.id).not.toBe('c1');
});

test('a finish that is said twice runs the calls once', async () => {
  const model = raw([call(0, { id: 'x', name: 'next', arguments: '{}' }), end('tool_calls'), end('tool_calls')]);
  await new AgentRunner({ model }).run(LookupAgent, 'Go');
  expect(counter.value).toBe(1);
});

test('calls run whatever the provider says of the end, but for length and content filter', async () => {
  for (const reason of ['stop', 'other', 'tool_calls', 'nonsense']) {
    const result = await new AgentRunner({ model: raw([call(0, { id: 'x', ...word('a') }), end(reason)]) }).run(LookupAgent, 'Go');
    expect(result).toMatchObject({ stopReason: 'completed', usage: { toolCalls: 1 } });
  }
});

test('a stream without its end is a failure that may be repeated, and runs no call', async () => {
  const error = await failureOf(scripted([[callTool('next'), cutStream()]]));
  expect(error).toMatchObject({ name: 'ModelError', retryable: true, partial: { usage: { toolCalls: 0 } } });
  expect(counter.value).toBe(0);
  await failureOf(raw([]));
});

test('no answer at all for an unknown reason is a failure', async () => {
  expect(await failureOf(scripted([finish('other')]))).toMatchObject({ name: 'ModelError', retryable: true });
});

test('what a model throws becomes a ModelError with the partial result; a ModelError stays of its class', async () => {
  const error = await failureOf(scripted([callTool('look_up', { word: 'a' }), fail(new TypeError('x is not a function'))]));
  expect(error).toMatchObject({ name: 'ModelError', message: 'The model scripted: failed: x is not a function' });
  expect(error.partial!.toolCalls).toHaveLength(1);

  const typed = new ModelError('overloaded', { status: 529, retryable: true });
  expect(await failureOf(scripted([fail(typed)]))).toMatchObject({ status: 529, retryable: true });
});

test('one error thrown in two runs carries the partial result of each', async () => {
  const shared = new ModelError('down');
  const one = await failureOf(scripted([fail(shared)]));
  const two = await failureOf(scripted([callTool('look_up', { word: 'a' }), fail(shared)]));
  expect(one.partial!.toolCalls).toHaveLength(0);
  expect(two.partial!.toolCalls).toHaveLength(1);
  expect(two).toBeInstanceOf(ModelError);
  expect(two.message).toBe('down');
});

test.each([
  ['no iterable', { stream: () => undefined }],
  [
    'a throw at once',
    {
      stream: () => {
        throw new Error('no');
      },
    },
  ],
  ['chunks of null and of unknown kinds', { stream: () => chunks([null, undefined, 7, { type: 'sparkle' }]) }],
  ['text that is none', { stream: () => chunks([{ type: 'text', text: 7 }, end()]) }],
  [
    'a stream that cannot be closed',
    {
      stream: () =>
        chunks([{ type: 'text', text: null }], () => {
          throw new Error('stuck');
        }),
    },
  ],
])('a broken model ends in a typed error: %s', async (_, broken) => {
  expect(await failureOf({ name: 'broken:', capabilities, ...broken } as Model)).toMatchObject({ name: 'ModelError' });
});

function chunks(list: readonly unknown[], onReturn?: () => never): AsyncIterable<ModelChunk> {
  const all = list[Symbol.iterator]();
  return { [Symbol.asyncIterator]: () => ({ next: async () => all.next() as never, ...(onReturn && { return: onReturn }) }) };
}

test('a stream that never closes does not hold an answer up that has ended', async () => {
  const stuck = { next: async () => ({ done: false, value: end() }), return: () => new Promise(() => undefined) };
  const model = { name: 'stuck:', capabilities, stream: () => ({ [Symbol.asyncIterator]: () => stuck }) } as unknown as Model;
  await expect(new AgentRunner({ model }).run(LookupAgent, 'Go')).resolves.toMatchObject({ stopReason: 'completed', text: '' });
});

test.each([
  ['text of nothing', { type: 'text', text: '' }],
  ['chunks of no known kind', { type: 'sparkle' }],
])('%s without end and without a pause can be aborted', async (_, chunk) => {
  const controller = new AbortController();
  const model = {
    name: 'endless:',
    capabilities,
    async *stream() {
      for (;;) yield chunk;
    },
  } as unknown as Model;
  setImmediate(() => controller.abort());
  await expect(new AgentRunner({ model }).run(LookupAgent, 'Go', { signal: controller.signal })).rejects.toThrow(RunAbortedError);
});

test('an id that is no text is made new', async () => {
  const model = raw([call(0, { id: 7 as never, name: 'look_up', arguments: '{"word":"a"}' }), end()]);
  const { toolCalls, messages } = await new AgentRunner({ model }).run(LookupAgent, 'Go');
  expect(toolCalls.map(({ id }) => typeof id)).toEqual(['string']);
  expect(isValidTranscript(messages)).toBe(true);
});

test('an answer without end is cut off', async () => {
  const model: Model = {
    name: 'endless:',
    capabilities,
    async *stream() {
      const text = 'x'.repeat(1_000_000);
      for (;;) yield { type: 'text', text };
    },
  };
  expect((await failureOf(model)).message).toMatch(/more than 16000000 characters/);
});

test('names that no provider takes back are legal in the transcript, and unknown to the run', async () => {
  const names = ['', 'do it!', 'x'.repeat(500), 'constructor', '__proto__', 'functions.look_up'];
  const model = raw([...names.map((name, index) => call(index, { id: `c${index}`, name, arguments: '{"word":"a"}' })), end()]);
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Go');
  expect(result.toolCalls.map((record) => record.outcome)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'ok']);
  for (const message of result.messages)
    if (message.role === 'assistant') for (const { name } of message.calls) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(isValidTranscript(result.messages)).toBe(true);
  expect(brief(result.messages)[1]).toContain('look_up({"word":"a"})');
});

test('arguments that cannot be read are valid JSON in the transcript', async () => {
  const model = scripted([callTool('look_up', '{"word": oops'), callTool('look_up', ''), say('Done.')]);
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Go');
  for (const message of result.messages)
    if (message.role === 'assistant') for (const one of message.calls) expect(() => JSON.parse(one.arguments) as unknown).not.toThrow();
  expect(result.toolCalls.map((record) => record.outcome)).toEqual(['invalid', 'invalid']);
});

test('usage that is missing or nonsense counts as a request and no tokens', async () => {
  const model = raw([{ type: 'usage', usage: { inputTokens: -5, outputTokens: Number.NaN } }, { type: 'text', text: 'Hi' }, end()]);
  const { usage } = await new AgentRunner({ model }).run(LookupAgent, 'Go');
  expect(usage).toMatchObject({ requests: 1, inputTokens: 0, outputTokens: 0, totalTokens: 0 });
});

test('a model without tool calls is refused for an agent with tools', async () => {
  const model = scripted([], { capabilities: { tools: false }, strict: false });
  await expect(new AgentRunner({ model }).run(LookupAgent, 'Go')).rejects.toThrow(/cannot call any.*promptedTools/);
});
