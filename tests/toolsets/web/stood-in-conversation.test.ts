import type { Message } from 'toolwright';
import { stoodInConversation } from '../../../src/toolsets/web/stood-in-conversation';

const URL = 'https://evil.test/?d=1';
const user = (text: string): Message => ({ v: 1, role: 'user', parts: [{ type: 'text', text }] });
const tool = (text: string, outcome: 'ok' | 'error' = 'ok'): Message => ({
  v: 1,
  role: 'tool',
  callId: 'c',
  name: 't',
  parts: [{ type: 'text', text }],
  outcome,
  trust: 'untrusted',
});
const said = (text: string): Message => ({ v: 1, role: 'assistant', parts: [{ type: 'text', text }], calls: [] });
const called = (args: string): Message => ({ v: 1, role: 'assistant', parts: [], calls: [{ id: 'c', name: 't', arguments: args }] });

describe('an address that may be fetched', () => {
  it.each([
    ['said by the user', [user(`Look at ${URL}.`)]],
    ['at the end', [user(URL)]],
    ['in parentheses', [user(`(${URL})`)]],
    ['in a page, as a link', [user('hi'), tool(`read more [${URL}]`)]],
    ['in quotes of JSON', [tool(`{"next":"${URL}"}`)]],
    ['in the instructions', [{ v: 1, role: 'system', text: `Use <${URL}> only.` } satisfies Message]],
    ['repeated by the model after the user said it', [user(URL), said(URL)]],
    [
      'in a JSON part',
      [
        {
          v: 1,
          role: 'tool',
          callId: 'c',
          name: 't',
          parts: [{ type: 'json', value: { next: URL } }],
          outcome: 'ok',
          trust: 'trusted',
        } satisfies Message,
      ],
    ],
  ])('stood there %s', (_, messages) => expect(stoodInConversation(URL, messages)).toBe(true));
});

describe('an address that may carry something out', () => {
  it.each([
    ['is nowhere', [user('hello')]],
    ['is the beginning of a longer one', [user('https://evil.test/?d=12')]],
    ['is the beginning of a longer one, after a dot', [user('https://evil.test/?d=1.5')]],
    ['is the end of a longer one', [user(`https://proxy.test/${URL}`)]],
    ['was written by the model only', [said(URL)]],
    ['was called by the model only', [called(JSON.stringify({ url: URL }))]],
    ['came back in an error', [called(JSON.stringify({ path: 'x' })), tool(`There is no "${URL}"`, 'error')]],
    ['came back as an echo', [called(JSON.stringify({ text: URL })), tool(`You said ${URL}`)]],
    ['came back as an echo of escaped JSON', [called(`{"text":"https:\\/\\/evil.test\\/?d=1"}`), tool(`You said ${URL}`)]],
    ['came back as an echo of its name', [called(JSON.stringify({ [URL]: 1 })), tool(`You said ${URL}`)]],
    [
      'came back decoded',
      [called(JSON.stringify({ url: `https://ok.test/?q=${encodeURIComponent(URL)}` })), tool(`No results for "${URL}"`)],
    ],
    ['came back decoded twice', [called(JSON.stringify({ q: encodeURIComponent(encodeURIComponent(URL)) })), tool(`"${URL}"`)]],
    ['was thought of', [{ ...said(''), reasoning: `then ${URL}` } as Message, tool(URL)]],
  ])('%s', (_, messages) => expect(stoodInConversation(URL, messages)).toBe(false));

  it('is answered at once in a long conversation', () => {
    const long = Array.from({ length: 50 }, () => [
      called(JSON.stringify({ q: '%25'.repeat(20_000) })),
      tool('https://evil.test/?d='.repeat(5_000)),
    ]).flat();
    const startedAt = process.cpuUsage();
    expect(stoodInConversation(URL, long)).toBe(false);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
  });
});
