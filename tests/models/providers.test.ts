import { ModelError } from '../../src/errors/run-error';
import { costOf, registerPrices } from '../../src/models/prices';
import { providerNames, registerProvider } from '../../src/models/providers';
import { resolveModel } from '../../src/models/resolve-model';
import { ask, collect, HELLO, Loopback, sse, delta } from './loopback';

let server: Loopback;
beforeAll(async () => void (server = await Loopback.start()));
afterAll(() => server.stop());
beforeEach(() => server.reply({ pieces: [HELLO] }));

const before = { ...process.env };
afterEach(() => {
  for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
  Object.assign(process.env, before);
});

test('every provider of the list is known', () => {
  const names =
    'openai openai-responses azure ollama lmstudio llamacpp vllm groq mistral together openrouter deepseek gemini anthropic custom offline';
  expect(providerNames()).toEqual(expect.arrayContaining(names.split(' ')));
  for (const name of names.split(' ')) expect(resolveModel(`${name}:m:8b`).name).toMatch(name === 'offline' ? /^offline:/ : `${name}:m:8b`);
});

test('a string is split at its first colon', async () => {
  process.env['OLLAMA_BASE_URL'] = server.baseURL;
  const model = resolveModel('ollama:qwen3:8b');
  expect(await collect(model.stream(ask()))).toMatchObject({ text: 'Hello' });
  expect(server.requests[0]!.body).toMatchObject({ model: 'qwen3:8b' });
});

test('the base URL and the key come from the environment at the time of the run', async () => {
  process.env['OPENAI_API_KEY'] = 'first';
  process.env['OPENAI_BASE_URL'] = server.baseURL;
  await collect(resolveModel('openai:m').stream(ask()));
  expect(server.requests[0]!.headers['authorization']).toBe('Bearer first');
  process.env['OPENAI_API_KEY'] = 'second';
  server.reply({ pieces: [HELLO] });
  await collect(resolveModel('openai:m').stream(ask()));
  expect(server.requests[0]!.headers['authorization']).toBe('Bearer second');
});

test('azure takes the address of the resource', async () => {
  process.env['AZURE_OPENAI_API_KEY'] = 'k';
  for (const path of ['', '/', '/openai/v1', '/openai/v1/']) {
    process.env['AZURE_OPENAI_ENDPOINT'] = server.baseURL.replace(/\/v1$/, path);
    server.reply({ pieces: [HELLO] });
    await collect(resolveModel('azure:my-deployment').stream(ask()));
    expect(server.requests[0]!.url).toBe('/openai/v1/chat/completions');
  }
});

test('the organisation of OpenAI is told to OpenAI only', async () => {
  process.env['OPENAI_ORG_ID'] = 'org';
  process.env['OPENAI_API_KEY'] = process.env['GROQ_API_KEY'] = 'k';
  process.env['OPENAI_BASE_URL'] = process.env['GROQ_BASE_URL'] = server.baseURL;
  for (const provider of ['openai', 'groq']) {
    server.reply({ pieces: [HELLO] });
    await collect(resolveModel(`${provider}:m`).stream(ask()));
    expect(server.requests[0]!.headers['openai-organization']).toBe(provider === 'openai' ? 'org' : undefined);
  }
});

test('custom needs an address, and says which variable', async () => {
  const { error } = await collect(resolveModel('custom:m').stream(ask()));
  expect(ModelError.is(error) && error.advice).toContain('TOOLWRIGHT_BASE_URL');
});

test.each<[string, object, RegExp]>([
  ['an option', { baseUrl: 'http://localhost' }, /registerProvider\("mistyped"\): there is no option `baseUrl`\. Did you mean `baseURL`/],
  ['a capability', { capabilities: { image: false } }, /capabilities: there is no option `image`/],
  ['a quirk', { quirks: { seed: 'random_seed' } }, /quirks: there is no option `seed`/],
  ['a factory', { create: 'mine' }, /`create` must be a function/],
])('a provider with %s that is none is refused', (_, entry, text) => {
  expect(() => registerProvider('mistyped', entry)).toThrow(text);
  expect(() => resolveModel('mistyped:m')).toThrow(/no known provider/);
});

