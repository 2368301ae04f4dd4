import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { ModelError } from '../../src/errors/run-error';
import { retryAfter } from '../../src/models/errors';
import { OpenAIChatModel, type OpenAIChatModelOptions } from '../../src/models/openai-chat-model';
import { ask, collect, delta, HELLO, Loopback, sse, type Reply } from './loopback';

let server: Loopback;
beforeAll(async () => void (server = await Loopback.start()));
afterAll(() => server.stop());

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => {
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

const model = (over: Partial<OpenAIChatModelOptions> = {}): OpenAIChatModel =>
  new OpenAIChatModel({ model: 'm', apiKey: 'k', baseURL: server.baseURL, ...over });

/** How many requests a model makes before the one that is looked at: after two the client's way is known, and it is not asked again. */
let before = 0;

async function failure(reply: Reply, over: Partial<OpenAIChatModelOptions> = {}): Promise<ModelError> {
  const one = model(over);
  server.reply({ pieces: [HELLO] });
  for (let at = 0; at < before; at += 1) await collect(one.stream(ask()));
  server.reply(reply);
  const { error, finish } = await collect(one.stream(ask()));
  expect(finish).toBeUndefined();
  expect(ModelError.is(error)).toBe(true);
  return error as ModelError;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  pieces: [JSON.stringify(body)],
});
const HTML = '<!DOCTYPE html><html><head><title>Welcome</title></head><body>hi</body></html>';

describe.each([
  ['by the client', 0],
  ['as the client would', 2],
])('each failure of a request made %s is a typed error that says what to change', (_title, requests) => {
  beforeAll(() => void (before = requests));
  afterAll(() => void (before = 0));

  test('401 names the variable of the key, and does not repeat the key', async () => {
    const error = await failure(
      json(401, { error: { message: 'Incorrect API key provided: sk-abcdef123456' } }, { 'x-request-id': 'req_1' }),
    );
    expect(error).toMatchObject({ status: 401, retryable: false, requestId: 'req_1' });
    expect(error.advice).toContain('OPENAI_API_KEY');
    expect(error.message).not.toContain('abcdef');
  });

  test('404 names the model and the base URL, without what is secret in it', async () => {
    const error = await failure(json(404, { error: { message: 'no such model' } }), {
      baseURL: `${server.baseURL}?token=t`,
    });
    expect(error).toMatchObject({ status: 404, retryable: false });
    expect(error.advice).toContain('"m"');
    expect(error.advice).toContain('127.0.0.1');
    expect(`${error.advice}${error.message}`).not.toMatch(/secret|token/);
  });

  test('429 carries how long to wait', async () => {
    expect(await failure(json(429, { error: { message: 'slow down' } }, { 'retry-after': '2' }))).toMatchObject({
      status: 429,
      retryable: true,
      retryAfter: 2_000,
    });
    expect(await failure(json(429, { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }))).toMatchObject({
      retryable: false,
    });
  });

  test('500 may be tried again, once: the client does not do so by itself', async () => {
    expect(await failure(json(500, { error: 'broken' }))).toMatchObject({ status: 500, retryable: true });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['object', { object: 'error', message: 'the template failed', code: 400 }],
    ['detail', { detail: 'the template failed' }],
    ['list', [{ error: { message: 'the template failed' } }]],
  ])('400 in the form of a %s tells its text', async (_title, body) => {
    const error = await failure(json(400, body));
    expect(error).toMatchObject({ status: 400, retryable: false });
    expect(error.message).toContain('the template failed');
  });

  test('a web page means a wrong base URL', async () => {
    for (const status of [200, 404]) {
      const error = await failure({ status, headers: { 'content-type': 'text/html' }, pieces: [HTML] });
      expect(error.retryable).toBe(false);
      expect(error.message).toContain('Welcome');
      expect(error.advice).toMatch(/base URL/);
    }
    expect(await failure({ status: 502, headers: { 'content-type': 'text/html' }, pieces: [HTML] })).toMatchObject({ retryable: true });
  });

  test.each<[string, Reply]>([
    ['an empty body', { pieces: [] }],
    ['an empty body said to be JSON', { headers: { 'content-type': 'application/json' }, pieces: [' \n'] }],
    ['a stream that is cut off in the middle', { pieces: [sse([delta({ content: 'We ' })], false)], then: 'destroy' }],
    ['a stream that just stops', { pieces: [sse([delta({ content: 'We ' })], false)] }],
    ['an event that is cut off', { pieces: [sse([delta({ content: 'We ' })], false), 'data: {"choices":[{"del'] }],
    ['an event that is no JSON', { pieces: ['data: {oops}\n\n', HELLO] }],
    ['JSON that is cut off', { headers: { 'content-type': 'application/json' }, pieces: ['{"choices":[{"message":{"content":"x"'] }],
    ['only comments', { pieces: [': PROCESSING\n\n', ': PROCESSING\n\n'] }],
    ['plain text', { headers: { 'content-type': 'text/plain' }, pieces: ['upstream connect error'] }],
  ])('%s may be tried again', async (_title, reply) => {
    expect((await failure(reply)).retryable).toBe(true);
  });

  test('a refused connection says how to start the server', async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const endpoint = { provider: 'ollama', start: 'ollama serve', keyOptional: true } as const;
    const { error } = await collect(new OpenAIChatModel({ model: 'm', endpoint, baseURL: `http://127.0.0.1:${port}/v1` }).stream(ask()));
    expect(error).toMatchObject({ retryable: true, advice: 'Start the server: ollama serve' });
  });

  test('an address that cannot be asked is told without what is secret in it', async () => {
    const error = await failure({ pieces: [HELLO] }, { baseURL: server.baseURL.replace('//', '//user:secret@') });
    expect(`${error.advice}${error.message}`).not.toContain('secret');
    expect(error.message).toContain('credentials');
  });

  test('a missing key is told at the first request, not before', async () => {
    const endpoint = { provider: 'groq', baseURL: 'http://127.0.0.1:9/v1', keyVariable: 'NO_SUCH_KEY' };
    const { error } = await collect(new OpenAIChatModel({ model: 'm', endpoint }).stream(ask()));
    expect(ModelError.is(error) && error.message).toContain('NO_SUCH_KEY');
  });
});

