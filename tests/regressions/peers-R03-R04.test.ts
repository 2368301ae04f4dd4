import { OpenAIChatModel } from '../../src/models/openai-chat-model';
import { withRetries } from '../../src/models/retry';
import { ask, collect, delta, HELLO, Loopback, sse } from '../models/loopback';

let server: Loopback;
beforeAll(async () => void (server = await Loopback.start()));
afterAll(() => server.stop());

const waits: number[] = [];
const environment = { random: () => 1, sleep: async (ms: number) => void waits.push(ms) };
const model = () => withRetries(new OpenAIChatModel({ model: 'm', apiKey: 'k', baseURL: server.baseURL }), {}, environment);

test('R03: the wait that a 429 asks for is kept', async () => {
  server.reply({ status: 429, headers: { 'retry-after': '1' } }, { pieces: [HELLO] });
  expect(await collect(model().stream(ask()))).toMatchObject({ text: 'Hello', error: undefined });
  expect(waits).toEqual([1_000]);
});

test('R04: nothing is asked again once a piece of the answer was seen', async () => {
  server.reply({ pieces: [sse([delta({ content: 'We ' })], false)], then: 'destroy' }, { pieces: [HELLO] });
  const { text, error } = await collect(model().stream(ask()));
  expect(text).toBe('We ');
  expect(error).toMatchObject({ name: 'ModelError', retryable: true });
  expect(server.requests).toHaveLength(1);
});
