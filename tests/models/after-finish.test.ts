import { OpenAIChatModel } from '../../src/models/openai-chat-model';
import { ask, collect, delta } from './loopback';

afterEach(() => void jest.useRealTimers());

test('a server that keeps the connection open after the end was said does not hold up the run', async () => {
  jest.useFakeTimers();
  let signal: AbortSignal | undefined;
  const create = (_body: unknown, options?: { readonly signal: AbortSignal }): unknown => {
    signal = options!.signal;
    return (async function* () {
      yield delta({ content: 'x' }, 'stop');
      await new Promise(() => undefined);
    })();
  };
  const reading = collect(new OpenAIChatModel({ model: 'm', client: { chat: { completions: { create } } } }).stream(ask()));
  await jest.advanceTimersByTimeAsync(4_900);
  expect(signal!.aborted).toBe(false);
  await jest.advanceTimersByTimeAsync(200);
  expect(await reading).toMatchObject({ text: 'x', finish: 'stop', error: undefined });
  expect(signal!.aborted).toBe(true);
  expect(jest.getTimerCount()).toBe(0);
});
