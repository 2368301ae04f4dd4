import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, Param, Tool, type RunResult } from 'toolwright';
import { SPEAKERS, type Speaker, type Turn } from './speakers';

class Forecast {
  constructor(
    readonly city: string,
    readonly celsius: number,
  ) {}
}

const asked: string[] = [];
beforeEach(() => void (asked.length = 0));

@AgentConfig({ instructions: 'You answer questions about the weather.', parallelToolCalls: true })
class WeatherAgent extends Agent {
  @Tool({ description: 'Current weather for a city.', annotations: { readOnly: true } })
  currentWeather(@Param('city', { description: 'City name', type: String, minLength: 2 }) city: string): Forecast {
    asked.push(city);
    return new Forecast(city, 2);
  }
}

const call = (id: string, args: string): { id: string; name: string; arguments: string } => ({
  id,
  name: 'current_weather',
  arguments: args,
});

describe.each(SPEAKERS)('one agent over %s', (name, speak) => {
  let speaker: Speaker;
  afterEach(() => speaker.stop());

  async function run(...turns: readonly Turn[]): Promise<RunResult> {
    speaker = await speak(turns);
    return new AgentRunner({ model: speaker.model }).run(WeatherAgent, 'Coat in Oslo?');
  }

  test('calls a tool, reads its result and answers', async () => {
    const result = await run({ calls: [call('c1', '{"city":"Oslo"}')] }, { text: 'Yes, it is 2 °C.' });
    expect(result).toMatchObject({ stopReason: 'completed', text: 'Yes, it is 2 °C.' });
    expect(result.toolCalls).toMatchObject([{ name: 'current_weather', arguments: { city: 'Oslo' }, outcome: 'ok' }]);
    expect(result.usage).toMatchObject({ requests: 2, inputTokens: 20, outputTokens: 10, toolCalls: 1 });
    expect(result.messages.at(-2)).toMatchObject({ role: 'tool', outcome: 'ok' });
    expect(speaker.asked()).toBe(2);
  });

  test('carries out two calls of one answer', async () => {
    const result = await run({ text: 'Both.', calls: [call('c1', '{"city":"Oslo"}'), call('c2', '{"city":"Rome"}')] }, { text: 'Cold.' });
    expect(result.toolCalls.map(({ arguments: args }) => args)).toEqual([{ city: 'Oslo' }, { city: 'Rome' }]);
    expect(result.text).toBe('Cold.');
  });

  test('lets the model repair its arguments', async () => {
    const result = await run({ calls: [call('c1', '{"city":"O"}')] }, { calls: [call('c2', '{"city":"Oslo"}')] }, { text: 'Two degrees.' });
    expect(result.toolCalls.map(({ outcome }) => outcome === 'ok')).toEqual([false, true]);
    expect(result.text).toBe('Two degrees.');
  });

  test('runs no call of an answer that was cut off', async () => {
    const result = await run({ text: 'Let me', calls: [call('c1', '{"city":"Oslo"}')], cutOff: true }, { text: 'Again.' });
    expect(result.toolCalls.filter(({ outcome }) => outcome === 'ok')).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('keeps what the model thought apart from what it says', async () => {
    if (name === 'prompted tools') return void (speaker = await speak([{ text: 'x' }]));
    const result = await run({ reasoning: 'Oslo is north.', calls: [call('c1', '{"city":"Oslo"}')] }, { text: 'Cold.' });
    expect(result.messages.find(({ role }) => role === 'assistant')).toMatchObject({ reasoning: 'Oslo is north.' });
    expect(result.text).toBe('Cold.');
  });
});
