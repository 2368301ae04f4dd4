import { fork, spawnSync } from 'node:child_process';
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcp, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { allowRealRequests } from '../../src/testing/real-requests';
import { leanFetch } from '../../src/models/lean-fetch';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;
let handler: Handler;
const seen: { readonly headers: IncomingMessage['headers']; readonly method: string; readonly body: string; readonly port: number }[] = [];
const sockets = new Set<Socket>();
let server: Server;
let url: string;

const track = (of: Server | TcpServer): void =>
  void of.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
const listen = async (of: Server | TcpServer): Promise<number> => {
  await new Promise<void>((resolve) => of.listen(0, '127.0.0.1', resolve));
  return (of.address() as AddressInfo).port;
};

beforeAll(async () => {
  allowRealRequests();
  server = createHttp((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      seen.push({ headers: request.headers, method: request.method ?? '', body, port: request.socket.remotePort ?? 0 });
      handler(request, response, body);
    });
  });
  track(server);
  url = `http://127.0.0.1:${await listen(server)}/v1/chat?x=1`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => void (seen.length = 0));
afterEach(() => jest.restoreAllMocks());

const post = (init: RequestInit = {}, to = url): Promise<Response> => leanFetch(to, { method: 'POST', body: '{"a":"ü"}', ...init });
const standard = (): jest.SpyInstance =>
  jest.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response('standard')));

/** What a raw server answers to any request, byte by byte as given. */
async function raw(answer: (socket: Socket) => void): Promise<{ readonly at: string; readonly stop: () => Promise<void> }> {
  const tcp = createTcp((socket) => socket.once('data', () => answer(socket)));
  track(tcp);
  const port = await listen(tcp);
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      for (const socket of sockets) if (socket.localPort === port) socket.destroy();
      tcp.close(() => resolve());
    });
  return { at: `http://127.0.0.1:${port}/`, stop };
}

