import 'reflect-metadata';
import { AgentRunner, fromOpenAIChat, toOpenAIChat, UsageError, type AssistantMessage, type Message } from 'toolwright';
import { say, scripted } from 'toolwright/testing';
import { repaired } from '../../src/runner/conversation/transcript';
import { isValidTranscript } from '../runner/agents';
import { Effects, MailAgent } from './agents';

const CHAT = [
  { role: 'system', content: 'Be kind.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look: ' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{"name":"bo"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'bo@example.com' },
  { role: 'assistant', content: 'Bo it is.' },
];

test('a conversation in the chat format is read, and said again as it was', () => {
  const messages = fromOpenAIChat(CHAT, { trust: 'trusted' });
  expect(messages[3]).toEqual({
    v: 1,
    role: 'tool',
    callId: 'c1',
    name: 'look_up',
    parts: [{ type: 'text', text: 'bo@example.com' }],
    outcome: 'ok',
    trust: 'trusted',
  });
  expect(messages[1]).toMatchObject({ parts: [{ type: 'text' }, { type: 'image', data: 'AAAA', mediaType: 'image/png' }] });
  expect(toOpenAIChat(messages)).toEqual(CHAT);
  expect(fromOpenAIChat(toOpenAIChat(messages), { trust: 'trusted' })).toEqual(messages);
});

test('results from elsewhere are foreign unless the host says otherwise', () => {
  const messages = fromOpenAIChat(CHAT);
  expect(messages[3]).toMatchObject({ trust: 'untrusted' });
  expect(JSON.stringify(toOpenAIChat(messages)[3])).toMatch(/bo@example\.com/);
  expect(toOpenAIChat(messages)[3]).not.toEqual(CHAT[3]);
});

test('nothing else than trust can be said of a conversation', () => {
  expect(() => fromOpenAIChat([], { trusted: true } as never)).toThrow(/no option `trusted`. Did you mean `trust`/);
  expect(() => fromOpenAIChat([], { trust: 'yes' as never })).toThrow(/`trust` must be one of/);
});

test('the format of old, developer messages, refusals and broken arguments are read', () => {
  const messages = fromOpenAIChat([
    { role: 'developer', content: 'Be brief.' },
    { role: 'assistant', content: null, function_call: { name: 'look up!', arguments: '{"name": ' } },
    { role: 'function', name: 'look up!', content: 'none' },
    { role: 'assistant', content: null, refusal: 'I will not.' },
  ]);
  expect(messages).toMatchObject([
    { role: 'system', text: 'Be brief.' },
    { calls: [{ name: 'look_up_', arguments: '{}' }] },
    { name: 'look_up_' },
    { parts: [{ text: 'I will not.' }] },
  ]);
  expect(messages[2]).toMatchObject({ callId: (messages[1] as AssistantMessage).calls[0]!.id });
});

test.each([
  [null, /a list of messages/],
  [[null], /message 0 .* must be a message/],
  [[{ role: 'robot', content: '' }], /must have a `role`/],
  [[{ role: 'user', content: 7 }], /`content`/],
  [[{ role: 'user', content: [{ type: 'video' }] }], /content\[0\]/],
  [[{ role: 'assistant', tool_calls: [{}] }], /tool_calls\[0\]/],
  [[{ role: 'tool', content: 'x' }], /`tool_call_id`/],
] as const)('%j is refused with its place', (chat, words) => {
  expect(() => fromOpenAIChat(chat as never)).toThrow(UsageError);
  expect(() => fromOpenAIChat(chat as never)).toThrow(words);
});

test('a conversation that was cut off in mid-turn is mended once, and the run says so', async () => {
  const cut = fromOpenAIChat(CHAT.slice(1, 3));
  const result = await new AgentRunner({ model: scripted([say('Well.')]) }).run(MailAgent, 'And?', { messages: cut, deps: new Effects() });
  expect(isValidTranscript(result.messages)).toBe(true);
  expect(result.warnings.join()).toMatch(/mended/);
  const again = await new AgentRunner({ model: scripted([say('Well.')]) }).run(MailAgent, 'And?', {
    messages: result.messages,
    deps: new Effects(),
  });
  expect(again.warnings).toEqual([]);
});

test('mending is idempotent, whatever order and holes a transcript has', () => {
  const call = (id: string) => ({ id, name: 't', arguments: '{}' });
  const result = (callId: string): Message => ({ v: 1, role: 'tool', callId, name: 't', parts: [], outcome: 'ok', trust: 'trusted' });
  const pieces: readonly Message[] = [
    { v: 1, role: 'user', parts: [] },
    { v: 1, role: 'assistant', parts: [], calls: [call('a'), call('b')] },
    { v: 1, role: 'assistant', parts: [], calls: [call('a')] },
    result('a'),
    result('b'),
    result('c'),
  ];
  let seed = 7;
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 2_000; round++) {
    const messages = Array.from({ length: next(9) }, () => pieces[next(pieces.length)]!);
    const once = repaired(messages);
    expect(isValidTranscript(once.messages)).toBe(true);
    expect(repaired(once.messages)).toEqual({ messages: once.messages, changed: false });
  }
});
