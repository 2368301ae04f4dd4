import { OpenAIChatModel } from '../../src/models/openai-chat-model';
import { ask, collect, HELLO, Loopback } from '../models/loopback';

test('parallel_tool_calls is not sent when there are no tools', async () => {
  const server = await Loopback.start();
  try {
    for (const [tools, sent] of [
      [[], false],
      [[{ name: 'a', description: '', parameters: { type: 'object', properties: {} } }], true],
    ] as const) {
      server.reply({ pieces: [HELLO] });
      await collect(new OpenAIChatModel({ model: 'm', apiKey: 'k', baseURL: server.baseURL }).stream(ask('Hi', { tools })));
      expect('parallel_tool_calls' in server.requests[0]!.body).toBe(sent);
    }
  } finally {
    await server.stop();
  }
});
