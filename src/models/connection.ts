import { ModelError } from '../errors/run-error';
import type { RequestPlace } from './errors';
import type * as Client from './openai-client';
import type { OpenAIClient, OpenAIConnection } from './openai-client';

// Loaded with the first request, as the client's package is.
const createClient: typeof Client.createClient = (connection) => (require('./openai-client') as typeof Client).createClient(connection);

/** Where a model lives, and how its key and address are found. */
export interface Endpoint {
  /** The provider's name: `openai`. */
  readonly provider: string;
  readonly baseURL?: string;
  /** The environment variable that replaces `baseURL`. */
  readonly baseURLVariable?: string;
  /** Appended to what the variable holds. */
  readonly baseURLSuffix?: string;
  /** The environment variable that holds the key; absent where none is needed. */
  readonly keyVariable?: string;
  /** Whether the key may be missing. */
  readonly keyOptional?: boolean;
  /** For servers on one's own machine: how to start it. */
  readonly start?: string;
}

/** The OpenAI API itself. */
export const OPENAI: Endpoint = Object.freeze({
  provider: 'openai',
  baseURL: 'https://api.openai.com/v1',
  baseURLVariable: 'OPENAI_BASE_URL',
  keyVariable: 'OPENAI_API_KEY',
});

/** A model's way to its server: the client is made at the first request, and only then must the key be there. */
export class Connection {
  private client: OpenAIClient | undefined;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly options: OpenAIConnection,
    private readonly model: string,
  ) {
    this.client = options.client;
  }

  /** @throws ModelError when the key or the address is missing */
  open(): OpenAIClient {
    return (this.client ??= createClient({
      ...this.options,
      apiKey: this.apiKey(),
      baseURL: this.baseURL() ?? this.noBaseURL(),
      openai: this.endpoint.baseURLVariable === OPENAI.baseURLVariable,
    }));
  }

  /** What an error needs to know to give advice. */
  get place(): RequestPlace {
    return {
      provider: this.endpoint.provider,
      model: this.model,
      baseURL: this.options.client?.baseURL ?? this.baseURL(),
      keyVariable: this.endpoint.keyVariable,
      baseURLVariable: this.endpoint.baseURLVariable,
      start: this.endpoint.start,
    };
  }

  private baseURL(): string | undefined {
    const { baseURL, baseURLVariable, baseURLSuffix = '' } = this.endpoint;
    if (this.options.baseURL !== undefined) return this.options.baseURL;
    const set = variable(baseURLVariable)?.replace(/\/+$/, '');
    if (set === undefined) return baseURL;
    return set.endsWith(baseURLSuffix) ? set : set + baseURLSuffix;
  }

  private apiKey(): string {
    const { keyVariable, keyOptional, provider } = this.endpoint;
    const key = this.options.apiKey ?? variable(keyVariable);
    if (key !== undefined) return key;
    // The client insists on some key; servers that need none ignore it.
    if (keyVariable === undefined || keyOptional === true) return 'none';
    throw new ModelError(`There is no key for ${provider}: ${keyVariable} is not set.`, {
      advice: `Set ${keyVariable} in the environment, or give \`apiKey\`. For a run without any key, use the model 'offline:'.`,
    });
  }

  private noBaseURL(): never {
    const { provider, baseURLVariable } = this.endpoint;
    throw new ModelError(`There is no base URL for ${provider}.`, {
      advice: `Set ${baseURLVariable ?? 'it'} in the environment, or give \`baseURL\`: the address of an OpenAI-compatible API, usually ending in /v1.`,
    });
  }
}

/** A variable of the environment that says something. */
export function variable(name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : process.env[name]?.trim();
  return value === '' ? undefined : value;
}
