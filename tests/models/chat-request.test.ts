import type { ModelTool } from '../../src/models/model';
import { OpenAIChatModel, type OpenAIChatModelOptions } from '../../src/models/openai-chat-model';
import type { AssistantMessage, Message, ToolMessage } from '../../src/types/message';
import { ask, collect, HELLO, Loopback, type SeenRequest } from './loopback';

let server: Loopback;
beforeAll(async () => void (server = await Loopback.start()));
afterAll(() => server.stop());
beforeEach(() => server.reply({ pieces: [HELLO] }));

const model = (over: Partial<OpenAIChatModelOptions> = {}): OpenAIChatModel =>
  new OpenAIChatModel({ model: 'm', apiKey: 'k', baseURL: server.baseURL, ...over });

async function sent(over: Parameters<typeof ask>[1], options: Partial<OpenAIChatModelOptions> = {}): Promise<SeenRequest['body']> {
  server.reply({ pieces: [HELLO] });
  const { error } = await collect(model(options).stream(ask('Hi', over)));
  if (error !== undefined) throw error;
  return server.requests[0]!.body;
}

const PLAIN = { type: 'object', properties: { q: { type: 'string' } } };
const STRICT = { ...PLAIN, required: ['q'], additionalProperties: false };
const tool: ModelTool = { name: 'search', description: 'Searches.', parameters: PLAIN, strict: STRICT };
const assistant = (over: Partial<AssistantMessage>): AssistantMessage => ({ v: 1, role: 'assistant', parts: [], calls: [], ...over });
const result = (callId: string, parts: ToolMessage['parts']): ToolMessage => ({
  v: 1,
  role: 'tool',
  callId,
  name: 'search',
  parts,
  outcome: 'ok',
  trust: 'trusted',
});
const called = assistant({
  calls: [
    { id: 'c1', name: 'search', arguments: '{"q":"a"}' },
    { id: 'c2', name: 'search', arguments: '{}' },
  ],
});

test('a bare request says no more than it must', async () => {
  expect(await sent({})).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
    stream_options: { include_usage: true },
  });
});

test('every setting has its field', async () => {
  const settings = {
    temperature: 0,
    topP: 0.5,
    maxTokens: 9,
    reasoningEffort: 'low',
    seed: 1,
    stop: ['x'],
    extraBody: { user: 'u' },
  } as const;
  expect(await sent({ settings })).toMatchObject({
    temperature: 0,
    top_p: 0.5,
    max_tokens: 9,
    reasoning_effort: 'low',
    seed: 1,
    stop: ['x'],
    user: 'u',
  });
});

test('a request without a stream is answered in one piece', async () => {
  server.reply({
    headers: { 'content-type': 'application/json' },
    pieces: [
      JSON.stringify({
        choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 2 },
      }),
    ],
  });
  const answer = await collect(model().stream(ask('Hi', { settings: { extraBody: { stream: false } } })));
  expect(answer).toMatchObject({ text: 'whole', finish: 'stop', usage: { inputTokens: 1, outputTokens: 2 } });
  expect(server.requests[0]!.body).not.toHaveProperty('stream_options');
});

describe('tools', () => {
  test('are strict where they can be', async () => {
    const { tools } = await sent({
      tools: [tool, { ...tool, name: 'open', strict: undefined }],
      parallelToolCalls: true,
    });
    expect(tools).toEqual([
      { type: 'function', function: { name: 'search', description: 'Searches.', parameters: STRICT, strict: true } },
      { type: 'function', function: { name: 'open', description: 'Searches.', parameters: PLAIN } },
    ]);
  });

  test('are plain for a model that knows nothing of strictness', async () => {
    const { tools } = await sent({ tools: [tool] }, { capabilities: { strict: false } });
    expect(tools).toEqual([{ type: 'function', function: { name: 'search', description: 'Searches.', parameters: PLAIN } }]);
  });

  test('a choice is said when there is one', async () => {
    expect(await sent({ tools: [tool] })).not.toHaveProperty('tool_choice');
    expect(await sent({ tools: [tool], toolChoice: 'required' })).toMatchObject({ tool_choice: 'required' });
    expect(await sent({ tools: [tool], toolChoice: { tool: 'search' } })).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'search' } },
    });
    expect(await sent({ toolChoice: 'none' })).not.toHaveProperty('tool_choice');
  });

  test('an answer of a shape is asked for where the model has it', async () => {
    const output = { name: 'report', schema: PLAIN, strict: STRICT };
    expect(await sent({ output })).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'report', schema: STRICT, strict: true } },
    });
    expect(await sent({ output }, { capabilities: { jsonSchema: false } })).not.toHaveProperty('response_format');
  });
});

