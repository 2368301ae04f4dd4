import { ModelError } from '../../src/errors/run-error';
import { ChatStream } from '../../src/models/chat-stream';
import { DONE } from '../../src/models/wire';
import { ResponsesStream } from '../../src/models/responses-stream';
import { delta } from '../models/loopback';

const call = (of: object, text: string): object => delta({ tool_calls: [{ ...of, function: { name: 'a', arguments: text } }] });

function read(chunks: readonly object[], done = true): ChatStream['out'] {
  const chat = new ChatStream({});
  for (const value of chunks) chat.push({ event: '', value, whole: false });
  if (done) chat.push(DONE);
  chat.end();
  return chat.out;
}

test('A13: missing and sparse indexes leave neither holes nor merged calls', () => {
  for (const [first, second] of [
    [{ index: 0 }, { index: 2 }],
    [{ id: 'x' }, { id: 'y' }],
  ] as const) {
    const calls = read([call(first, '{"n":1}'), call(second, '{"n":2}'), delta({}, 'tool_calls')]).filter(({ type }) => type === 'call');
    expect(calls).toMatchObject([
      { index: 0, arguments: '{"n":1}' },
      { index: 1, arguments: '{"n":2}' },
    ]);
  }
});

test('E06: a stream that closes after two deltas is an error that may be tried again', () => {
  const attempt = (): unknown => read([delta({ content: 'a' }), delta({ content: 'b' })], false);
  expect(attempt).toThrow(ModelError);
  expect(attempt).toThrow(expect.objectContaining({ retryable: true }) as Error);
});

test('X12: a response that failed or was cut is not a final answer', () => {
  const end = (response: object): ResponsesStream['out'] => {
    const stream = new ResponsesStream();
    stream.push({ event: '', value: { type: `response.${(response as { status: string }).status}`, response }, whole: false });
    stream.end();
    return stream.out;
  };
  expect(() => end({ status: 'failed', error: { message: 'down' } })).toThrow(ModelError);
  expect(end({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })).toContainEqual({
    type: 'end',
    finish: 'length',
  });
});

test('X13: calls under an unknown finish reason are calls', () => {
  expect(read([call({ index: 0, id: 'x' }, '{}'), delta({}, 'other')])).toContainEqual({ type: 'end', finish: 'tool_calls' });
});
