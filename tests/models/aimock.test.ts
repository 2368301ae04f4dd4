import { LLMock } from '@copilotkit/aimock';
import { allowRealRequests } from '../../src/testing/real-requests';
import { ModelError } from '../../src/errors/run-error';
import { OpenAIChatModel } from '../../src/models/openai-chat-model';
import { OpenAIResponsesModel } from '../../src/models/openai-responses-model';
import { withRetries } from '../../src/models/retry';
import type { Message } from '../../src/types/message';
import { ask, collect } from './loopback';

// A double of the API that knows nothing of this package.
const mock = new LLMock({ port: 0 });
beforeAll(async () => {
  allowRealRequests();
  mock.onMessage('hello', { content: 'Hi there!' });
  mock.on(
    { userMessage: 'find', hasToolResult: false },
    {
      toolCalls: [
        { name: 'search', arguments: '{"q":"a"}' },
        { name: 'search', arguments: '{"q":"b"}' },
      ],
    },
  );
  mock.on({ userMessage: 'find', hasToolResult: true }, { content: 'Found both.' });
  await mock.start();
});
afterAll(() => mock.stop());
afterEach(() => void mock.clearChaos());

const tools = [{ name: 'search', description: 'Searches.', parameters: { type: 'object', properties: { q: { type: 'string' } } } }];
const options = (): { model: string; apiKey: string; baseURL: string } => ({
  model: 'gpt-5-mini',
  apiKey: 'mock',
  baseURL: `${mock.url}/v1`,
});
const user = (text: string): Message => ({ v: 1, role: 'user', parts: [{ type: 'text', text }] });
const environment = { random: () => 1, sleep: () => Promise.resolve() };

describe.each([
  ['chat', () => new OpenAIChatModel(options())],
  ['responses', () => new OpenAIResponsesModel(options())],
])('against a double of the API, %s', (_title, make) => {
  test('an answer is read with its usage', async () => {
    const answer = await collect(make().stream(ask('hello')));
    expect(answer).toMatchObject({ error: undefined, text: 'Hi there!', finish: 'stop' });
    expect(answer.usage!.outputTokens).toEqual(expect.any(Number));
  });

  test('two calls go out and their results come back', async () => {
    const first = await collect(make().stream(ask('find', { tools })));
    expect(first).toMatchObject({ error: undefined, finish: 'tool_calls' });
    expect(first.calls.map((call) => call.arguments)).toEqual(['{"q":"a"}', '{"q":"b"}']);
    const calls = first.calls.map((call) => ({ ...call, id: call.id! }));
    const results = calls.map(({ id, name }): Message => ({
      v: 1,
      role: 'tool',
      callId: id,
      name,
      parts: [{ type: 'text', text: 'yes' }],
      outcome: 'ok',
      trust: 'trusted',
    }));
    const messages: Message[] = [user('find'), { v: 1, role: 'assistant', parts: [], calls }, ...results];
    expect(await collect(make().stream(ask('', { messages, tools })))).toMatchObject({
      error: undefined,
      text: 'Found both.',
      finish: 'stop',
    });
  });

  test.each(['dropRate', 'malformedRate', 'disconnectRate', 'rateLimitRate'])(
    'chaos of the kind %s is a typed error, and never an answer',
    async (kind) => {
      mock.setChaos({ [kind]: 1 });
      const { error, finish } = await collect(make().stream(ask('hello')));
      expect(finish).toBeUndefined();
      expect(ModelError.is(error) && error.retryable).toBe(true);
      if (kind === 'rateLimitRate') expect(error).toMatchObject({ status: 429, retryAfter: expect.any(Number) as number });
    },
  );

  test('a slow answer is waited for', async () => {
    mock.setChaos({ latencyMs: 150 });
    expect(await collect(make().stream(ask('hello')))).toMatchObject({ error: undefined, text: 'Hi there!' });
  });

  test('the journal of the double holds what was meant to be sent, with the client and after it', async () => {
    const model = make();
    mock.clearRequests();
    for (let at = 0; at < 4; at += 1) await collect(model.stream(ask('hello', { tools, settings: { temperature: 0.5 } })));
    const entries = mock.getRequests();
    expect(entries).toHaveLength(4);
    for (const { method, headers, body } of entries) {
      expect(method).toBe('POST');
      // The double hides keys.
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(['authorization', 'content-type', 'content-length', 'user-agent']));
      expect(body).toMatchObject({ model: 'gpt-5-mini', stream: true, temperature: 0.5 });
      // The double tells requests of either API in the words of one.
      expect(JSON.stringify(body)).toContain('"description":"Searches."');
      expect(body).toEqual(entries[0]!.body);
    }
  });

  test('an error that passes is tried again', async () => {
    mock.nextRequestError(503, { message: 'overloaded' });
    expect(await collect(withRetries(make(), {}, environment).stream(ask('hello')))).toMatchObject({ error: undefined, text: 'Hi there!' });
  });
});