describe('messages', () => {
  test('text, JSON, images, files and sound have their forms', async () => {
    const messages: Message[] = [
      { v: 1, role: 'system', text: 'Be brief.' },
      {
        v: 1,
        role: 'user',
        parts: [
          { type: 'text', text: 'a' },
          { type: 'json', value: { b: 1 } },
          { type: 'image', url: 'https://example.test/i.png' },
          { type: 'image', data: 'QUJD', mediaType: 'image/jpeg' },
          { type: 'file', name: 'r.pdf', data: 'QUJD', mediaType: 'application/pdf' },
          { type: 'file', name: 't.txt', data: Buffer.from('ä').toString('base64'), mediaType: 'text/plain' },
          { type: 'file', data: 'QUJD', mediaType: 'audio/mpeg' },
        ],
      },
    ];
    expect((await sent({ messages })).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: '{"b":1}' },
          { type: 'image_url', image_url: { url: 'https://example.test/i.png' } },
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,QUJD' } },
          { type: 'file', file: { filename: 'r.pdf', file_data: 'data:application/pdf;base64,QUJD' } },
          { type: 'text', text: '[file t.txt]\nä' },
          { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
        ],
      },
    ]);
  });

  test('an image is refused before it is sent to a model that cannot see', async () => {
    const messages: Message[] = [{ v: 1, role: 'user', parts: [{ type: 'image', url: 'https://example.test/i.png' }] }];
    await expect(sent({ messages }, { capabilities: { images: false } })).rejects.toThrow(/cannot see images/);
    expect(server.requests).toHaveLength(0);
  });

  test('images of results follow all results of their turn', async () => {
    const messages: Message[] = [
      called,
      result('c1', [
        { type: 'text', text: 'one' },
        { type: 'image', url: 'https://example.test/1.png' },
      ]),
      result('c2', [{ type: 'json', value: [] }]),
      { v: 1, role: 'user', parts: [{ type: 'text', text: 'and?' }] },
    ];
    expect((await sent({ messages })).messages!.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'one\n[image]' },
      { role: 'tool', tool_call_id: 'c2', content: '[]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Attached by the tool search (call c1):' },
          { type: 'image_url', image_url: { url: 'https://example.test/1.png' } },
        ],
      },
      { role: 'user', content: 'and?' },
    ]);
  });

  test('a name that providers refuse is not sent back to them', async () => {
    const names = ['functions.search', 'a b<|channel|>x', '', 'x'.repeat(99)];
    const messages = [assistant({ calls: names.map((name, at) => ({ id: `c${at}`, name, arguments: '{}' })) })];
    const [said] = (await sent({ messages })).messages as unknown as { tool_calls: { function: { name: string } }[] }[];
    expect(said!.tool_calls.map((one) => one.function.name)).toEqual(['search', 'a_b', 'unknown', 'x'.repeat(64)]);
  });

  test('reasoning goes back with the calls that followed it, where the provider wants it', async () => {
    const messages = [{ ...called, reasoning: 'Need it.' }, assistant({ parts: [{ type: 'text', text: 'x' }], reasoning: 'no' })];
    const wanted = (await sent({ messages }, { quirks: { reasoningField: 'reasoning_content' } })).messages!;
    expect(wanted[0]).toMatchObject({ reasoning_content: 'Need it.' });
    expect(wanted[1]).not.toHaveProperty('reasoning_content');
    expect((await sent({ messages })).messages![0]).not.toHaveProperty('reasoning_content');
  });

  test('provider data goes back where it came from', async () => {
    const extra = { chat: { reasoning_details: [{ signature: 's' }], calls: { 0: { google: { thought_signature: 'S' } } } } };
    const [said] = (await sent({ messages: [{ ...called, extra }] })).messages as unknown as [{ tool_calls: object[] }];
    expect(said).toMatchObject({ reasoning_details: [{ signature: 's' }] });
    expect(said.tool_calls[0]).toMatchObject({ extra_content: { google: { thought_signature: 'S' } } });
    expect(said.tool_calls[1]).not.toHaveProperty('extra_content');
  });

  test('one message is converted once, however often it is sent', async () => {
    let reads = 0;
    const counted = { v: 1, role: 'user', get parts() { return (reads += 1), [{ type: 'text', text: 'x' }] as const; } } as const; // prettier-ignore
    const tools = [tool];
    const one = model();
    for (let turn = 0; turn < 3; turn += 1) await collect(one.stream(ask('', { messages: [counted], tools })));
    expect(reads).toBeLessThanOrEqual(2);
    const before = reads;
    await collect(one.stream(ask('', { messages: [counted], tools })));
    expect(reads).toBe(before);
    const bodies = server.requests.map(({ body }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(1);
  });
});

test('nothing that the caller passed is changed', async () => {
  const freeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const request = freeze({
    messages: [called, result('c1', [{ type: 'image', data: 'QQ' } as const])],
    tools: [tool],
    settings: { extraBody: { a: { b: 1 } } },
  });
  expect(await sent(request)).toMatchObject({ a: { b: 1 } });
});
