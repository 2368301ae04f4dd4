import { asPlain, asText } from './plain';

const FENCES: readonly string[] = ['```json', '```tool_call', '```tool_code'];
const MARKERS: readonly string[] = ['<tool_call>', '<function=', ...FENCES];
const LONGEST_MARKER = 12;

/** A call found in text. */
export type WrittenCall = { readonly name: string; readonly arguments: unknown };

/**
 * Finds calls that a model writes into its text instead of making them: `<tool_call>{"name": ..., "arguments": ...}</tool_call>`
 * and `<function=name><parameter=key>value</parameter></function>`. JSON between code fences is a call only when it names a tool that there
 * is: models also show JSON.
 *
 * Text streams through until a marker begins; from there on it is held to the end, where it is read as calls or given back as text.
 */
export class WrittenCallReader {
  private held = '';
  private marked = false;

  /** @param tools the names of the tools that there are */
  constructor(private readonly tools: readonly string[]) {}

  /** Takes text and gives back what is surely no call. */
  push(text: string): string {
    this.held += text;
    if (this.marked) return '';
    const at = firstMarker(this.held);
    if (at !== -1) {
      this.marked = true;
      return this.take(at);
    }
    return this.take(this.held.length - possibleMarker(this.held));
  }

  /** The calls found, the text around them, and the text that they were read from. */
  end(): { readonly text: string; readonly calls: readonly WrittenCall[]; readonly source: string } {
    const source = this.held;
    this.held = '';
    const calls: WrittenCall[] = [];
    const text: string[] = [];
    let at = 0;
    for (let from = 0; from < source.length;) {
      const begin = firstMarker(source, from);
      if (begin === -1) break;
      const fenced = source.startsWith('```', begin);
      const read = fenced ? this.readFence(source, begin) : readCall(source, begin);
      if (read === undefined && !fenced) break;
      from = read?.end ?? endOfFence(source, begin);
      if (read === undefined) continue;
      text.push(source.slice(at, begin));
      calls.push(read.call);
      at = read.end;
    }
    text.push(source.slice(at));
    return { text: text.join('').trim() === '' ? '' : text.join(''), calls, source };
  }

  private readFence(text: string, begin: number): { readonly call: WrittenCall; readonly end: number } | undefined {
    const lineEnd = text.indexOf('\n', begin);
    const close = text.indexOf('```', begin + 3);
    if (lineEnd === -1 || close === -1 || lineEnd > close) return undefined;
    const call = jsonCall(text.slice(lineEnd, close));
    return call === undefined || !this.tools.includes(call.name) ? undefined : { call, end: close + 3 };
  }

  private take(length: number): string {
    const text = this.held.slice(0, length);
    this.held = this.held.slice(length);
    return text;
  }
}

function firstMarker(text: string, from = 0): number {
  const places = MARKERS.map((marker) => text.indexOf(marker, from)).filter((at) => at !== -1);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** How many characters at the end of a text may be the beginning of a marker. */
function possibleMarker(text: string): number {
  for (let length = Math.min(LONGEST_MARKER - 1, text.length); length > 0; length -= 1) {
    const tail = text.slice(-length);
    if (MARKERS.some((marker) => marker.startsWith(tail))) return length;
  }
  return 0;
}

function readCall(text: string, begin: number): { readonly call: WrittenCall; readonly end: number } | undefined {
  if (!text.startsWith('<tool_call>', begin)) return readFunction(text, begin);
  const close = text.indexOf('</tool_call>', begin);
  if (close === -1) return undefined;
  const inner = text.slice(begin + '<tool_call>'.length, close).trim();
  const end = close + '</tool_call>'.length;
  if (inner.startsWith('<function=')) {
    const read = readFunction(inner, 0);
    return read === undefined ? undefined : { call: read.call, end };
  }
  const call = jsonCall(inner);
  return call === undefined ? undefined : { call, end };
}

function jsonCall(text: string): WrittenCall | undefined {
  try {
    const value = asPlain(JSON.parse(text) as unknown);
    const name = asText(value?.['name']);
    return name === undefined ? undefined : { name, arguments: value!['arguments'] ?? value!['parameters'] ?? {} };
  } catch {
    return undefined;
  }
}

/** Behind the closing fence, so that it is not taken for the opening of another. */
function endOfFence(text: string, begin: number): number {
  const close = text.indexOf('```', begin + 3);
  return close === -1 ? text.length : close + 3;
}

function readFunction(text: string, begin: number): { readonly call: WrittenCall; readonly end: number } | undefined {
  const nameEnd = text.indexOf('>', begin);
  const close = text.indexOf('</function>', begin);
  if (nameEnd === -1 || close === -1 || nameEnd > close) return undefined;
  const name = text.slice(begin + '<function='.length, nameEnd).trim();
  const parameters = new Map<string, unknown>();
  for (let at = text.indexOf('<parameter=', nameEnd); at !== -1 && at < close;) {
    const keyEnd = text.indexOf('>', at);
    const end = text.indexOf('</parameter>', at);
    if (keyEnd === -1 || end === -1 || keyEnd > end || end > close) return undefined;
    // The line breaks around a value belong to the notation; what a text is read as is the contract's business.
    parameters.set(text.slice(at + '<parameter='.length, keyEnd).trim(), text.slice(keyEnd + 1, end).replace(/^\n|\n$/g, ''));
    at = text.indexOf('<parameter=', end);
  }
  return { call: { name, arguments: Object.fromEntries(parameters) }, end: close + '</function>'.length };
}
