import { ChatStream, type ChatStreamOptions } from '../../src/models/chat-stream';
import { DONE } from '../../src/models/wire';
import { collect, delta, type Answer } from './loopback';

/** What pieces of text are read as. */
function read(pieces: readonly string[], options: ChatStreamOptions, finish = 'stop'): Promise<Answer> {
  return collect(
    (async function* () {
      const chat = new ChatStream(options);
      for (const content of pieces) chat.push({ event: '', value: delta({ content }), whole: false });
      chat.push({ event: '', value: delta({}, finish), whole: false });
      chat.push(DONE);
      chat.end();
      yield* chat.out;
    })(),
  );
}

/** A text in two pieces, cut at each place. */
const cuts = (text: string): string[][] => Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);

describe('reasoning in tags at the beginning of an answer', () => {
  test('is told apart from the answer wherever it is cut', async () => {
    for (const pieces of cuts('\n<think>\nOslo is <b>north</b>.</think>\n\nTake a coat. <think>'))
      expect(await read(pieces, { thinkTags: true })).toMatchObject({
        reasoning: 'Oslo is <b>north</b>.',
        text: 'Take a coat. <think>',
        finish: 'stop',
      });
  });

  test('is told apart byte by byte', async () => {
    const answer = await read([...'<think>a</think>b'], { thinkTags: true });
    expect(answer).toMatchObject({ reasoning: 'a', text: 'b' });
  });

  test.each([
    ['is all there is when it never ends', '<think>a</thin', { reasoning: 'a</thin', text: '' }],
    ['is not looked for further on', 'x <think>a</think>', { reasoning: '', text: 'x <think>a</think>' }],
    ['may be empty', '<think></think>b', { reasoning: '', text: 'b' }],
    ['may only begin', '<thi', { reasoning: '', text: '<thi' }],
  ])('%s', async (_title, text, expected) => expect(await read([text], { thinkTags: true })).toMatchObject(expected));

  test('is text where the provider’s entry does not say so', async () => {
    expect(await read(['<think>a</think>b'], {})).toMatchObject({ reasoning: '', text: '<think>a</think>b' });
  });

  test('calls written in it are thoughts', async () => {
    const text = '<think><tool_call>{"name":"t","arguments":{}}</tool_call></think>Done.';
    expect(await read([text], { thinkTags: true, writtenCalls: ['t'] })).toMatchObject({ text: 'Done.', calls: [], finish: 'stop' });
  });
});

describe('calls written as fenced JSON', () => {
  const FENCE = '```json\n{"name": "search", "arguments": {"q": "a"}}\n```';

  test('are calls of tools that there are, wherever they are cut', async () => {
    for (const pieces of cuts(`Look:\n${FENCE}`))
      expect(await read(pieces, { writtenCalls: ['search'] })).toMatchObject({
        text: 'Look:\n',
        calls: [{ name: 'search', arguments: '{"q":"a"}' }],
        finish: 'tool_calls',
      });
  });

  test.each([
    ['of no tool', FENCE, ['other']],
    ['that is no call', '```json\n{"q": "a"}\n```', ['search']],
    ['that is not closed', '```json\n{"name": "search", "arguments": {}}', ['search']],
    ['that is broken', '```json\n{"name": \n```', ['search']],
  ])('JSON %s is text', async (_title, text, writtenCalls) =>
    expect(await read([text], { writtenCalls })).toMatchObject({ text, calls: [], finish: 'stop' }),
  );

  test('other JSON before a call stays text', async () => {
    const text = `\`\`\`json\n{"q": 1}\n\`\`\`\nand\n${FENCE}`;
    expect(await read([text], { writtenCalls: ['search'] })).toMatchObject({
      text: '```json\n{"q": 1}\n```\nand\n',
      calls: [{ name: 'search' }],
    });
  });

  test('are text where the provider’s entry does not say so', async () => {
    expect(await read([FENCE], {})).toMatchObject({ text: FENCE, calls: [] });
  });
});
