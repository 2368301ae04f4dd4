import { SseParser, type SseEvent } from '../../src/models/sse';

function parse(...pieces: readonly string[]): SseEvent[] {
  const parser = new SseParser();
  const events: SseEvent[] = [];
  for (const piece of pieces) parser.push(piece, events);
  parser.end(events);
  return events;
}

const STREAM = ': hi\r\nevent: a\r\ndata: 1\rdata:2\ndata:  3\n\nid: 7\nretry: 5\ndata\n\nevent: only\n\r\ndata: ünd 😀\r\r\ndata: last';
const EVENTS = [
  { event: 'a', data: '1\n2\n 3' },
  { event: '', data: '' },
  { event: '', data: 'ünd 😀' },
  { event: '', data: 'last' },
];

test('line ends, comments, fields and spaces are read as the specification says', () => {
  expect(parse(STREAM)).toEqual(EVENTS);
});

test('a stream is read alike whichever two places cut it', () => {
  for (let first = 0; first <= STREAM.length; first += 1)
    for (let second = first; second <= STREAM.length; second += 1)
      expect(parse(STREAM.slice(0, first), STREAM.slice(first, second), STREAM.slice(second))).toEqual(EVENTS);
});

test('a line without an end is refused before it fills the memory', () => {
  const parser = new SseParser();
  const piece = 'x'.repeat(1_000_000);
  expect(() => {
    for (let at = 0; at < 20; at += 1) parser.push(piece, []);
  }).toThrow(RangeError);
});

test('an event of endless lines is refused', () => {
  const parser = new SseParser();
  const piece = `data: ${'x'.repeat(1_000_000)}\n`;
  expect(() => {
    for (let at = 0; at < 20; at += 1) parser.push(piece, []);
  }).toThrow(RangeError);
});
