import { OpenAIChatModel } from '../../src/models/openai-chat-model';
import { OpenAIResponsesModel } from '../../src/models/openai-responses-model';
import { ask, collect, delta, HELLO, Loopback, sse } from './loopback';

let server: Loopback;
beforeAll(async () => void (server = await Loopback.start()));
afterAll(() => server.stop());
beforeEach(() => server.reply({ pieces: [HELLO] }));
afterEach(() => jest.restoreAllMocks());

const options = (): { model: string; apiKey: string; baseURL: string } => ({ model: 'gpt-5', apiKey: 'k', baseURL: server.baseURL });

/** How often the client of the package itself builds a request. */
function clientRequests(): jest.SpyInstance {
  const { OpenAI } = jest.requireActual<{ OpenAI: { prototype: { buildRequest: () => unknown } } }>('openai');
  return jest.spyOn(OpenAI.prototype, 'buildRequest');
}

test('later requests carry what the client’s carried, byte for byte, without it', async () => {
  const built = clientRequests();
  const model = new OpenAIChatModel({ ...options(), headers: { 'x-tenant': 't1' } });
  for (let at = 0; at < 5; at += 1) expect(await collect(model.stream(ask()))).toMatchObject({ text: 'Hello', error: undefined });
  expect(built).toHaveBeenCalledTimes(2);
  const [first, ...others] = server.requests;
  expect(first!.headers).toMatchObject({ authorization: 'Bearer k', 'x-tenant': 't1', 'content-type': 'application/json' });
  for (const other of others) expect(other).toEqual(first);
});

test('bodies are those of their own requests', async () => {
  const model = new OpenAIChatModel(options());
  for (const text of ['a', 'b', 'c', 'd']) await collect(model.stream(ask(text)));
  expect(server.requests.map(({ body }) => body.messages![0]!['content'])).toEqual(['a', 'b', 'c', 'd']);
});

test('the same holds for the Responses API', async () => {
  const built = clientRequests();
  const model = new OpenAIResponsesModel(options());
  for (let at = 0; at < 4; at += 1) await collect(model.stream(ask()));
  expect(built).toHaveBeenCalledTimes(2);
  expect(new Set(server.requests.map(({ url }) => url))).toEqual(new Set(['/v1/responses']));
});

test('a `fetch` or client of the caller carries every request', async () => {
  const seen: unknown[] = [];
  const counting: typeof fetch = (input, init) => {
    seen.push(input);
    return fetch(input, init);
  };
  const model = new OpenAIChatModel({ ...options(), fetch: counting });
  for (let at = 0; at < 4; at += 1) await collect(model.stream(ask()));
  expect(seen).toHaveLength(4);
});

test('a client that logs makes every request', async () => {
  const built = clientRequests();
  const log = jest.spyOn(console, 'debug').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  process.env['OPENAI_LOG'] = 'debug';
  try {
    const model = new OpenAIChatModel(options());
    for (let at = 0; at < 4; at += 1) await collect(model.stream(ask()));
  } finally {
    delete process.env['OPENAI_LOG'];
  }
  expect(built).toHaveBeenCalledTimes(4);
  expect(log).toHaveBeenCalled();
});

test('an abort of a later request ends with its reason', async () => {
  const model = new OpenAIChatModel(options());
  for (let at = 0; at < 3; at += 1) await collect(model.stream(ask()));
  server.reply({ pieces: [sse([delta({ content: 'We ' })], false)], then: 'hold' });
  const controller = new AbortController();
  const reading = (async () => {
    for await (const _chunk of model.stream(ask('Hi', { signal: controller.signal }))) controller.abort(new Error('enough'));
  })();
  await expect(reading).rejects.toThrow('enough');
});
