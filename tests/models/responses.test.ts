import { ModelError } from '../../src/errors/run-error';
import { OpenAIResponsesModel } from '../../src/models/openai-responses-model';
import type { Message } from '../../src/types/message';
import { ask, collect, Loopback, type Answer } from './loopback';

let server: Loopback;
beforeAll(async () => void (server = await Loopback.start()));
afterAll(() => server.stop());

type Event = { readonly type: string; readonly [key: string]: unknown };
const events = (...of: readonly Event[]): string => of.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('');
const completed: Event = {
  type: 'response.completed',
  response: {
    status: 'completed',
    usage: {
      input_tokens: 9,
      output_tokens: 4,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens_details: { reasoning_tokens: 2 },
    },
  },
};
const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Think.' }],
  encrypted_content: 'E',
  status: null,
};
const functionCall = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search', arguments: '{"q":"a"}', status: 'completed' };

async function play(body: string, over: Parameters<typeof ask>[1] = {}, contentType = 'text/event-stream'): Promise<Answer> {
  server.reply({ headers: { 'content-type': contentType }, pieces: [body] });
  return collect(new OpenAIResponsesModel({ model: 'gpt-5', apiKey: 'k', baseURL: server.baseURL }).stream(ask('Hi', over)));
}

const TURN = events(
  { type: 'response.created', response: { status: 'in_progress' } },
  { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1' } },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'Think.' },
  { type: 'response.output_item.done', output_index: 0, item: reasoning },
  { type: 'response.output_text.delta', output_index: 1, delta: 'Let me ' },
  { type: 'response.output_text.delta', output_index: 1, delta: 'look.' },
  {
    type: 'response.output_item.done',
    output_index: 1,
    item: { type: 'message', content: [{ type: 'output_text', text: 'Let me look.' }] },
  },
  { type: 'response.output_item.added', output_index: 2, item: { ...functionCall, arguments: '' } },
  { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"q":' },
  { type: 'response.function_call_arguments.delta', output_index: 2, delta: '"a"}' },
  { type: 'response.function_call_arguments.done', output_index: 2, arguments: '{"q":"a"}' },
  { type: 'response.output_item.done', output_index: 2, item: functionCall },
  completed,
);

test('text, reasoning, calls and usage are read, each once', async () => {
  expect(await play(TURN)).toMatchObject({
    error: undefined,
    text: 'Let me look.',
    reasoning: 'Think.',
    calls: [{ id: 'call_1', name: 'search', arguments: '{"q":"a"}' }],
    finish: 'tool_calls',
    usage: { inputTokens: 9, outputTokens: 4, cachedTokens: 3, reasoningTokens: 2 },
  });
});

test('items without deltas, and a whole response, are read alike', async () => {
  const output = [reasoning, { type: 'message', content: [{ type: 'output_text', text: 'Let me look.' }] }, functionCall];
  const same = {
    text: 'Let me look.',
    reasoning: 'Think.',
    calls: [{ id: 'call_1', name: 'search', arguments: '{"q":"a"}' }],
    finish: 'tool_calls',
  };
  const items = output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item }));
  expect(await play(events(...items, completed))).toMatchObject(same);
  expect(await play(JSON.stringify({ object: 'response', status: 'completed', output }), {}, 'application/json')).toMatchObject(same);
});

test('reasoning goes back before the calls that followed it', async () => {
  const { extra } = await play(TURN);
  const messages: Message[] = [
    { v: 1, role: 'system', text: 'Be brief.' },
    { v: 1, role: 'user', parts: [{ type: 'text', text: 'Find a.' }] },
    {
      v: 1,
      role: 'assistant',
      parts: [{ type: 'text', text: 'Let me look.' }],
      calls: [{ id: 'call_1', name: 'search', arguments: '{"q":"a"}' }],
      extra: extra!,
    },
    {
      v: 1,
      role: 'tool',
      callId: 'call_1',
      name: 'search',
      outcome: 'ok',
      trust: 'trusted',
      parts: [
        { type: 'text', text: 'found' },
        { type: 'image', url: 'https://example.test/i.png' },
      ],
    },
  ];
  await play(TURN, { messages });
  expect(server.requests[0]!.body).toEqual({
    model: 'gpt-5',
    input: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Find a.' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Think.' }], encrypted_content: 'E' },
      { role: 'assistant', content: 'Let me look.' },
      { type: 'function_call', call_id: 'call_1', name: 'search', arguments: '{"q":"a"}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [
          { type: 'input_text', text: 'found' },
          { type: 'input_image', image_url: 'https://example.test/i.png', detail: 'auto' },
        ],
      },
    ],
    include: ['reasoning.encrypted_content'],
    store: false,
    stream: true,
  });
});

test('tools, choice and output have their forms', async () => {
  const parameters = { type: 'object', properties: {} };
  await play(TURN, {
    tools: [{ name: 'search', description: '', parameters, strict: { ...parameters, additionalProperties: false } }],
    toolChoice: { tool: 'search' },
    output: { name: 'report', schema: parameters },
    settings: { maxTokens: 5, reasoningEffort: 'low' },
  });
  expect(server.requests[0]!.body).toMatchObject({
    tools: [{ type: 'function', name: 'search', parameters: { ...parameters, additionalProperties: false }, strict: true }],
    tool_choice: { type: 'function', name: 'search' },
    parallel_tool_calls: false,
    text: { format: { type: 'json_schema', name: 'report', schema: parameters, strict: false } },
    max_output_tokens: 5,
    reasoning: { effort: 'low', summary: 'auto' },
  });
});

test('a refusal is told as one', async () => {
  const answer = await play(events({ type: 'response.refusal.delta', output_index: 0, delta: 'No.' }, completed));
  expect(answer).toMatchObject({ refusal: 'No.', finish: 'stop' });
});

test.each([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'],
  ['something new', 'other'],
])('an answer that is incomplete by %s ends as %s, with a call too', async (reason, finish) => {
  const end = { type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason } } };
  expect((await play(events({ type: 'response.output_item.done', output_index: 0, item: functionCall }, end))).finish).toBe(finish);
});

test.each<[string, string, boolean]>([
  [
    'a failed response',
    events({ type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'down' } } }),
    true,
  ],
  ['a failed response without a reason', events({ type: 'response.failed', response: { status: 'failed' } }), true],
  ['an error event', events({ type: 'error', code: 'rate_limit_exceeded', message: 'slow' }), true],
  ['an error event of the request', events({ type: 'error', error: { type: 'invalid_request_error', message: 'bad' } }), false],
  ['a stream without its end', events({ type: 'response.output_text.delta', output_index: 0, delta: 'We ' }), true],
  ['a stream that holds nothing known', events({ type: 'response.unheard.of' }), true],
])('%s is a ModelError', async (_title, body, retryable) => {
  const { error, finish } = await play(body);
  expect(finish).toBeUndefined();
  expect(ModelError.is(error) && error.retryable).toBe(retryable);
});

test.each(['{"object":"response","status":"failed","error":{"message":"down"},"output":[]}', '{"status":"completed"}', '[]'])(
  'the body %s is a ModelError',
  async (body) => {
    expect(ModelError.is((await play(body, {}, 'application/json')).error)).toBe(true);
  },
);
