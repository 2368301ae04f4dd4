import 'reflect-metadata';
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { Agent, AgentConfig, AgentRunner, arrayOf, Integer, OpenAIChatModel, Param, Tool } from 'toolwright';
import { allowRealRequests } from '../../src/testing/real-requests';
import { ask, collect } from './loopback';

// Run by `npm run test:llama`, which installs the engine.
const home = process.env['LLAMA_ENGINE'];

interface Heard {
  readonly tool: string;
  readonly args: readonly unknown[];
}
const heard: Heard[] = [];

@AgentConfig({ instructions: 'Answer.', limits: { maxTurns: 6 }, modelSettings: { maxTokens: 40 } })
class NoiseAgent extends Agent {
  @Tool({ description: 'Sets a lamp.', annotations: { readOnly: true } })
  setLamp(
    @Param('mode', { description: 'How', enum: ['on', 'off', 'dim'] }) mode: 'on' | 'off' | 'dim',
    @Param('slow', 'Whether slowly') slow: boolean,
  ): string {
    heard.push({ tool: 'set_lamp', args: [mode, slow] });
    return 'done';
  }

  @Tool({ description: 'Paints.', annotations: { readOnly: true } })
  paint(
    @Param('colours', { description: 'Which', type: arrayOf(String, { minItems: 1, maxItems: 3 }) }) colours: string[],
    @Param('layers', { description: 'How many', type: Integer, minimum: 1, maximum: 5 }) layers: number,
  ): string {
    heard.push({ tool: 'paint', args: [colours, layers] });
    return 'done';
  }
}

describe('the llama.cpp engine with a random model', () => {
  let server: ChildProcess;
  let model: OpenAIChatModel;

  beforeAll(async () => {
    allowRealRequests();
    const file = join(__dirname, '../fixtures/tiny-bytes.gguf');
    server = fork(join(__dirname, 'llama-server.mjs'), [home!, file], { execArgv: [] });
    const port = await new Promise((resolve, reject) => {
      server.once('message', resolve);
      server.once('exit', (code) => reject(new Error(`The engine ended with ${String(code)}.`)));
    });
    const baseURL = `http://127.0.0.1:${String(port)}/v1`;
    model = new OpenAIChatModel({ model: 'tiny', apiKey: 'none', baseURL, capabilities: { strict: false } });
  }, 120_000);
  afterAll(() => void server.kill());

  test('speaks in bytes, each a delta, and says how many', async () => {
    const { chunks, text, finish, usage, error } = await collect(model.stream(ask('Hello', { settings: { maxTokens: 40 } })));
    expect({ error, finish }).toEqual({ error: undefined, finish: 'stop' });
    expect(text).not.toBe('');
    expect(chunks.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
    expect(usage!.outputTokens).toBeGreaterThan(1);
  }, 60_000);

  test('calls tools within their schemas, one turn after the other, until it answers', async () => {
    heard.length = 0;
    const result = await new AgentRunner({ model }).run(NoiseAgent, 'Go on.');
    expect(result.stopReason).toBe('completed');
    expect(result.toolCalls.map(({ name }) => name)).toEqual(['set_lamp', 'paint']);
    expect(heard[0]).toEqual({ tool: 'set_lamp', args: [expect.stringMatching(/^(on|off|dim)$/), expect.any(Boolean)] });
    // The engine binds types and choices, not the bounds of numbers: those are checked here, and what breaks them never reaches the method.
    for (const { arguments: args, outcome, name } of result.toolCalls.slice(1)) {
      expect(['ok', 'invalid']).toContain(outcome);
      expect(heard.some(({ tool }) => tool === name)).toBe(outcome === 'ok');
      expect(args).toMatchObject({ colours: expect.any(Array) as string[], layers: expect.any(Number) as number });
    }
    expect(result.usage.requests).toBe(3);
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant']);
  }, 120_000);
});
