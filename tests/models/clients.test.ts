import { OpenAIChatModel } from '../../src/models/openai-chat-model';
import type { OpenAIClient } from '../../src/models/openai-client';
import { OpenAIResponsesModel } from '../../src/models/openai-responses-model';
import { ask, collect, delta, HELLO, Loopback } from './loopback';

let server: Loopback;
beforeAll(async () => void (server = await Loopback.start()));
afterAll(() => server.stop());
beforeEach(() => server.reply({ pieces: [HELLO] }));

type ClientClass = new (options: object) => OpenAIClient;

describe.each(['openai', 'openai-6'])('a client of %s', (name) => {
  const { OpenAI } = jest.requireActual<{ OpenAI: ClientClass }>(name);

  test('answers, and does not retry by itself', async () => {
    const client = new OpenAI({ apiKey: 'k', baseURL: server.baseURL, maxRetries: 5 });
    const model = new OpenAIChatModel({ model: 'm', client });
    expect(await collect(model.stream(ask()))).toMatchObject({ text: 'Hello', finish: 'stop' });
    server.reply({ status: 503, headers: { 'content-type': 'application/json' }, pieces: ['{}'] });
    expect((await collect(model.stream(ask()))).error).toMatchObject({ status: 503, retryable: true });
    expect(server.requests).toHaveLength(1);
  });

  test('aborts', async () => {
    server.reply({ pieces: [HELLO.slice(0, 90)], then: 'hold' });
    const client = new OpenAI({ apiKey: 'k', baseURL: server.baseURL });
    const signal = AbortSignal.timeout(60);
    const { error } = await collect(new OpenAIChatModel({ model: 'm', client }).stream(ask('Hi', { signal })));
    expect(error).toBe(signal.reason);
  });
});

const fake = (create: () => unknown): OpenAIClient => ({ chat: { completions: { create } } });

describe('a crowd of requests', () => {
  /** A client whose answers come after two turns of the event loop. */
  const counting = (): { readonly client: OpenAIClient; readonly begun: unknown[] } => {
    const begun: unknown[] = [];
    const create = async (body: never): Promise<unknown> => {
      begun.push(body);
      await nextTurn().then(nextTurn);
      return { choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }] };
    };
    return { client: { chat: { completions: { create } } }, begun };
  };
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('begins in turns, whatever client makes them, so that nothing else is held up', async () => {
    const { client, begun } = counting();
    const model = new OpenAIChatModel({ model: 'm', client });
    let turns = 0;
    let over = false;
    const count = (): void => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    const all = Promise.all(Array.from({ length: 200 }, () => collect(model.stream(ask()))));
    await Promise.resolve();
    expect(begun).toHaveLength(32);
    setImmediate(count);
    expect((await all).map(({ text }) => text)).toEqual(Array.from({ length: 200 }, () => 'whole'));
    over = true;
    expect(begun).toHaveLength(200);
    expect(turns).toBeGreaterThan(4);
  });

  test('does not begin what was aborted while it waited', async () => {
    const { client, begun } = counting();
    const model = new OpenAIChatModel({ model: 'm', client });
    const crowd = Array.from({ length: 64 }, () => collect(model.stream(ask())));
    const controller = new AbortController();
    const last = collect(model.stream(ask('Hi', { signal: controller.signal })));
    const reason = new Error('enough');
    controller.abort(reason);
    expect((await last).error).toBe(reason);
    await Promise.all(crowd);
    expect(begun).toHaveLength(64);
  });
});

test('a wrapped client may give parsed chunks', async () => {
  const client = fake(() =>
    Promise.resolve(
      (async function* () {
        yield delta({ content: 'a' });
        yield delta({ content: 'b' }, 'stop');
      })(),
    ),
  );
  expect(await collect(new OpenAIChatModel({ model: 'm', client }).stream(ask()))).toMatchObject({ text: 'ab', finish: 'stop' });
});

test('a wrapped client may give a parsed answer', async () => {
  const client = fake(() => Promise.resolve({ choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }] }));
  expect(await collect(new OpenAIChatModel({ model: 'm', client }).stream(ask()))).toMatchObject({ text: 'whole', finish: 'stop' });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a web page', '<html></html>'],
  ['an empty text', ''],
  ['a number', 5],
])('a client that gives %s is told of as a failure', async (_title, value) => {
  const { error, finish } = await collect(new OpenAIChatModel({ model: 'm', client: fake(() => value) }).stream(ask()));
  expect(finish).toBeUndefined();
  expect(error).toMatchObject({ name: 'ModelError' });
});

test('a client that throws, at once or later, is told of as a failure', async () => {
  for (const create of [
    () => {
      throw new TypeError('boom');
    },
    () => Promise.reject(new TypeError('boom')),
  ]) {
    const { error } = await collect(new OpenAIChatModel({ model: 'm', client: fake(create) }).stream(ask()));
    expect(error).toMatchObject({ name: 'ModelError', retryable: false });
  }
});

test('the package is not loaded before the first request', () => {
  jest.isolateModules(() => {
    jest.doMock('openai', () => {
      throw new Error('loaded too early');
    });
    const { OpenAIChatModel: Isolated } = jest.requireActual<typeof import('../../src/models/openai-chat-model')>(
      '../../src/models/openai-chat-model',
    );
    expect(() => new Isolated({ model: 'm', apiKey: 'k' })).not.toThrow();
    jest.dontMock('openai');
  });
});

test('options that do not exist are refused, and so is a model without a name', () => {
  expect(() => new OpenAIChatModel({ model: 'm', temprature: 1 } as never)).toThrow(/temprature/);
  expect(() => new OpenAIChatModel({} as never)).toThrow(/`model` is missing/);
  expect(() => new OpenAIResponsesModel({ model: 'm', quirks: {} } as never)).toThrow(/quirks/);
  expect(() => new OpenAIChatModel({ model: 'm', capabilities: { image: false } as never })).toThrow(/no option `image`.*`images`/);
  expect(() => new OpenAIChatModel({ model: 'm', quirks: { maxTokensField: 'maxTokens' } as never })).toThrow(/`maxTokensField` must be/);
});

test('a client without `responses` is told of', async () => {
  const { error } = await collect(new OpenAIResponsesModel({ model: 'm', client: fake(() => undefined) }).stream(ask()));
  expect((error as Error).message).toContain('responses');
});

test('headers and fetch of the caller are used', async () => {
  const seen: string[] = [];
  const model = new OpenAIChatModel({
    model: 'm',
    apiKey: 'k',
    baseURL: server.baseURL,
    headers: { 'x-tenant': 't1' },
    fetch: (input, init) => {
      seen.push(String(input));
      return fetch(input, init);
    },
  });
  await collect(model.stream(ask()));
  expect(seen).toEqual([`${server.baseURL}/chat/completions`]);
  expect(server.requests[0]!.headers).toMatchObject({ 'x-tenant': 't1', authorization: 'Bearer k' });
});
