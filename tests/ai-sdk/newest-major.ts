// Run by itself: the newest major of the AI SDK is an ES module, which Jest cannot load.
import 'reflect-metadata';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai-7/test';
import { aiSdkModel } from '../../src/ai-sdk';
import { Agent, AgentConfig, AgentRunner, Param, Tool } from '../../src';
import { sdkParts, type Turn } from './sdk-parts';

class WeatherAgent extends Agent {
  currentWeather(city: string): { celsius: number; city: string } {
    return { celsius: 2, city };
  }
}
// Without decorators' syntax, so that this program needs no emitted metadata.
(Param('city', { description: 'City name', type: String }) as never as (...args: unknown[]) => void)(
  WeatherAgent.prototype,
  'currentWeather',
  0,
);
(Tool({ description: 'Current weather.', annotations: { readOnly: true } }) as never as (...args: unknown[]) => void)(
  WeatherAgent.prototype,
  'currentWeather',
  Object.getOwnPropertyDescriptor(WeatherAgent.prototype, 'currentWeather'),
);
(AgentConfig({ instructions: 'You answer questions about the weather.' }) as never as (target: unknown) => void)(WeatherAgent);

async function main(): Promise<void> {
  const turns: Turn[] = [
    { reasoning: 'Oslo is north.', calls: [{ id: 'c1', name: 'current_weather', arguments: '{"city":"Oslo"}' }] },
    { text: 'Cold.' },
  ];
  const mock = new MockLanguageModelV4({
    doStream: turns.map((turn) => ({ stream: convertArrayToReadableStream(sdkParts(turn, 'v4')) })) as never,
  });
  const result = await new AgentRunner({ model: aiSdkModel(mock) }).run(WeatherAgent, [
    { type: 'text', text: 'Coat?' },
    { type: 'image', url: 'https://example.com/sky.png' },
    { type: 'file', name: 'a.txt', data: 'aGk=', mediaType: 'text/plain' },
  ]);
  const prompts = mock.doStreamCalls.map(({ prompt }) => prompt);
  console.log(
    JSON.stringify({ text: result.text, usage: result.usage, outcomes: result.toolCalls.map(({ outcome }) => outcome), prompts }),
  );
}

void main();
