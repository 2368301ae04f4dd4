/** A text as it lies on the disk: its characters, and how they are written. */
export interface TextContent {
  readonly text: string;
  /** The bytes of another text, written the same way. */
  encode(text: string): Buffer;
}

const SAMPLE = 8_192;

/** Reads bytes as text: UTF-8, or UTF-16 that says so with its first two bytes; `undefined` for everything else. */
export function readText(bytes: Buffer): TextContent | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return wide(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return wide(bytes, 'utf-16be');
  // No text has a zero byte, and few other files have none in their first pages.
  if (bytes.subarray(0, SAMPLE).includes(0)) return undefined;
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = decoded(bytes, 'utf-8');
  return text === undefined ? undefined : { text, encode: (other) => Buffer.from(marked ? `\ufeff${other}` : other, 'utf8') };
}

function wide(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): TextContent | undefined {
  const text = bytes.length % 2 === 0 ? decoded(bytes, encoding) : undefined;
  if (text === undefined) return undefined;
  return {
    text,
    encode(other) {
      const little = Buffer.from(`\ufeff${other}`, 'utf16le');
      return encoding === 'utf-16le' ? little : little.swap16();
    },
  };
}

function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
