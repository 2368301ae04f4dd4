import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { ToolFailure } from '../../errors/tool-error';
import { Injectable } from '../injectable';
import { isPublicAddress } from './address-rules';
import { plainHost } from './host-list';
import { HostResolver, type HostAddress } from './host-resolver';
import { parseAddress } from './parse-address';
import { readBody } from './read-body';

/** Within which bounds a page is fetched, and what may be reached. */
export interface FetchOptions {
  /** Milliseconds for all of it: names, redirects, content. */
  readonly timeout: number;
  /** Bytes of content, after decompression; the rest is left. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Hosts whose addresses need not be public. */
  mayBePrivate(url: URL): boolean;
  /** Whether a redirect may be followed. */
  mayFollow(from: URL, to: URL): boolean;
}

/** What a server sent. */
export interface FetchedContent {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** As the server says, with its parameters; empty where it says nothing. */
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Whether there was more than `maxBytes`. */
  readonly cut: boolean;
}

const MOST_REDIRECTS = 5;
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308];
const HEADERS = {
  'user-agent': 'toolwright-fetch',
  accept: 'text/html,application/xhtml+xml,text/plain,text/markdown,application/json;q=0.9,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
};

/**
 * Gets pages of the public internet. Every address that a name has is checked before one is connected to, and exactly those are connected to, so a name
 * that answers differently the second time changes nothing; each redirect is judged like the first address. Replace it to fetch by other ways.
 */
@Injectable()
export class HttpFetcher {
  constructor(private readonly resolver: HostResolver) {}

  /** @throws ToolFailure when it may not be fetched, or does not come; the signal's reason when that aborts */
  async fetch(url: URL, options: FetchOptions): Promise<FetchedContent> {
    const deadline = AbortSignal.timeout(options.timeout);
    const signal = AbortSignal.any([options.signal, deadline]);
    try {
      return await this.follow(url, options, signal);
    } catch (error) {
      options.signal.throwIfAborted();
      if (deadline.aborted) throw new ToolFailure(`${url.host} did not answer in full within ${options.timeout / 1_000} s.`);
      throw asFetchFailure(error, url);
    }
  }

  private async follow(first: URL, options: FetchOptions, signal: AbortSignal): Promise<FetchedContent> {
    let url = first;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const response = await this.get(url, options, signal);
      const location = REDIRECTS.includes(response.statusCode) ? response.headers.location : undefined;
      if (location === undefined) {
        const { bytes, cut } = await readBody(response, options.maxBytes, signal);
        const contentType = response.headers['content-type'] ?? '';
        return { url: url.href, status: response.statusCode ?? 0, contentType, bytes, cut };
      }
      response.destroy();
      const next = parseAddress(location, url);
      if (next === undefined) throw new ToolFailure(`${url.host} redirects to something that is no address.`);
      if (!options.mayFollow(url, next))
        throw new ToolFailure(`It redirects to ${next.href.slice(0, 500)}, which is not followed from here.`);
      url = next;
    }
    throw new ToolFailure(`${first.host} redirects more than ${MOST_REDIRECTS} times.`);
  }

  /** One request, to addresses that were checked. */
  private async get(url: URL, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new ToolFailure('Only http: and https: addresses can be fetched.');
    if (url.username !== '' || url.password !== '') throw new ToolFailure('An address with a user name or password is not fetched.');
    const addresses = await unlessAborted(this.addressesOf(url), signal);
    if (addresses.length === 0) throw new ToolFailure(`There is no host named ${url.hostname}.`);
    if (!options.mayBePrivate(url) && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new ToolFailure(`${url.hostname} is not on the public internet, so it is not fetched.`);
    const request: RequestOptions = {
      method: 'GET',
      headers: HEADERS,
      signal,
      agent: false,
      lookup: pinned(addresses),
      maxHeaderSize: 32_768,
    };
    return new Promise((resolve, reject) => {
      const sent = url.protocol === 'https:' ? requestHttps(url, request, resolve) : requestHttp(url, request, resolve);
      sent.on('error', reject).end();
    });
  }

  private async addressesOf(url: URL): Promise<readonly HostAddress[]> {
    const host = plainHost(url.hostname);
    const family = isIP(host);
    return family === 0 ? this.resolver.resolve(host) : [{ address: host, family }];
  }
}

/** Answers with what was checked, whatever the name means by now. */
function pinned(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, addresses.slice());
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** The system's resolver cannot be told to stop. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}

/** What the network said, in our words. */
function asFetchFailure(error: unknown, url: URL): unknown {
  if (error instanceof ToolFailure || typeof error !== 'object' || error === null || !('code' in error)) return error;
  const code = String(error.code);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new ToolFailure(`There is no host named ${url.hostname}.`);
  return new ToolFailure(`${url.host} could not be fetched (${code.slice(0, 60)}).`);
}
