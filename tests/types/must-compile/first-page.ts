import { Service } from 'typedi';
import { Agent, AgentConfig, AgentRunner, Param, Tool } from 'toolwright';

@Service()
export class Forecasts {
  async at(city: string, unit: 'celsius' | 'fahrenheit') {
    return { unit, degrees: city.length };
  }
}

@AgentConfig({
  model: 'openai:gpt-5-mini',
  instructions: 'You answer questions about the weather.',
})
export class WeatherAgent extends Agent {
  constructor(private readonly forecasts: Forecasts) {
    super();
  }

  /** What the model reads is the description below, never this comment (until the compiler plugin reads it). */
  @Tool('Current weather for a city. Use it for temperature, rain, or what to wear.')
  async currentWeather(
    @Param('city', 'City name, such as "Oslo"') city: string,
    @Param('unit', { enum: ['celsius', 'fahrenheit'], default: 'celsius' }) unit?: 'celsius' | 'fahrenheit',
  ) {
    return this.forecasts.at(city, unit ?? 'celsius');
  }
}

export async function main() {
  const result = await new AgentRunner().run(WeatherAgent, 'Do I need a coat in Oslo?');
  const text: string | undefined = result.output;
  return [text, result.text];
}
