/** A text in pieces of at most `size` UTF-16 code units; a surrogate pair stays whole, as it does at a provider. */
export function* chunked(text: string, size: number): Generator<string, void, undefined> {
  let from = 0;
  while (from < text.length) {
    let to = Math.min(from + size, text.length);
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
