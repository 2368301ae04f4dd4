const DISPATCHERS = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];
const PROXIES: { readonly [protocol: string]: readonly string[] } = {
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
};
/** What a request may say without needing more than a plain connection. */
const PLAIN_INIT = new Set(['method', 'headers', 'body', 'signal']);

/** The verdicts on the last `fetch` and dispatcher that were looked at: they change hardly ever. */
let lastFetch: { readonly fetch: unknown; readonly native: boolean } | undefined;
let lastDispatcher: { readonly dispatcher: unknown; readonly plain: boolean } | undefined;

/**
 * Whether a request is the standard `fetch`'s business: a proxy in the environment, a `fetch` or a dispatcher that someone put in
 * the place of Node's own, credentials in the address, a body that is no text, or an option that only it knows.
 */
export function needsStandardFetch(url: URL, init: RequestInit): boolean {
  const proxies = PROXIES[url.protocol];
  if (proxies === undefined || url.username !== '' || url.password !== '') return true;
  if (init.body !== undefined && typeof init.body !== 'string') return true;
  for (const key in init) if (!PLAIN_INIT.has(key) && (init as Record<string, unknown>)[key] !== undefined) return true;
  if (!isNative(globalThis.fetch)) return true;
  for (const key of DISPATCHERS) if (!isPlain((globalThis as Record<symbol, unknown>)[key])) return true;
  for (const name of proxies) if ((process.env[name] ?? '') !== '') return true;
  return false;
}

/** Whether a `fetch` is Node's own, which loads its implementation by a name that gives it away. */
function isNative(fetch: unknown): boolean {
  if (lastFetch !== undefined && lastFetch.fetch === fetch) return lastFetch.native;
  const native = typeof fetch === 'function' && /\bundici\b|\[native code\]/.test(Function.prototype.toString.call(fetch));
  lastFetch = { fetch, native };
  return native;
}

/** Whether a dispatcher is the one that Node makes by itself: an `Agent` with no option set. Where it cannot be told, it is not. */
function isPlain(dispatcher: unknown): boolean {
  if (typeof dispatcher !== 'object' || dispatcher === null) return dispatcher === undefined;
  if (lastDispatcher === undefined || lastDispatcher.dispatcher !== dispatcher)
    lastDispatcher = { dispatcher, plain: hasNoOptions(dispatcher) };
  return lastDispatcher.plain;
}

function hasNoOptions(dispatcher: object): boolean {
  if (dispatcher.constructor?.name !== 'Agent') return false;
  const key = Object.getOwnPropertySymbols(dispatcher).find((symbol) => symbol.description === 'options');
  if (key === undefined) return false;
  const options = (dispatcher as Record<symbol, unknown>)[key];
  return typeof options === 'object' && options !== null && Object.values(options).every((value) => value === undefined);
}
