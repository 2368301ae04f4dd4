import { MockLanguageModelV2, convertArrayToReadableStream as streamV2 } from 'ai-5/test';
import { APICallError } from 'ai-6';
import { MockLanguageModelV3, convertArrayToReadableStream } from 'ai-6/test';
import { registerPrices, type ModelRequest, type Message } from 'toolwright';
import { aiSdkModel, type AiSdkModelOptions } from 'toolwright/ai-sdk';
import { ModelError } from '../../src/errors/run-error';
import { ask, collect, type Answer } from '../models/loopback';

const USAGE = { inputTokens: { total: 10, cacheRead: 4 }, outputTokens: { total: 5, reasoning: 2 } };
const FINISH = { type: 'finish', usage: USAGE, finishReason: { unified: 'stop', raw: 'stop' } };

function mockOf(...parts: readonly object[]): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    provider: 'mock',
    modelId: 'm',
    doStream: () => Promise.resolve({ stream: convertArrayToReadableStream(parts as never[]) }),
  });
}

const answerOf = (...parts: readonly object[]): Promise<Answer> => collect(aiSdkModel(mockOf(...parts)).stream(ask()));

async function sentTo(request: Partial<ModelRequest>, options?: AiSdkModelOptions): Promise<Record<string, unknown>> {
  const mock = mockOf(FINISH);
  await collect(aiSdkModel(mock, options).stream(ask('Hi', request)));
  return mock.doStreamCalls[0] as unknown as Record<string, unknown>;
}