describe('a request', () => {
  test('arrives with its method, headers and body, and its answer is read', async () => {
    handler = (_request, response) => response.writeHead(201, { 'x-request-id': 'r1', 'set-cookie': ['a=1', 'b=2'] }).end('fine');
    const response = await post({ headers: new Headers({ authorization: 'Bearer k', 'content-length': '999', host: 'evil.example' }) });
    expect({ status: response.status, ok: response.ok, text: await response.text() }).toEqual({ status: 201, ok: true, text: 'fine' });
    expect(response.headers.get('X-Request-Id')).toBe('r1');
    expect(response.headers.get('set-cookie')).toBe('a=1, b=2');
    expect(response.headers.get('constructor')).toBeNull();
    expect(response.headers.has('x-none')).toBe(false);
    expect([...response.headers].map(([name]) => name)).toContain('x-request-id');
    expect(seen[0]).toMatchObject({ method: 'POST', body: '{"a":"ü"}' });
    expect(seen[0]!.headers).toMatchObject({
      authorization: 'Bearer k',
      host: new URL(url).host,
      'content-length': '10',
      'accept-encoding': 'identity',
    });
  });

  test('uses a connection again, and takes a second one beside a busy one', async () => {
    handler = (_request, response) => response.end('x');
    for (let at = 0; at < 5; at += 1) {
      await (await post()).text();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(new Set(seen.map(({ port }) => port)).size).toBe(1);
    await Promise.all([1, 2, 3].map(async () => (await post()).text()));
    expect(new Set(seen.slice(5).map(({ port }) => port)).size).toBeGreaterThan(1);
  });

  test('reads what came at once in one piece, and a slow reader holds the server back', async () => {
    const total = 12_000_000;
    let written = 0;
    handler = (_request, response) => {
      const piece = Buffer.alloc(100_000, 'x');
      const more = (): void => {
        while (written < total) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
    const reader = (await post()).body!.getReader();
    await reader.read();
    for (let at = 0; at < 50; at += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBeLessThan(total);
    let read = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) read += next.value.length;
    expect(read).toBeGreaterThan(total / 2);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('reads an answer that was compressed unasked: %s', async (coding, compress) => {
    handler = (_request, response) => response.writeHead(200, { 'content-encoding': coding }).end(compress('packed'));
    expect(await (await post()).text()).toBe('packed');
  });

  test('reads a compressed stream as it comes', async () => {
    let finish = (): void => undefined;
    handler = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = jest.requireActual<typeof import('node:zlib')>('node:zlib').createGzip();
      gzip.pipe(response);
      gzip.write('first');
      gzip.flush();
      finish = () => gzip.end('last');
    };
    const reader = (await post()).body!.getReader();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('first');
    finish();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('last');
    expect((await reader.read()).done).toBe(true);
  });
});

describe('the standard fetch is asked', () => {
  test.each<[string, () => Promise<Response>]>([
    ['for a body that is no text', () => post({ body: new Uint8Array([1]) })],
    ['for an option that only it knows', () => post({ redirect: 'manual' })],
    ['for credentials in the address', () => post({}, url.replace('//', '//user:pass@'))],
    ['for another protocol', () => post({}, 'data:text/plain,hi')],
    ['for an address that is none', () => post({}, 'nowhere')],
  ])('%s', async (_title, ask) => {
    const spy = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('standard'));
    expect(await (await ask()).text()).toBe('standard');
    expect(spy).toHaveBeenCalledTimes(1);
  });

  test('when it was replaced', async () => {
    const spy = standard();
    expect(await (await post()).text()).toBe('standard');
    expect(spy).toHaveBeenCalledTimes(1);
  });

  test.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'])('when %s is set', async (name) => {
    // A spy would be noticed as a replacement by itself, so the real one is asked and the proxy's absence told from the server's view.
    handler = (_request, response) => response.end('x');
    process.env[name] = 'http://127.0.0.1:9';
    try {
      await (await post()).text();
      expect(seen[0]!.headers['accept-encoding']).not.toBe('identity');
    } finally {
      delete process.env[name];
    }
  });

  test('when the dispatcher was replaced', async () => {
    handler = (_request, response) => response.end('x');
    const key = Symbol.for('undici.globalDispatcher.1');
    class ProxyAgent {}
    const before = (globalThis as Record<symbol, unknown>)[key];
    (globalThis as Record<symbol, unknown>)[key] = new ProxyAgent();
    try {
      await (await post()).text();
      expect(seen[0]!.headers['accept-encoding']).not.toBe('identity');
    } finally {
      if (before === undefined) delete (globalThis as Record<symbol, unknown>)[key];
      else (globalThis as Record<symbol, unknown>)[key] = before;
    }
  });

  test('after a redirect, and from then on for that origin', async () => {
    const other = createHttp((request, response) => {
      if (request.url === '/old') response.writeHead(307, { location: '/new' }).end();
      else response.end(`${request.method} ${request.headers['accept-encoding'] ?? ''}`);
    });
    track(other);
    const at = `http://127.0.0.1:${await listen(other)}`;
    try {
      expect(await (await post({}, `${at}/old`)).text()).toMatch(/^POST (?!identity)/);
      expect(await (await post({}, `${at}/new`)).text()).toMatch(/^POST (?!identity)/);
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });
});

describe('a server that misbehaves', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['closes without an answer', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
    ['speaks something else', (socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
    ['floods with headers', (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`)],
    ['sends a header without an end', (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}`)],
    ['sends notes without an end', (socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(500))],
    ['changes the protocol', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')],
  ])('%s: a TypeError, and the connection is gone', async (_title, answer) => {
    const { at, stop } = await raw(answer);
    await expect(post({}, at)).rejects.toThrow(TypeError);
    await stop();
  });

  test.each<[string, string]>([
    ['ends in the middle of a chunk', 'transfer-encoding: chunked\r\n\r\n10\r\nabc'],
    ['ends before its length', 'content-length: 100\r\n\r\nabc'],
    ['sends a chunk without a size', 'transfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n'],
  ])('%s: what came is read, then a TypeError', async (_title, rest) => {
    const { at, stop } = await raw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    const reader = (await post({}, at)).body!.getReader();
    const read = async (): Promise<void> => {
      for (let next = await reader.read(); !next.done; next = await reader.read());
    };
    await expect(read()).rejects.toThrow(/terminated/);
    await stop();
  });

  test('notes before an answer are passed over', async () => {
    const { at, stop } = await raw((socket) =>
      socket.end('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    );
    expect(await (await post({}, at)).text()).toBe('ok');
    await stop();
  });

  test('a failure whose body never ends is told all the same', async () => {
    let open = true;
    handler = (_request, response) => {
      response.writeHead(500);
      response.on('close', () => (open = false));
      const more = (): void => {
        if (open) response.write('x'.repeat(100_000), () => setImmediate(more));
      };
      more();
    };
    const text = await (await post()).text();
    expect(text.length).toBeGreaterThan(1_000_000);
    while (open) await new Promise((resolve) => setImmediate(resolve));
  });
});

describe('letting go', () => {
  test('an abort before the answer rejects with its reason and closes the connection', async () => {
    let closed!: () => void;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const controller = new AbortController();
    const reason = new Error('enough');
    handler = (request) => {
      request.socket.on('close', closed);
      controller.abort(reason);
    };
    const removed = jest.spyOn(controller.signal, 'removeEventListener');
    await expect(post({ signal: controller.signal })).rejects.toBe(reason);
    await gone;
    expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
    await expect(post({ signal: controller.signal })).rejects.toBe(reason);
  });

  test('an abort in the middle ends the reading with its reason, after what came', async () => {
    const controller = new AbortController();
    handler = (_request, response) => void response.write('first');
    const reader = (await post({ signal: controller.signal })).body!.getReader();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('first');
    const next = reader.read();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });

  test('a body that is not wanted closes its connection', async () => {
    let closed!: () => void;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    handler = (request, response) => {
      request.socket.on('close', closed);
      response.write('first');
    };
    const response = await post();
    await response.body!.cancel();
    await gone;
    expect(await response.text()).toBe('');
  });

  test('a signal keeps no listener of requests that are over', async () => {
    handler = (_request, response) => response.end('x');
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    for (let at = 0; at < 20; at += 1) {
      await (await post({ signal })).text();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(added).toHaveBeenCalledTimes(20);
    expect(removed).toHaveBeenCalledTimes(20);
  });

  test('an idle connection does not keep a process alive', () => {
    const program = fork(join(__dirname, 'chat-double.mjs'), { execArgv: [] });
    return new Promise<void>((resolve, reject) => {
      program.once('message', (port: unknown) => {
        const source = `require('ts-node/register/transpile-only');
          const { leanFetch } = require(${JSON.stringify(join(__dirname, '../../src/models/lean-fetch'))});
          leanFetch('http://127.0.0.1:${String(port)}/', { method: 'POST', body: '{}' }).then((r) => r.text()).then((t) => { console.log(t, Date.now()); process.on('exit', () => console.log(Date.now())); });`;
        const { stdout } = spawnSync(process.execPath, ['-e', source], { encoding: 'utf8', cwd: join(__dirname, '../..') });
        program.kill();
        const [text, answered, exited] = stdout.split(/\s+/);
        try {
          expect(text).toBe('alive');
          expect(Number(exited) - Number(answered)).toBeLessThan(2_000);
          resolve();
        } catch (fault) {
          reject(fault);
        }
      });
    });
  }, 30_000);
});
