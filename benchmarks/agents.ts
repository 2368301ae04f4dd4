import 'reflect-metadata';
import { Agent, AgentConfig, Param, Tool, type Model, type ModelChunk, type ModelRequest } from 'toolwright';
import type { PlainTool } from './plain-loops';

export const weather = (city: string): { celsius: number; city: string } => ({ celsius: 2, city });

@AgentConfig({ instructions: 'You answer questions about the weather.', limits: { maxTurns: 60 } })
export class WeatherAgent extends Agent {
  @Tool('Current weather for a city.')
  currentWeather(@Param('city', 'City name') city: string): { celsius: number; city: string } {
    return weather(city);
  }
}

/** An in-process model: one call, then an answer. */
export const inProcessModel: Model = {
  name: 'in-process',
  capabilities: { tools: true, parallelToolCalls: true, jsonSchema: false, strict: false, images: false, reasoning: false },
  async *stream({ messages }: ModelRequest): AsyncGenerator<ModelChunk> {
    if (messages[messages.length - 1]?.role === 'tool') {
      yield { type: 'text', text: 'It is 2 degrees.' };
      yield { type: 'usage', usage: { inputTokens: 20, outputTokens: 5 } };
      yield { type: 'end', finish: 'stop' };
    } else {
      yield { type: 'call', index: 0, id: 'call_1', name: 'current_weather', arguments: '{"city":"Oslo"}' };
      yield { type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } };
      yield { type: 'end', finish: 'tool_calls' };
    }
  },
};

/** A class literal with this many methods, as a file would hold it: read once, evaluated for each class. */
const literals = new Map<number, (base: typeof WeatherAgent) => typeof WeatherAgent>();
function classWithMethods(count: number): typeof WeatherAgent {
  let literal = literals.get(count);
  if (literal === undefined) {
    const methods = Array.from({ length: count - 1 }, (_, at) => `lookUp${at + 1}(key, limit) { return { key, limit }; }`);
    literal = new Function('Base', `return class Many extends Base {\n${methods.join('\n')}\n};`) as never;
    literals.set(count, literal);
  }
  return literal(WeatherAgent);
}

/** A fresh agent class with this many tools beside the weather tool, decorated in the order in which the compiler writes it. */
export function agentWithTools(count: number): typeof WeatherAgent {
  const Many = classWithMethods(count);
  const target = Many.prototype as never;
  for (let at = 1; at < count; at++) {
    const method = `lookUp${at}`;
    const descriptor = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    Reflect.defineMetadata('design:paramtypes', [String, Number], target, method);
    (Param('limit', { description: 'How many entries at most', minimum: 1, maximum: 50, default: 10 }) as never as Legacy)(
      target,
      method,
      1,
    );
    (Param('key', 'The key to look up') as never as Legacy)(target, method, 0);
    (Tool(`Looks up entry ${at} of the catalogue.`) as never as Legacy)(target, method, descriptor);
  }
  AgentConfig({ instructions: 'You answer questions about the weather.' })(Many as never);
  return Many;
}
type Legacy = (target: object, key: string, third: unknown) => void;

/** The same tools as literals. */
export function plainTools(count: number, weatherTool: PlainTool): PlainTool[] {
  return [
    weatherTool,
    ...Array.from({ length: count - 1 }, (_, at): PlainTool => ({
      type: 'function',
      function: {
        name: `look_up${at + 1}`,
        description: `Looks up entry ${at + 1} of the catalogue.`,
        parameters: {
          type: 'object',
          properties: {
            key: { type: 'string', description: 'The key to look up' },
            limit: { type: ['number', 'null'], description: 'How many entries at most', minimum: 1, maximum: 50 },
          },
          required: ['key', 'limit'],
          additionalProperties: false,
        },
        strict: true,
      },
    })),
  ];
}
