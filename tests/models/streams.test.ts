import { ModelError } from '../../src/errors/run-error';
import { OpenAIChatModel } from '../../src/models/openai-chat-model';
import { ask, collect, Loopback, type Answer } from './loopback';
import { bodyOf, isStreamed, replyOf, streamCases as cases, type Expectation, type StreamCase } from './stream-case';

let server: Loopback;
beforeAll(async () => void (server = await Loopback.start()));
afterAll(() => server.stop());

async function play(it: StreamCase, pieces: readonly Uint8Array[], writtenCalls = false): Promise<Answer> {
  server.reply(replyOf(it, pieces));
  const model = new OpenAIChatModel({ model: 'probe-1', apiKey: 'k', baseURL: server.baseURL, quirks: { writtenCalls } });
  return collect(model.stream(ask('Hi', isStreamed(it) ? {} : { settings: { extraBody: { stream: false } } })));
}

function check(answer: Answer, expected: Expectation): void {
  if (expected.anyOf !== undefined) {
    const faults = expected.anyOf
      .filter((one) => one.onlyIf === undefined)
      .map((one) => {
        try {
          return void check(answer, one);
        } catch (fault) {
          return fault;
        }
      });
    if (!faults.includes(undefined)) throw faults[0];
    return;
  }
  if (expected.outcome === 'error') {
    expect(ModelError.is(answer.error)).toBe(true);
    expect(answer.finish).toBeUndefined();
    const error = answer.error as ModelError;
    if (expected.retryable !== undefined) expect(error.retryable).toBe(expected.retryable);
    if (expected.message !== undefined) expect(error.message).toContain(expected.message);
    if (expected.partialText !== undefined) expect(answer.text).toBe(expected.partialText);
    return;
  }
  expect(answer.error).toBeUndefined();
  if (expected.outcome === 'retry_model') {
    // The gate refuses arguments that hold two objects; here they must arrive as they came, and none be chosen.
    expect(answer.calls).toHaveLength(1);
    expect(() => JSON.parse(answer.calls[0]!.arguments) as unknown).toThrow();
    return;
  }
  if (expected.outcome === 'unknown_tool') {
    expect(answer.calls.length).toBeGreaterThan(0);
    return;
  }
  if (expected.text !== undefined) expect(answer.text).toBe(expected.text);
  if (expected.textContains !== undefined) expect(answer.text).toContain(expected.textContains);
  if (expected.finish !== undefined) expect(matching(expected.finish)).toContain(answer.finish);
  if (expected.reasoning !== undefined) expect(matching(expected.reasoning)).toContain(answer.reasoning);
  if (expected.usage !== undefined)
    expect(answer.usage).toMatchObject({ inputTokens: expected.usage.input, outputTokens: expected.usage.output });
  if (expected.toolCalls !== undefined) {
    expect(answer.calls.map(({ name, arguments: text }) => ({ name, arguments: JSON.parse(text) as unknown }))).toEqual(
      expected.toolCalls.map(({ name, arguments: value }) => ({ name, arguments: value })),
    );
    expected.toolCalls.forEach(({ id }, at) => {
      if (typeof id === 'string') expect(answer.calls[at]!.id).toBe(id);
    });
    const ids = answer.calls.flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
  }
}

function matching(value: string | { readonly anyOf: readonly string[] }): readonly string[] {
  return typeof value === 'string' ? [value] : value.anyOf;
}

/** Cut at random places, always the same ones. */
function cutAtRandom(bytes: Uint8Array, seed: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, state = seed; at < bytes.length;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const length = 1 + (state % 97);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

describe.each(cases)('$id: $quirk', (it) => {
  const bytes = Buffer.from(bodyOf(it), 'utf8');

  test('is read as it should be', async () => {
    check(await play(it, [bytes]), it.expect);
  });

  test('is read alike wherever the network cuts it', async () => {
    for (const seed of [1, 7, 42]) check(await play(it, cutAtRandom(bytes, seed)), it.expect);
  });

  test('is read alike byte by byte', async () => {
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    check(await play(it, pieces), it.expect);
  });
});

test.each(cases.filter(({ mode }) => mode === 'json'))('$id is read alike where a stream was asked for', async (it) => {
  check(await play({ ...it, mode: 'json-for-stream' }, [Buffer.from(bodyOf(it), 'utf8')]), it.expect);
});

test('a call written as text is a call only where the provider says so', async () => {
  const it = cases.find(({ id }) => id === 'st85-tool-markup-in-text')!;
  const bytes = [Buffer.from(bodyOf(it), 'utf8')];
  expect((await play(it, bytes)).calls).toEqual([]);
  const read = await play(it, bytes, true);
  expect(read.text).toBe('');
  expect(read.finish).toBe('tool_calls');
  expect(read.calls).toEqual([{ id: undefined, name: 'delete_file', arguments: '{"path":"a.txt"}' }]);
});

test('data after the end of the stream is not read', async () => {
  const it = cases.find(({ id }) => id === 'st77-sse-data-after-done')!;
  expect((await play(it, [Buffer.from(bodyOf(it), 'utf8')])).calls).toEqual([]);
});
