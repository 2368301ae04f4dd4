import { UsageError } from '../errors/usage-error';
import { LearnedRequests } from './learned-requests';

/** What is used of the `openai` package's client, version 6.49 or later: said structurally, so that its types are not needed. */
export interface OpenAIClient {
  readonly baseURL?: string;
  readonly chat: { readonly completions: { create(body: never, options?: never): unknown } };
  readonly responses?: { create(body: never, options?: never): unknown };
}

/** How a model of the `openai` package reaches its server. */
export interface OpenAIConnection {
  /** The key; by default what the provider's variable holds. */
  readonly apiKey?: string;
  readonly baseURL?: string;
  /** A client of your own; `apiKey`, `baseURL`, `fetch` and `headers` are then its business. */
  readonly client?: OpenAIClient;
  /** The `fetch` that carries the requests. By default a lean one over `node:http`, which leaves proxies, redirects and the like to the standard one. */
  readonly fetch?: typeof fetch;
  /** Sent with every request. */
  readonly headers?: { readonly [name: string]: string };
}

interface ClientOptions extends OpenAIConnection {
  readonly apiKey: string;
  readonly baseURL: string;
  /** Whether the server is OpenAI's own. */
  readonly openai: boolean;
}

type ClientClass = new (options: object) => OpenAIClient;

let loaded: ClientClass | undefined;

/** A client without retries of its own, made when it is first needed. Without a `fetch` of the caller's its requests are learned. */
export function createClient(connection: ClientOptions): OpenAIClient {
  const { fetch } = connection;
  if (fetch !== undefined) return plainClient(connection, fetch);
  const requests = new LearnedRequests();
  const client = plainClient(connection, requests.fetch);
  // A client that logs its requests makes all of them.
  if (client.logLevel === 'debug' || client.logLevel === 'info') return client;
  const { chat, responses, baseURL } = client;
  return {
    ...(baseURL === undefined ? {} : { baseURL }),
    chat: { completions: { create: requests.through((body, options) => chat.completions.create(body, options)) } },
    ...(responses === undefined ? {} : { responses: { create: requests.through((body, options) => responses.create(body, options)) } }),
  };
}

function plainClient(
  connection: ClientOptions,
  fetch: NonNullable<OpenAIConnection['fetch']>,
): OpenAIClient & { readonly logLevel?: unknown } {
  loaded ??= loadClient();
  return new loaded({
    apiKey: connection.apiKey,
    baseURL: connection.baseURL,
    maxRetries: 0,
    // What the environment says of OpenAI's organisation is nobody else's business.
    ...(connection.openai ? {} : { organization: null, project: null }),
    fetch,
    ...(connection.headers === undefined ? {} : { defaultHeaders: { ...connection.headers } }),
  });
}

function loadClient(): ClientClass {
  try {
    // At the first request only, so that a suite without a real model never loads it.
    return (require('openai') as { OpenAI: ClientClass }).OpenAI;
  } catch (cause) {
    throw new UsageError(
      'Models of OpenAI-compatible providers need the package "openai", version 6.49 or later. Write: npm install openai',
      { cause },
    );
  }
}
