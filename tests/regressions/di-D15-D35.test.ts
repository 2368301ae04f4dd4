import { ChatMessages } from '../../src/models/chat-messages';
import { ChatStream } from '../../src/models/chat-stream';
import type { Message, ToolMessage } from '../../src/types/message';
import { delta } from '../models/loopback';

test('D15: content attached to a result comes after all results of its batch', () => {
  const result = (callId: string, parts: ToolMessage['parts']): ToolMessage => ({
    v: 1,
    role: 'tool',
    callId,
    name: 'a',
    parts,
    outcome: 'ok',
    trust: 'trusted',
  });
  const messages: Message[] = [
    { v: 1, role: 'assistant', parts: [], calls: ['x', 'y'].map((id) => ({ id, name: 'a', arguments: '{}' })) },
    result('x', [{ type: 'image', url: 'https://example.test/i.png' }]),
    result('y', [{ type: 'text', text: 'two' }]),
  ];
  const wire = new ChatMessages({ images: true, reasoningField: undefined }).convert(messages) as { role: string }[];
  expect(wire.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool', 'user']);
});

test('D35: a call in fragments, with its finish told twice, is one whole call', () => {
  const chat = new ChatStream({});
  const pieces = [
    delta({ tool_calls: [{ index: 0, id: 'x', function: { name: 'a' } }] }),
    delta({ tool_calls: [{ index: 0, function: { arguments: '{"n":' } }] }),
    delta({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
    delta({}, 'tool_calls'),
    delta({}, 'tool_calls'),
  ];
  for (const value of pieces) chat.push({ event: '', value, whole: false });
  chat.end();
  const calls = chat.out.flatMap((chunk) => (chunk.type === 'call' ? [chunk] : []));
  expect(new Set(calls.map(({ index }) => index))).toEqual(new Set([0]));
  expect(calls.flatMap(({ name }) => name ?? [])).toEqual(['a']);
  expect(calls.map((chunk) => chunk.arguments).join('')).toBe('{"n":1}');
  expect(chat.out.filter(({ type }) => type === 'end')).toHaveLength(1);
});