describe('what is no failure', () => {
  test('a connection that breaks after the end was said', async () => {
    server.reply({ pieces: [sse([delta({ content: 'x' }), delta({}, 'stop')], false)], then: 'destroy' });
    expect(await collect(model().stream(ask()))).toMatchObject({ text: 'x', finish: 'stop', error: undefined });
  });

  test('comments and keep-alive text between events', async () => {
    server.reply({ pieces: [': hi\n\n', 'data: ping\n\n', 'event: ping\ndata: {}\n\n', HELLO] });
    expect(await collect(model().stream(ask()))).toMatchObject({ text: 'Hello', finish: 'stop' });
  });

  test('a JSON value by the line', async () => {
    const lines = [delta({ content: 'a' }), delta({ content: 'b' }, 'stop')].map((chunk) => JSON.stringify(chunk)).join('\n');
    server.reply({ headers: { 'content-type': 'application/x-ndjson' }, pieces: [lines] });
    expect(await collect(model().stream(ask()))).toMatchObject({ text: 'ab', finish: 'stop' });
  });
});

describe('Retry-After', () => {
  const headers = (of: Record<string, string>): Headers => new Headers(of);
  test.each([
    [{ 'retry-after-ms': '150' }, 150],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:10 GMT' }, 9_000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{}, undefined],
  ])('%j is %s ms', (of, ms) => expect(retryAfter(headers(of), 1_000)).toBe(ms));
});

describe('connections', () => {
  test('are used again after an answer, and closed when it is left', async () => {
    server.reply({ pieces: [HELLO] });
    const before = server.connections;
    const one = model();
    for (let at = 0; at < 4; at += 1) {
      await collect(one.stream(ask()));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(server.connections - before).toBeLessThanOrEqual(2);
  });

  test('an abort ends the request with its reason, and leaves no listener', async () => {
    server.reply({ pieces: [sse([delta({ content: 'We ' })], false)], then: 'hold' });
    const controller = new AbortController();
    const reason = new Error('enough');
    const removed = jest.spyOn(controller.signal, 'removeEventListener');
    const added = jest.spyOn(controller.signal, 'addEventListener');
    const texts: string[] = [];
    const reading = (async () => {
      for await (const chunk of model().stream(ask('Hi', { signal: controller.signal }))) {
        if (chunk.type === 'text') texts.push(chunk.text);
        controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(texts).toEqual(['We ']);
    expect(removed.mock.calls.length).toBeGreaterThanOrEqual(added.mock.calls.length);
  });

  test('a signal that has aborted sends nothing', async () => {
    server.reply({ pieces: [HELLO] });
    const { error } = await collect(model().stream(ask('Hi', { signal: AbortSignal.abort(new Error('before')) })));
    expect(error).toMatchObject({ message: 'before' });
    expect(server.requests).toHaveLength(0);
  });

  test('leaving the answer early closes its connection', async () => {
    server.reply({ pieces: [sse([delta({ content: 'We ' })], false)], then: 'hold' });
    for await (const chunk of model().stream(ask())) if (chunk.type === 'text') break;
    const [socket] = [...server.sockets].slice(-1);
    if (socket !== undefined && !socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
    expect(socket === undefined || socket.destroyed).toBe(true);
  });
});