describe('what is asked', () => {
  test('settings, tools and the choice among them are said in the SDK’s words', async () => {
    const tools = [{ name: 't', description: 'd', parameters: { type: 'object' }, strict: { type: 'object', required: [] } }];
    const request = {
      tools,
      toolChoice: { tool: 't' },
      settings: { temperature: 0.5, topP: 0.9, maxTokens: 7, seed: 3, stop: ['x'] },
      output: { name: 'o', schema: { type: 'object' } },
    };
    const sent = await sentTo(request, { providerOptions: { mock: { a: 1 } } });
    expect(sent).toMatchObject({
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 7,
      seed: 3,
      stopSequences: ['x'],
      responseFormat: { type: 'json', schema: { type: 'object' }, name: 'o' },
      toolChoice: { type: 'tool', toolName: 't' },
      tools: [{ type: 'function', name: 't', description: 'd', inputSchema: { type: 'object' } }],
      providerOptions: { mock: { a: 1 } },
    });
    expect(sent['tools']).not.toMatchObject([{ strict: true }]);
    expect(await sentTo(request, { capabilities: { strict: true } })).toMatchObject({
      tools: [{ strict: true, inputSchema: { required: [] } }],
    });
  });

  test('what the model cannot do is not asked of it', async () => {
    const tools = [{ name: 't', description: 'd', parameters: {} }];
    const output = { name: 'o', schema: {} };
    const sent = await sentTo({ tools, output }, { capabilities: { tools: false, jsonSchema: false } });
    expect(sent).not.toHaveProperty('tools');
    expect(sent).not.toHaveProperty('responseFormat');
  });

  test('results of one turn are one message, failures are told as such, and images follow in each version’s words', async () => {
    const image = { type: 'image', data: 'aGk=', mediaType: 'image/png' } as const;
    const messages: Message[] = [
      {
        v: 1,
        role: 'assistant',
        parts: [],
        calls: [
          { id: 'a', name: 't', arguments: '{}' },
          { id: 'b', name: 't', arguments: '{"x":1}' },
        ],
      },
      { v: 1, role: 'tool', callId: 'a', name: 't', parts: [{ type: 'text', text: 'no' }], outcome: 'error', trust: 'trusted' },
      { v: 1, role: 'tool', callId: 'b', name: 't', parts: [image], outcome: 'ok', trust: 'trusted' },
    ];
    const sent = await sentTo({ messages });
    expect(sent['prompt']).toMatchObject([
      { role: 'assistant', content: [{ input: {} }, { input: { x: 1 } }] },
      {
        role: 'tool',
        content: [
          { toolCallId: 'a', output: { type: 'error-text', value: 'no' } },
          { toolCallId: 'b', output: { type: 'content', value: [{ type: 'text' }, { type: 'image-data', data: 'aGk=' }] } },
        ],
      },
    ]);
    const older = new MockLanguageModelV2({
      doStream: () => Promise.resolve({ stream: streamV2([{ ...FINISH, finishReason: 'stop', usage: {} }] as never[]) }),
    });
    await collect(aiSdkModel(older).stream(ask('Hi', { messages })));
    expect(older.doStreamCalls[0]!.prompt[1]).toMatchObject({
      content: [{}, { output: { value: [{ type: 'text' }, { type: 'media', data: 'aGk=', mediaType: 'image/png' }] } }],
    });
  });

  test('reasoning goes back to the provider that wrote it, and to no other', async () => {
    const thinking = (provider: string): Message => ({
      v: 1,
      role: 'assistant',
      parts: [{ type: 'text', text: 'Yes.' }],
      calls: [],
      extra: { 'ai-sdk': { provider, reasoning: [{ text: 'Hm.', metadata: { mock: { signature: 's' } } }], calls: {} } },
    });
    const said = { type: 'text', text: 'Yes.' };
    expect((await sentTo({ messages: [thinking('mock'), thinking('other')] }))['prompt']).toEqual([
      { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.', providerOptions: { mock: { signature: 's' } } }, said] },
      { role: 'assistant', content: [said] },
    ]);
  });

  test('an image is not sent to a model that cannot see it', async () => {
    const messages: Message[] = [{ v: 1, role: 'user', parts: [{ type: 'image', url: 'https://a.test/x.png' }] }];
    const model = aiSdkModel(mockOf(FINISH), { capabilities: { images: false } });
    const { error } = await collect(model.stream(ask('Hi', { messages })));
    expect(error).toMatchObject({ message: expect.stringContaining('cannot see images') as string });
  });

  test('messages and tools are converted once, however often they are sent', async () => {
    const mock = new MockLanguageModelV3({
      doStream: () => Promise.resolve({ stream: convertArrayToReadableStream([FINISH] as never[]) }),
    });
    const model = aiSdkModel(mock);
    const request = ask('Hi', { tools: [{ name: 't', description: 'd', parameters: {} }] });
    await collect(model.stream(request));
    await collect(model.stream(request));
    const [first, second] = mock.doStreamCalls;
    expect(second!.prompt[0]).toBe(first!.prompt[0]);
    expect(second!.tools).toBe(first!.tools);
  });

  test('settings that this version has no word for are told of', async () => {
    const answer = await collect(
      aiSdkModel(mockOf(FINISH)).stream(ask('Hi', { settings: { reasoningEffort: 'low', extraBody: { a: 1 } } })),
    );
    expect(answer.warnings.join()).toMatch(/extraBody.*reasoningEffort/s);
  });
});

describe('what is answered', () => {
  test('usage, with what came from the cache and was thought, and its cost', async () => {
    registerPrices({ 'mock:m': { input: 1_000_000, output: 1_000_000 } });
    const { usage } = await answerOf({ type: 'text-delta', id: '1', delta: 'x' }, FINISH);
    expect(usage).toEqual({ inputTokens: 10, outputTokens: 5, cachedTokens: 4, reasoningTokens: 2, costUsd: 15 });
  });

  test('a call without arguments, and one whose pieces never came', async () => {
    const { calls, finish } = await answerOf(
      { type: 'tool-input-start', id: 'a', toolName: 't' },
      { type: 'tool-input-end', id: 'a' },
      { type: 'tool-call', toolCallId: 'a', toolName: 't', input: '{}' },
      { type: 'tool-call', toolCallId: 'b', toolName: 'u', input: '{"x":1}' },
      FINISH,
    );
    expect(calls).toEqual([
      { id: 'a', name: 't', arguments: '{}' },
      { id: 'b', name: 'u', arguments: '{"x":1}' },
    ]);
    expect(finish).toBe('tool_calls');
  });

  test('a call that is told twice counts once, and may be spelt otherwise at its end than in its pieces', async () => {
    const whole = { type: 'tool-call', toolCallId: 'b', toolName: 'u', input: '{"x":1}' };
    const { calls } = await answerOf(
      { type: 'tool-input-start', id: 'a', toolName: 't' },
      { type: 'tool-input-delta', id: 'a', delta: '{"x": 1}' },
      { type: 'tool-call', toolCallId: 'a', toolName: 't', input: '{"x":1}' },
      whole,
      whole,
      FINISH,
    );
    expect(calls.map((call) => call.arguments)).toEqual(['{"x": 1}', '{"x":1}']);
  });

  test('a call that was cut off by the length of the answer does not hide that it was', async () => {
    const { finish, error } = await answerOf(
      { type: 'tool-input-start', id: 'a', toolName: 't' },
      { type: 'tool-input-delta', id: 'a', delta: '{"x' },
      { ...FINISH, finishReason: { unified: 'length', raw: 'length' } },
    );
    expect([finish, error]).toEqual(['length', undefined]);
  });

  test('calls that the provider carries out itself are not ours', async () => {
    const { calls, finish } = await answerOf(
      { type: 'tool-input-start', id: 'a', toolName: 'search', providerExecuted: true },
      { type: 'tool-input-delta', id: 'a', delta: '{}' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'search', input: '{}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 'a', toolName: 'search', result: {} },
      { type: 'text-delta', id: '1', delta: 'found' },
      FINISH,
    );
    expect(calls).toEqual([]);
    expect(finish).toBe('stop');
  });

  test('warnings of the provider', async () => {
    const { warnings } = await answerOf(
      {
        type: 'stream-start',
        warnings: [{ type: 'unsupported-setting', setting: 'seed' }, { type: 'other', message: 'slow' }, null],
      },
      FINISH,
    );
    expect(warnings).toEqual(['mock: seed: unsupported-setting', 'mock: slow', 'mock: a warning']);
  });
});

describe('what goes wrong', () => {
  test.each<[string, readonly object[]]>([
    ['a stream that just stops', [{ type: 'text-delta', id: '1', delta: 'x' }]],
    ['a stream of nothing', []],
    ['a call that never became whole', [{ type: 'tool-input-start', id: 'a', toolName: 't' }, FINISH]],
    [
      'a call whose arguments changed',
      [
        { type: 'tool-input-start', id: 'a', toolName: 't' },
        { type: 'tool-input-delta', id: 'a', delta: '{"x":1}' },
        { type: 'tool-call', toolCallId: 'a', toolName: 't', input: '{"x":2}' },
        FINISH,
      ],
    ],
    ['an answer that ended as an error', [{ ...FINISH, finishReason: { unified: 'error' } }]],
    ['an error among the parts', [{ type: 'error', error: 'overloaded' }]],
    ['an error object among the parts', [{ type: 'error', error: { message: 'overloaded', type: 'overloaded_error' } }]],
  ])('%s is a failure that may be tried again', async (_title, parts) => {
    const { error, finish } = await answerOf(...parts);
    expect(finish).toBeUndefined();
    expect(error).toMatchObject({ name: 'ModelError', retryable: true });
  });

  test('an API error keeps its status, request id and wait', async () => {
    const thrown = new APICallError({
      message: 'slow down',
      url: 'https://api.example.com',
      requestBodyValues: {},
      statusCode: 429,
      responseHeaders: { 'retry-after': '2', 'x-request-id': 'req_1' },
    });
    const mock = new MockLanguageModelV3({ doStream: () => Promise.reject(thrown) });
    expect((await collect(aiSdkModel(mock).stream(ask()))).error).toMatchObject({
      status: 429,
      retryable: true,
      retryAfter: 2_000,
      requestId: 'req_1',
    });
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no stream', {}],
    ['a text', 'x'],
  ])('a model that gives %s is told of', async (_title, value) => {
    const mock = new MockLanguageModelV3({ doStream: () => Promise.resolve(value) as never });
    expect(ModelError.is((await collect(aiSdkModel(mock).stream(ask()))).error)).toBe(true);
  });

  test('parts that are no parts are passed over', async () => {
    const { text, finish } = await answerOf(
      null as never,
      5 as never,
      {},
      { type: 'new-kind' },
      { type: 'text-delta', id: '1', delta: 'x' },
      FINISH,
    );
    expect({ text, finish }).toEqual({ text: 'x', finish: 'stop' });
  });

  test('an abort ends with its reason and lets the stream go', async () => {
    let cancelled = false;
    const controller = new AbortController();
    const stream = new ReadableStream({
      start: (source) => source.enqueue({ type: 'text-delta', id: '1', delta: 'x' }),
      cancel: () => void (cancelled = true),
    });
    const mock = new MockLanguageModelV3({ doStream: () => Promise.resolve({ stream }) });
    for await (const chunk of aiSdkModel(mock).stream(ask('Hi', { signal: controller.signal }))) {
      expect(chunk.type).toBe('text');
      controller.abort(new Error('enough'));
      break;
    }
    expect(cancelled).toBe(true);
    const { error } = await collect(aiSdkModel(mock).stream(ask('Hi', { signal: controller.signal })));
    expect(error).toBe(controller.signal.reason);
  });

  test('what is no model, of an unknown version, or has unknown options is refused', () => {
    expect(() => aiSdkModel(undefined as never)).toThrow(/no language model/);
    expect(() => aiSdkModel('openai/gpt-5' as never)).toThrow(/no language model/);
    expect(() => aiSdkModel({ specificationVersion: 'v1', doStream: () => undefined } as never)).toThrow(/"v1".*v2, v3, v4/);
    expect(() => aiSdkModel(mockOf(), { retry: 1 } as never)).toThrow(/no option `retry`.*retries/);
    expect(() => aiSdkModel(mockOf(), { capabilities: { tool: true } } as never)).toThrow(/capabilities: there is no option `tool`/);
  });
});
