import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { allowRealRequests } from '../../src/testing/real-requests';
import type { ModelChunk, ModelRequest } from '../../src/models/model';

/** What a server is to answer to one request. */
export interface Reply {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** Written one by one, each in its own turn of the event loop. */
  readonly pieces?: readonly (string | Uint8Array)[];
  /** What becomes of the connection afterwards: ended (default), destroyed, or left open. */
  readonly then?: 'end' | 'destroy' | 'hold';
}

export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly [key: string]: unknown } & { readonly messages?: readonly { readonly [key: string]: unknown }[] };
}

/** A server of one's own machine that answers as told and remembers what it was asked. */
export class Loopback {
  readonly requests: SeenRequest[] = [];
  readonly sockets = new Set<Socket>();
  connections = 0;
  private replies: Reply[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Loopback> {
    // A `fetch` in the place of Node's own would carry the requests instead of the transport that is tested.
    allowRealRequests();
    const server = createServer((request, response) => void loopback.answer(request, response));
    const loopback = new Loopback(server);
    server.on('connection', (socket) => {
      loopback.connections += 1;
      loopback.sockets.add(socket);
      socket.on('close', () => loopback.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return loopback;
  }

  get baseURL(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** The replies of the next requests; the last is repeated. */
  reply(...replies: readonly Reply[]): void {
    this.replies = [...replies];
    this.requests.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    this.requests.push({
      url: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(pieces).toString('utf8')) as SeenRequest['body'],
    });
    const reply = this.replies.length > 1 ? this.replies.shift()! : (this.replies[0] ?? { status: 500 });
    response.writeHead(reply.status ?? 200, { 'content-type': 'text/event-stream', ...reply.headers });
    response.flushHeaders();
    response.socket?.setNoDelay(true);
    for (const piece of reply.pieces ?? []) {
      await new Promise<void>((resolve) => response.write(piece, () => setImmediate(resolve)));
    }
    if (reply.then === 'destroy') response.destroy();
    else if (reply.then !== 'hold') response.end();
  }
}

/** Chat chunks as an event stream. */
export function sse(chunks: readonly unknown[], done = true): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('') + (done ? 'data: [DONE]\n\n' : '');
}

/** One chunk with a delta. */
export function delta(of: object, finish: string | null = null): object {
  return { id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: of, finish_reason: finish }] };
}

export const HELLO = sse([delta({ role: 'assistant', content: 'Hel' }), delta({ content: 'lo' }), delta({}, 'stop')]);

export function ask(text = 'Hi', over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [{ v: 1, role: 'user', parts: [{ type: 'text', text }] }],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: false,
    settings: {},
    signal: new AbortController().signal,
    ...over,
  };
}

export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  readonly calls: { id: string | undefined; name: string; arguments: string }[];
  readonly chunks: readonly ModelChunk[];
  readonly finish: string | undefined;
  readonly usage: Extract<ModelChunk, { type: 'usage' }>['usage'] | undefined;
  readonly extra: Extract<ModelChunk, { type: 'extra' }>['extra'] | undefined;
  readonly warnings: readonly string[];
  readonly error: unknown;
}

/** Reads a stream as a run does: calls by index, everything until the end or the error. */
export async function collect(stream: AsyncIterable<ModelChunk>): Promise<Answer> {
  const chunks: ModelChunk[] = [];
  let error: unknown;
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (thrown) {
    error = thrown;
  }
  const calls: Answer['calls'] = [];
  for (const chunk of chunks) {
    if (chunk.type !== 'call') continue;
    const call = (calls[chunk.index] ??= { id: undefined, name: '', arguments: '' });
    call.id ??= chunk.id;
    call.name += chunk.name ?? '';
    call.arguments += chunk.arguments ?? '';
  }
  const textsOf = (type: 'text' | 'reasoning' | 'refusal' | 'warning'): string[] =>
    chunks.flatMap((chunk) => (chunk.type === type ? [chunk.text] : []));
  return {
    text: textsOf('text').join(''),
    reasoning: textsOf('reasoning').join(''),
    refusal: textsOf('refusal').join(''),
    calls,
    chunks,
    finish: chunks.flatMap((chunk) => (chunk.type === 'end' ? [chunk.finish] : []))[0],
    usage: chunks.flatMap((chunk) => (chunk.type === 'usage' ? [chunk.usage] : []))[0],
    extra: chunks.flatMap((chunk) => (chunk.type === 'extra' ? [chunk.extra] : []))[0],
    warnings: textsOf('warning'),
    error,
  };
}
