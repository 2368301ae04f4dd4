import type * as http from 'node:http';
import type { Socket } from 'node:net';
import { LeanResponse } from './lean-response';
import { needsStandardFetch } from './standard-fetch';

/** How long a connection that nobody uses is kept, one may take to come about, and a server may say nothing. Milliseconds. */
const KEEP_IDLE = 4_000;
const CONNECT_TIME = 10_000;
const SILENCE = 300_000;
/** More notes than this before an answer (RFC 9110, section 15.2) are a fault of the server. */
const MOST_NOTES = 100;

/** How requests of one protocol are made: with connections of their own. */
interface Client {
  /** Asked for its `request` each time, which others replace to watch or to simulate. */
  readonly http: Pick<typeof http, 'request'>;
  readonly agent: http.Agent;
}

// Loaded at the first request: a process that makes none has no use for them.
let plain: Client | undefined;
let secure: Client | undefined;

function clientFor(protocol: string): Client {
  if (protocol === 'https:') return (secure ??= client(process.getBuiltinModule('node:https')));
  return (plain ??= client(process.getBuiltinModule('node:http')));
}

function client(http: Pick<typeof import('node:http'), 'request' | 'Agent'>): Client {
  return { http, agent: new http.Agent({ keepAlive: true, timeout: KEEP_IDLE }) };
}

/** Origins that redirected a request: their addresses are the standard fetch's business from then on. */
const redirecting = new Set<string>();
const MOST_REDIRECTING = 1_000;

/** The last address that was parsed: a run asks the same one again and again. */
let lastUrl: { readonly text: string; readonly url: URL } | undefined;

/**
 * A `fetch` for requests to models: over `node:http` with connections that are kept, at a fraction of the standard one's cost.
 *
 * It covers what a request to a model needs: text to an address, and an answer that is read once. Everything else (proxies in the
 * environment, a `fetch` or dispatcher that was replaced, redirects) it leaves to the standard `fetch` by itself. Compressed answers
 * are unpacked, though none is asked for. An idle connection does not keep a process alive.
 * @throws TypeError with the system's error as its `cause` when the connection fails; the signal's reason when it aborts
 */
export function leanFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const text = typeof input === 'string' ? input : input instanceof URL ? input.href : undefined;
  const url = text === undefined ? undefined : parse(text);
  if (url === undefined || redirecting.has(url.origin) || needsStandardFetch(url, init)) return globalThis.fetch(input, init);
  return request(url, init).then((response) => (isRedirect(response) ? follow(url, init, response) : (response as unknown as Response)));
}

function parse(text: string): URL | undefined {
  if (lastUrl?.text === text) return lastUrl.url;
  if (!URL.canParse(text)) return undefined;
  lastUrl = { text, url: new URL(text) };
  return lastUrl.url;
}

function request(url: URL, init: RequestInit): Promise<LeanResponse> {
  return new Promise((resolve, reject) => {
    const signal = init.signal ?? undefined;
    if (signal?.aborted === true) return reject(signal.reason as Error);
    let response: LeanResponse | undefined;
    let notes = 0;
    const fail = (error: unknown): void => {
      if (response === undefined) reject(error);
      else response.body.fail(error);
      sent.destroy();
    };
    const onAbort = (): void => fail(signal!.reason);
    const sent = open(url, init);
    signal?.addEventListener('abort', onAbort, { once: true });
    sent.on('response', (answer) => {
      response = new LeanResponse(answer, url.href);
      resolve(response);
    });
    sent.on('socket', (socket: Socket) => {
      if (socket.connecting) limitConnecting(socket, fail);
    });
    sent.on('information', () => {
      notes += 1;
      if (notes > MOST_NOTES) fail(failed(new Error(`The server sent more than ${MOST_NOTES} notes and no answer.`)));
    });
    sent.on('timeout', () => fail(failed(timedOut(`The server sent nothing for ${SILENCE} ms.`))));
    sent.on('error', (error) => fail(response === undefined ? failed(error) : new TypeError('terminated', { cause: error })));
    sent.on('close', () => {
      signal?.removeEventListener('abort', onAbort);
      if (response === undefined) reject(failed(new Error('The server closed the connection without an answer.')));
    });
    sent.end(init.body as string | undefined);
  });
}

function open(url: URL, init: RequestInit): http.ClientRequest {
  const { http, agent } = clientFor(url.protocol);
  return http.request({
    agent,
    method: init.method ?? 'GET',
    hostname: url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname,
    port: url.port,
    path: url.pathname + url.search,
    headers: headersOf(url, init) as never,
    timeout: SILENCE,
  });
}

/** The request's headers as a flat list, which is sent as it is. */
function headersOf(url: URL, init: RequestInit): string[] {
  const list = ['host', url.host];
  const given = init.headers;
  const entries =
    given === undefined
      ? []
      : Symbol.iterator in given
        ? (given as Iterable<[string, string]>)
        : Object.entries(given as { readonly [name: string]: string });
  let encoding = false;
  for (const [name, value] of entries) {
    const key = name.toLowerCase();
    // How long the body is and where it goes is not the caller's to say.
    if (key === 'host' || key === 'content-length' || key === 'connection' || key === 'transfer-encoding') continue;
    encoding ||= key === 'accept-encoding';
    list.push(name, value);
  }
  if (!encoding) list.push('accept-encoding', 'identity');
  if (init.body !== undefined) list.push('content-length', String(Buffer.byteLength(init.body as string)));
  return list;
}

function limitConnecting(socket: Socket, fail: (error: unknown) => void): void {
  const timer = setTimeout(() => {
    fail(failed(timedOut(`No connection came about within ${CONNECT_TIME} ms.`)));
  }, CONNECT_TIME);
  const stop = (): void => clearTimeout(timer);
  socket.once('connect', stop);
  socket.once('close', stop);
}

function timedOut(text: string): Error {
  return Object.assign(new Error(text), { code: 'ETIMEDOUT' });
}

function failed(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause });
}

function isRedirect({ status, headers }: LeanResponse): boolean {
  return (status === 301 || status === 302 || status === 303 || status === 307 || status === 308) && headers.has('location');
}

/** A redirect was not carried out, so asking again costs nothing. */
function follow(url: URL, init: RequestInit, response: LeanResponse): Promise<Response> {
  void response.body.cancel();
  if (redirecting.size < MOST_REDIRECTING) redirecting.add(url.origin);
  return globalThis.fetch(url.href, init);
}
