import { Service } from 'typedi';
import { Agent, AgentConfig, Param, Tool } from 'toolwright';

@Service()
export class Forecasts {
  async at(city: string, unit: 'celsius' | 'fahrenheit'): Promise<{ celsius: number }> {
    const response = await fetch(`https://weather.example.com/${encodeURIComponent(city)}?unit=${unit}`);
    return (await response.json()) as { celsius: number };
  }
}

@AgentConfig({ model: 'openai:gpt-5-mini', instructions: 'You answer questions about the weather.' })
export class WeatherAgent extends Agent {
  constructor(private readonly forecasts: Forecasts) {
    super();
  }

  @Tool('Current weather for a city. Use it for temperature, rain, or what to wear.')
  async currentWeather(
    @Param('city', 'City name, such as "Oslo"') city: string,
    @Param('unit', { enum: ['celsius', 'fahrenheit'], default: 'celsius' }) unit: 'celsius' | 'fahrenheit' = 'celsius',
  ) {
    return this.forecasts.at(city, unit);
  }
}
