import { ModelError } from '../../src/errors/run-error';
import { ChatStream } from '../../src/models/chat-stream';
import { DONE } from '../../src/models/wire';
import { collect, delta, type Answer } from './loopback';

/** What a stream of these deltas is read as. */
async function read(deltas: readonly (object | [object, string])[], finish: string | null = 'tool_calls', done = true): Promise<Answer> {
  const chunks = deltas.map((it) => (Array.isArray(it) ? delta(it[0], it[1]) : delta(it)));
  if (finish !== null) chunks.push(delta({}, finish));
  return readChunks(chunks, done);
}

function readChunks(chunks: readonly unknown[], done = true): Promise<Answer> {
  return collect(
    (async function* () {
      const chat = new ChatStream({});
      for (const value of chunks) chat.push({ event: '', value, whole: false });
      if (done) chat.push(DONE);
      chat.end();
      yield* chat.out;
    })(),
  );
}

const call = (of: object, args: unknown, name = 'search'): object => ({ ...of, function: { name, arguments: args } });
const calls = (...of: object[]): object => ({ tool_calls: of });

describe('calls are told apart', () => {
  const TWO = [
    { name: 'search', arguments: '{"q":"a"}' },
    { name: 'search', arguments: '{"q":"b"}' },
  ];

  test.each([
    ['by sparse indexes', [calls(call({ index: 0, id: 'a' }, '{"q":"a"}')), calls(call({ index: 2, id: 'b' }, '{"q":"b"}'))]],
    [
      'by ids alone',
      [calls(call({ id: 'a' }, '{"q":')), calls({ id: 'a', function: { arguments: '"a"}' } }), calls(call({ id: 'b' }, '{"q":"b"}'))],
    ],
    ['by ids under one index', [calls(call({ index: 0, id: 'a' }, '{"q":"a"}')), calls(call({ index: 0, id: 'b' }, '{"q":"b"}'))]],
    ['by names, without index and id', [calls(call({}, '{"q":"a"}')), calls(call({}, '{"q":"b"}'))]],
    ['by names under one index without ids', [calls(call({ index: 0 }, '{"q":"a"}')), calls(call({ index: 0 }, '{"q":"b"}'))]],
    ['with one id for both', [calls(call({ index: 0, id: 'x' }, '{"q":"a"}'), call({ index: 1, id: 'x' }, '{"q":"b"}'))]],
    [
      'when their fragments are mixed',
      [
        calls(call({ index: 0, id: 'a' }, ''), call({ index: 1, id: 'b' }, '')),
        calls({ index: 1, function: { arguments: '{"q":"b"}' } }),
        calls({ index: 0, function: { arguments: '{"q":"a"}' } }),
      ],
    ],
    ['from a list that is an object', [{ tool_calls: call({ id: 'a' }, '{"q":"a"}') }, calls(call({ id: 'b' }, { q: 'b' }))]],
  ])('%s', async (_title, deltas) => {
    const answer = await read(deltas);
    expect(answer.error).toBeUndefined();
    expect(answer.calls.map(({ name, arguments: args }) => ({ name, arguments: args }))).toEqual(TWO);
    const ids = answer.calls.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('one call stays one call', () => {
  const ONE = [{ id: 'a', name: 'search', arguments: '{"q":"a"}' }];

  test.each([
    [
      'when its name is streamed in pieces',
      [
        calls(call({ index: 0, id: 'a' }, '', 'sea')),
        calls(call({ index: 0 }, '', 'rch')),
        calls({ index: 0, function: { arguments: '{"q":"a"}' } }),
      ],
    ],
    [
      'when its name is repeated with each piece',
      [calls(call({ index: 0, id: 'a' }, '{"q":')), calls(call({ index: 0, id: 'a' }, '"a"}'))],
    ],
    [
      'when its pieces are numbered instead of its calls',
      [calls(call({ index: 0, id: 'a' }, '{"q":')), calls({ index: 1, function: { arguments: '"a"}' } })],
    ],
    ['when each piece has an id of its own', [calls(call({ id: 'a' }, '{"q":')), calls({ id: 'z', function: { arguments: '"a"}' } })]],
    [
      'when an empty object comes first',
      [calls(call({ index: 0, id: 'a' }, {})), calls({ index: 0, function: { arguments: '{"q":"a"}' } })],
    ],
    [
      'when it comes a second time, whole',
      [calls(call({ index: 0, id: 'a' }, '{"q":"a"}')), calls(call({ index: 0, id: 'a' }, '{"q":"a"}'))],
    ],
    ['when arguments are an object', [calls(call({ index: 0, id: 'a' }, { q: 'a' }))]],
    ['when its index is text', [calls(call({ index: '0', id: 'a' }, '{"q":')), calls({ index: '0', function: { arguments: '"a"}' } })]],
    ['beside an empty phantom', [calls({}), calls(call({ index: 0, id: 'a' }, '{"q":"a"}')), calls({ index: 1, function: {} })]],
    ['when fields are not below `function`', [calls({ index: 0, id: 'a', name: 'search', arguments: '{"q":"a"}' })]],
  ])('%s', async (_title, deltas) => {
    const answer = await read(deltas);
    expect(answer.error).toBeUndefined();
    expect(answer.calls).toEqual(ONE);
    expect(answer.finish).toBe('tool_calls');
  });

  test('in the legacy form, in both forms at once too', async () => {
    const legacy = { function_call: { name: 'search', arguments: '{"q":"a"}' } };
    expect((await read([legacy], 'function_call')).calls).toEqual([{ ...ONE[0], id: undefined }]);
    expect((await read([{ ...legacy, ...calls(call({ index: 0, id: 'a' }, '{"q":"a"}')) }], 'function_call')).calls).toEqual(ONE);
  });

  test('when its finish is repeated', async () => {
    const answer = await read([
      [calls(call({ index: 0, id: 'a' }, '{"q":"a"}')), 'tool_calls'],
      [{}, 'tool_calls'],
      [{}, 'stop'],
    ]);
    expect(answer.calls).toEqual(ONE);
    expect(answer.chunks.filter(({ type }) => type === 'end')).toHaveLength(1);
  });
});

describe('the end of an answer', () => {
  const made = calls(call({ index: 0, id: 'a' }, '{"q":"a"}'));

  test.each([
    ['stop', 'tool_calls'],
    ['other-than-known', 'tool_calls'],
    ['STOP', 'tool_calls'],
    ['length', 'length'],
    ['MAX_TOKENS', 'length'],
    ['content_filter', 'content_filter'],
  ])('%s with a call is %s', async (finish, read_) => expect((await read([made], finish)).finish).toBe(read_));

  test.each([
    ['stop', 'stop'],
    ['end_turn', 'stop'],
    ['tool_calls', 'stop'],
    ['never-heard-of', 'other'],
    ['length', 'length'],
  ])('%s with text is %s', async (finish, read_) => expect((await read([{ content: 'x' }], finish)).finish).toBe(read_));

  test('a stricter reason that comes later counts', async () => {
    expect(
      (
        await read(
          [
            [{ content: 'x' }, 'stop'],
            [{}, 'content_filter'],
          ],
          null,
        )
      ).finish,
    ).toBe('content_filter');
  });

  test('only the end marker: text and whole calls are an answer, half a call and nothing are not', async () => {
    expect((await read([{ content: 'x' }], null)).finish).toBe('stop');
    expect((await read([made], null)).finish).toBe('tool_calls');
    for (const deltas of [[calls(call({ index: 0, id: 'a' }, '{"q":'))], []]) {
      const { error, finish } = await read(deltas, null);
      expect(finish).toBeUndefined();
      expect(ModelError.is(error) && error.retryable).toBe(true);
    }
  });

  test('neither reason nor marker: never an answer', async () => {
    const { error, finish } = await read([made], null, false);
    expect(finish).toBeUndefined();
    expect(ModelError.is(error) && error.retryable).toBe(true);
  });

  test('a promise of calls without a call is an error', async () => {
    expect(ModelError.is((await read([], 'tool_calls')).error)).toBe(true);
  });
});

describe('whatever else comes', () => {
  test.each<[string, unknown[]]>([
    ['no choices', [{}, { choices: null }, { choices: [null] }, { choices: 'x' }, null, 7, 'x', [], [null]]],
    [
      'odd deltas',
      [
        { choices: [{ delta: 5 }] },
        { choices: [{ delta: { content: 5, tool_calls: 'x' } }] },
        { choices: [{ delta: { content: [null, 1, {}] } }] },
      ],
    ],
    ['odd calls', [delta({ tool_calls: [null, 1, 'x', { function: 'x' }, { function: { name: 5, arguments: null } }] })]],
    ['odd usage', [{ usage: 'x' }, { usage: { prompt_tokens: -1, completion_tokens: 'x' } }, { usage: { prompt_tokens: Number.NaN } }]],
    ['names from the prototype', [JSON.parse('{"__proto__":{"error":"x"},"constructor":1}') as unknown]],
  ])('%s does no harm', async (_title, chunks) => {
    const answer = await readChunks([...chunks, delta({ content: 'ok' }, 'stop')]);
    expect(answer.error).toBeUndefined();
    expect(answer).toMatchObject({ text: 'ok', calls: [], finish: 'stop' });
    expect(JSON.stringify(answer.chunks)).not.toContain('[object Object]');
  });

  test('a second choice is not mixed into the first', async () => {
    const other = { choices: [{ index: 1, delta: { content: 'no' }, finish_reason: 'stop' }] };
    expect((await readChunks([delta({ content: 'yes' }), other, delta({}, 'stop')])).text).toBe('yes');
  });

  test('reasoning is read from each of its fields, once', async () => {
    expect((await read([{ reasoning: 'a' }, { reasoning_content: 'b', reasoning: 'b' }], 'stop')).reasoning).toBe('ab');
    const details = [{ type: 'reasoning.text', text: 'c', signature: 's' }];
    const answer = await read([{ reasoning_details: details }], 'stop');
    expect(answer.reasoning).toBe('c');
    expect(answer.extra).toEqual({ chat: { reasoning_details: details } });
  });

  test('what must go back with a call is kept with it', async () => {
    const signed = { ...call({ index: 0, id: 'a' }, '{}'), extra_content: { google: { thought_signature: 'S' } } };
    expect((await read([calls(signed)])).extra).toEqual({ chat: { calls: { 0: { google: { thought_signature: 'S' } } } } });
  });

  test('usage that grows from chunk to chunk counts once, the last of it', async () => {
    const usage = (n: number): object => ({ choices: [], usage: { prompt_tokens: 5, completion_tokens: n } });
    const answer = await readChunks([usage(1), delta({ content: 'x' }, 'stop'), usage(9)]);
    expect(answer.chunks.filter(({ type }) => type === 'usage')).toHaveLength(1);
    expect(answer.usage).toEqual({ inputTokens: 5, outputTokens: 9 });
  });

  test('a stream that ends with the whole message again says it once', async () => {
    const message = { content: 'ab', tool_calls: [call({ id: 'a' }, '{}')] };
    const answer = await readChunks([
      delta({ content: 'a' }),
      delta({ content: 'b', ...calls(call({ index: 0, id: 'a' }, '{}')) }),
      { choices: [{ message, finish_reason: 'tool_calls' }] },
    ]);
    expect(answer).toMatchObject({ text: 'ab', calls: [{ id: 'a', arguments: '{}' }] });
  });

  test('a refusal is told as one', async () => {
    expect((await read([{ refusal: 'I cannot.' }], 'stop')).refusal).toBe('I cannot.');
  });

  test.each<[string, unknown, boolean]>([
    ['an object', { error: { message: 'overloaded', code: 529 } }, true],
    ['a text', { error: 'Rate limit reached' }, true],
    ['an invalid request', { error: { message: 'bad', type: 'invalid_request_error' } }, false],
    ['a type', { type: 'error', message: 'no capacity' }, true],
    ['an object of the kind error', { object: 'error', message: 'context length exceeded' }, false],
    ['in a choice', { choices: [{ error: { code: 502, message: 'gone' } }] }, true],
    ['in a list', [{ error: { code: 400, message: 'bad', status: 'INVALID_ARGUMENT' } }], false],
  ])('an error in the stream, as %s, is a ModelError', async (_title, chunk, retryable) => {
    const { error, text } = await readChunks([delta({ content: 'We ' }), chunk]);
    expect(text).toBe('');
    expect(ModelError.is(error) && error.retryable).toBe(retryable);
  });

  test('more calls than any model makes are refused', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => call({ index }, '{}'));
    expect(ModelError.is((await read([calls(...many)])).error)).toBe(true);
  });
});
