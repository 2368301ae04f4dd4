import 'reflect-metadata';
import { Agent } from '../../src/agent/agent';
import { AgentConfig } from '../../src/decorators/agent-config';
import { Param } from '../../src/decorators/param';
import { Tool } from '../../src/decorators/tool';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, say, scripted } from '../../src/testing';

@AgentConfig({ instructions: 'You answer questions about the weather.' })
class WeatherAgent extends Agent {
  @Tool('Current weather for a city.')
  currentWeather(@Param('city', { type: String }) city: string) {
    return { city, celsius: 2 };
  }
}

test('a run shows the tools, carries out the call and gives the answer', async () => {
  const model = scripted([callTool('current_weather', { city: 'Oslo' }, { id: 'c1' }), say('Yes, it is 2 °C.')]);
  const result = await new AgentRunner({ model }).run(WeatherAgent, 'Coat in Oslo?');

  expect(result).toMatchObject({ stopReason: 'completed', text: 'Yes, it is 2 °C.', output: 'Yes, it is 2 °C.' });
  expect(result.messages).toEqual([
    { v: 1, role: 'user', parts: [{ type: 'text', text: 'Coat in Oslo?' }] },
    { v: 1, role: 'assistant', parts: [], calls: [{ id: 'c1', name: 'current_weather', arguments: '{"city":"Oslo"}' }] },
    {
      v: 1,
      role: 'tool',
      callId: 'c1',
      name: 'current_weather',
      parts: [{ type: 'text', text: '{"city":"Oslo","celsius":2}' }],
      outcome: 'ok',
      trust: 'trusted',
    },
    { v: 1, role: 'assistant', parts: [{ type: 'text', text: 'Yes, it is 2 °C.' }], calls: [] },
  ]);
  expect(result.newMessages).toEqual(result.messages);
  expect(result.usage).toEqual({
    requests: 2,
    inputTokens: 20,
    outputTokens: 10,
    cachedTokens: 0,
    reasoningTokens: 0,
    totalTokens: 30,
    toolCalls: 1,
  });
});