test('quirks of a provider are honoured', async () => {
  process.env['MISTRAL_BASE_URL'] = server.baseURL;
  process.env['MISTRAL_API_KEY'] = 'k';
  await collect(resolveModel('mistral:m').stream(ask('Hi', { settings: { seed: 1, maxTokens: 2 } })));
  expect(server.requests[0]!.body).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: 2,
    random_seed: 1,
    stream: true,
  });
});

test.each<[unknown, RegExp]>([
  ['nobody:m', /"nobody:m" names no known provider.*openai: .*ollama:/],
  ['gpt-5', /names no known provider/],
  ['openai', /names no model/],
  ['openai: ', /names no model/],
  ['__proto__:m', /names no known provider/],
  ['constructor:m', /names no known provider/],
  [null, /A model must be a string/],
  [{}, /A model must be a string/],
  [{ stream: () => undefined }, /A model must say what it can/],
  [[], /is empty/],
])('%j is refused', (ref, text) => expect(() => resolveModel(ref as never)).toThrow(text));

test('a provider of one own is a name like the others', async () => {
  registerProvider('mine', { baseURL: server.baseURL, quirks: { streamUsage: false } });
  await collect(resolveModel('mine:m').stream(ask()));
  expect(server.requests[0]!.body).not.toHaveProperty('stream_options');
  expect(() => registerProvider('Not a name', {})).toThrow(/no provider's name/);
});

test('a provider may make its models itself', () => {
  const made = { name: 'own:x', capabilities: resolveModel('offline:').capabilities, stream: () => (async function* () {})() };
  registerProvider('own', { create: () => made });
  expect(resolveModel('own:x')).toBe(made);
});

test('a model of a string is repeated when it fails, with the time of the run', async () => {
  registerProvider('mine', { baseURL: server.baseURL });
  server.reply({ status: 503 }, { pieces: [HELLO] });
  const waits: number[] = [];
  const model = resolveModel('mine:m', { random: () => 1, sleep: async (ms) => void waits.push(ms) });
  expect(await collect(model.stream(ask()))).toMatchObject({ text: 'Hello', error: undefined });
  expect(waits).toEqual([500]);
});

test('a list is a chain: the one without a key is passed over', async () => {
  registerProvider('keyless', { baseURL: server.baseURL, keyVariable: 'NO_SUCH_KEY' });
  registerProvider('mine', { baseURL: server.baseURL });
  const answer = await collect(resolveModel(['keyless:m', 'mine:m']).stream(ask()));
  expect(answer).toMatchObject({ text: 'Hello', finish: 'stop' });
  expect(answer.warnings[0]).toContain('NO_SUCH_KEY is not set');
});

describe('costs', () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 500_000, cachedTokens: 400_000 };

  test('are unknown, not zero, without a price', () => expect(costOf('nobody:m', usage)).toBeUndefined());

  test('follow the registered prices, cached tokens apart', () => {
    registerPrices({ 'mine:priced': { input: 1, cachedInput: 0.1, output: 4 } });
    expect(costOf('mine:priced', usage)).toBeCloseTo(0.6 + 0.04 + 2, 10);
    expect(costOf('mine:priced', { inputTokens: 1 })).toBeUndefined();
  });

  test('are the provider own where it says them', () => expect(costOf('mine:priced', { ...usage, costUsd: 7 })).toBe(7));

  test('reach the usage of an answer', async () => {
    registerProvider('mine', { baseURL: server.baseURL });
    registerPrices({ 'mine:priced': { input: 1, output: 2 } });
    const usageChunk = { choices: [], usage: { prompt_tokens: 1_000_000, completion_tokens: 1 } };
    server.reply({ pieces: [sse([delta({ content: 'x' }, 'stop'), usageChunk])] });
    expect((await collect(resolveModel('mine:priced').stream(ask()))).usage!.costUsd).toBeCloseTo(1.000002, 9);
  });

  test('a price that is no number is refused', () => {
    for (const [price, text] of [
      [{ input: -1, output: 1 }, /registerPrices: "m": `input` must be dollars per million tokens/],
      [{ input: 1 }, /registerPrices: "m" needs both/],
      [{ input: 1, output: 1, cached: 1 }, /registerPrices: "m": there is no option `cached`/],
      [undefined, /registerPrices: "m" needs both/],
    ] as const)
      expect(() => registerPrices({ m: price as never })).toThrow(text);
  });
});
