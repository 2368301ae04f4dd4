import 'reflect-metadata';
import 'toolwright/testing/jest';
import {
  callTool,
  createTestRunner,
  everyToolSurvives,
  expectRequest,
  failingTool,
  mockTool,
  recordEvents,
  say,
  scripted,
} from 'toolwright/testing';
import { Forecasts, WeatherAgent } from './weather-agent';

const cold = [{ provide: Forecasts, useValue: { at: async () => ({ celsius: 2 }) } }] as const;

describe('WeatherAgent', () => {
  it('looks the weather up before it answers', async () => {
    const runner = createTestRunner({
      model: scripted([callTool('current_weather', { city: 'Oslo' }), say('Yes, it is 2 °C.')]),
      overrides: cold,
    });
    const result = await runner.run(WeatherAgent, 'Coat in Oslo?');
    expect(result).toHaveCalledTool('current_weather', { city: 'Oslo', unit: 'celsius' });
    expect(result.text).toBe('Yes, it is 2 °C.');
  });

  it('shows the model the result, and only tools that it has', async () => {
    const model = scripted([
      [expectRequest({ tools: ['current_weather'], user: 'Oslo' }), callTool('current_weather', { city: 'Oslo' })],
      [expectRequest({ results: [/"celsius":2/] }), say('Yes.')],
    ]);
    await createTestRunner({ model, overrides: cold }).run(WeatherAgent, 'Coat in Oslo?');
  });

  it('lets the model correct itself', async () => {
    const model = scripted([
      callTool('current_weather', { city: 'Oslo', unit: 'kelvin' }),
      [expectRequest({ results: [/unit/] }), callTool('current_weather', { city: 'Oslo', unit: 'celsius' })],
      say('2 °C.'),
    ]);
    const result = await createTestRunner({ model, overrides: cold }).run(WeatherAgent, 'How cold is it?');
    expect(result.toolCalls.map((call) => call.outcome)).toEqual(['invalid', 'ok']);
  });

  it('needs no service at all when its tool is a double', async () => {
    const weather = mockTool('current_weather', { celsius: -5 });
    const model = scripted([callTool('current_weather', { city: 'Oslo' }), say('Bring gloves.')]);
    await createTestRunner({ model, tools: [weather] }).run(WeatherAgent, 'Gloves?');
    weather.assertCalled({ city: 'Oslo' });
  });

  it('goes on when the tool breaks, and never shows why', async () => {
    const model = scripted([callTool('current_weather', { city: 'Oslo' }), say('I cannot look it up now.')]);
    const tools = [failingTool('current_weather', 'password=hunter2')];
    const result = await createTestRunner({ model, tools }).run(WeatherAgent, 'Coat?');
    expect(result).toHaveOutcome('current_weather', 'error');
    expect(JSON.stringify(result.messages)).not.toContain('hunter2');
  });

  it('does the same in every run', async () => {
    const recorder = recordEvents();
    const model = scripted([callTool('current_weather', { city: 'Oslo' }), say('Yes.')]);
    await createTestRunner({ model, overrides: cold }).run(WeatherAgent, 'Coat?', { onEvent: recorder.onEvent });
    expect(recorder.stable()).toMatchSnapshot();
  });

  it('keeps the contract that models were tried with', () => {
    expect(WeatherAgent).toMatchContract();
  });

  it('survives whatever a model sends', async () => {
    await everyToolSurvives(WeatherAgent, { overrides: cold });
  });
});
