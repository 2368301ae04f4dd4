import { createTestRunner, scripted, callTool, say } from 'toolwright/testing';
import { Forecasts, WeatherAgent } from './first-page';

export async function test() {
  const runner = createTestRunner({
    model: scripted([callTool('current_weather', { city: 'Oslo' }), say('Yes, it is 2 °C.')]),
    overrides: [{ provide: Forecasts, useValue: { at: async () => ({ unit: 'celsius' as const, degrees: 2 }) } }],
  });
  const result = await runner.run(WeatherAgent, 'Coat in Oslo?');
  return result;
}
