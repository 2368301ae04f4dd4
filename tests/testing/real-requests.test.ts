import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { allowRealRequests, assertNoRealRequests, forbidRealRequests } from '../../src/testing';
import { resolveModel } from '../../src/models/resolve-model';

const request = {
  messages: [{ v: 1, role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: false,
  settings: {},
  signal: new AbortController().signal,
} as const;

describe('forbidRealRequests', () => {
  allowRealRequests();
  const real = globalThis.fetch;
  const key = process.env.OPENAI_API_KEY;
  beforeEach(() => {
    process.env.OPENAI_API_KEY = 'test';
    forbidRealRequests(() => expect.getState().currentTestName);
  });
  afterEach(() => {
    allowRealRequests();
    if (key === undefined) delete process.env.OPENAI_API_KEY;
    else process.env.OPENAI_API_KEY = key;
  });

  it('refuses a real request, with the name of the test', async () => {
    await expect(fetch('https://api.openai.com/v1')).rejects.toThrow(
      /api\.openai\.com was made in the test "forbidRealRequests refuses a real/,
    );
    expect(() => assertNoRealRequests()).toThrow(/api\.openai\.com/);
    expect(() => assertNoRealRequests()).not.toThrow();
  });

  it('is noticed after the test, though the model wraps what was thrown', async () => {
    const model = resolveModel('openai:gpt-5-mini', { now: () => 0, random: () => 0, sleep: () => Promise.resolve() } as never);
    const reading = (async () => {
      for await (const _ of model.stream(request)) throw new Error('must not answer');
    })();
    await expect(reading).rejects.toThrow();
    expect(() => assertNoRealRequests()).toThrow(/createTestRunner/);
  });

  it('lets requests to this machine pass', async () => {
    const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('hello');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assertNoRealRequests();
  });

  it('is taken back', () => {
    allowRealRequests();
    expect(globalThis.fetch).toBe(real);
  });
});
