import 'reflect-metadata';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentRunner, ModelError } from 'toolwright';
import { ClockAgent } from '../01-first-tool/clock-agent';
import { NativeOllama } from './native-ollama';

const asked: { readonly messages: readonly object[]; readonly tools: readonly object[] }[] = [];
let answers: string[][];
let server: Server;
let model: NativeOllama;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      asked.push(JSON.parse(body) as (typeof asked)[0]);
      const lines = answers.shift();
      if (lines === undefined) response.writeHead(503).end('busy');
      else response.end(lines.join('\n'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  model = new NativeOllama('qwen3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => void (asked.length = 0));

describe('NativeOllama', () => {
  it('runs an agent', async () => {
    answers = [
      [
        '{"message":{"content":"","tool_calls":[{"function":{"name":"time_in","arguments":{"zone":"Europe/Oslo"}}}]},"done":false}',
        '{"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":4}',
      ],
      ['{"message":{"content":"It is "}}', '{"message":{"content":"noon."},"done":true,"prompt_eval_count":20,"eval_count":6}'],
    ];
    const result = await new AgentRunner({ model }).run(ClockAgent, 'What is the time in Oslo?');
    expect(result).toHaveCalledTools([['time_in', { zone: 'Europe/Oslo' }]]);
    expect(result).toMatchObject({ text: 'It is noon.', usage: { inputTokens: 30, outputTokens: 10 } });
    expect(asked[1]!.messages.slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { name: 'time_in', arguments: { zone: 'Europe/Oslo' } } }] },
      { role: 'tool', tool_name: 'time_in' },
    ]);
  });

  it('fails as a model does', async () => {
    answers = [];
    await expect(new AgentRunner({ model }).run(ClockAgent, 'What is the time?')).rejects.toThrow(ModelError);
  });

  it('is not believed when its answer just stops', async () => {
    answers = [['{"message":{"content":"It is "}}']];
    await expect(new AgentRunner({ model }).run(ClockAgent, 'What is the time?')).rejects.toThrow(/before its end/);
  });
});
