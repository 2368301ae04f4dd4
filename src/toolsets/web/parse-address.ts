/** An address as the WHATWG URL Standard reads it, in a plain spelling; `undefined` for what is none. */
export function parseAddress(address: string, base?: URL): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}
