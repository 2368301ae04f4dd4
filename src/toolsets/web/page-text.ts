/** What kind of content a server sent. */
export type ContentKind = 'html' | 'text' | 'binary';

const TEXTS =
  /^(?:text\/|application\/(?:json|xml|javascript|ecmascript|x-javascript|yaml|x-yaml|toml|x-ndjson|graphql)\b|[\w.+-]+\/[\w.+-]+\+(?:json|xml|yaml)\b)/;
const SNIFFED = 1_024;

/** By what the server says; where it says nothing, by the content. */
export function kindOf(contentType: string, bytes: Buffer): ContentKind {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type !== '') return TEXTS.test(type) ? 'text' : 'binary';
  if (bytes.subarray(0, SNIFFED).includes(0)) return 'binary';
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(bytes.subarray(0, SNIFFED).toString('latin1')) ? 'html' : 'text';
}

/** Bytes as text: by their own mark, by what the server says, by what an HTML page says of itself (WHATWG HTML, "prescan"), else UTF-8. */
export function textOf(bytes: Buffer, contentType: string, kind: ContentKind): string {
  const marked = byMark(bytes);
  const said = /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
  const own =
    kind === 'html' ? /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]+)/i.exec(bytes.subarray(0, SNIFFED).toString('latin1')) : null;
  for (const label of [marked, said, own?.[1], 'utf-8']) {
    const decoder = decoderFor(label);
    if (decoder !== undefined) return decoder.decode(bytes);
  }
  return bytes.toString('utf8');
}

function byMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function decoderFor(label: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}
