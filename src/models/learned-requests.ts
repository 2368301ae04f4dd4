import { leanFetch } from './lean-fetch';
import { asPlain } from './plain';

/** Where one kind of request goes, and what is sent along with its body. */
interface Learned {
  readonly url: string;
  readonly headers: readonly [string, string][];
}

/** One method of a client: `chat.completions.create`. */
export type CreateMethod = (body: never, options: never) => unknown;

/** How many requests of a kind must have been alike, but for their bodies, before the next are made without the client. */
const ALIKE = 2;

/**
 * Makes the later requests of a client straight over the lean `fetch`.
 *
 * The client says where its requests go and with which headers: keys, organisation, what the environment adds. That it works this out
 * anew each time is most of what a request costs. So its first requests are watched as they pass `fetch`, and when they differed
 * in nothing but their bodies, the next ones are sent the same way.
 */
export class LearnedRequests {
  private learned: Learned | undefined;
  private alike = 0;

  /** The `fetch` to give to the client. */
  readonly fetch: typeof leanFetch = (input, init) => {
    this.watch({ url: input instanceof Request ? input.url : input.toString(), headers: [...new Headers(init?.headers)] });
    return leanFetch(input, init);
  };

  /** The client's method, until it was learned. */
  through(create: CreateMethod): CreateMethod {
    return (body, options) => {
      const { learned } = this;
      if (learned === undefined || this.alike < ALIKE) return create(body, options);
      return { asResponse: () => send(learned, body, (options as { readonly signal?: AbortSignal }).signal) };
    };
  }

  private watch(seen: Learned): void {
    const same = this.learned !== undefined && JSON.stringify(this.learned) === JSON.stringify(seen);
    this.alike = same ? this.alike + 1 : 1;
    this.learned = seen;
  }
}

async function send({ url, headers }: Learned, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
  const response = await leanFetch(url, {
    method: 'POST',
    headers: headers as [string, string][],
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  if (response.ok) return response;
  throw await statusFailure(response);
}

/** The failure in the shape of the client's own: `status`, `headers` and `error`. */
async function statusFailure(response: Response): Promise<Error> {
  const text = await response.text().catch((error: unknown) => String(error));
  let error: unknown;
  try {
    const parsed: unknown = JSON.parse(text);
    const body = Array.isArray(parsed) ? (parsed[0] as unknown) : parsed;
    error = asPlain(body)?.['error'] ?? body;
  } catch {
    error = undefined;
  }
  return Object.assign(new Error(text === '' ? 'no body' : text), {
    status: response.status,
    headers: response.headers,
    error,
    code: asPlain(error)?.['code'],
  });
}
