import { offlineModel } from '../../../src/models/offline/offline-model';
import { ask, type WorldTool } from './ask';

const object = (properties: Record<string, unknown>, required: readonly string[] = []) => ({ type: 'object', properties, required });

const WEATHER: WorldTool = {
  name: 'current_weather',
  description: 'Current weather for a city. Use it for temperature, rain, or what to wear.',
  parameters: object({ city: { type: 'string', description: 'City name' }, unit: { enum: ['celsius', 'fahrenheit'] } }, ['city']),
  execute: ({ city }) => ({ city, celsius: 2 }),
};
const FLIGHTS: WorldTool = {
  name: 'find_flights',
  description: 'Flights between two airports on a day.',
  parameters: object(
    {
      from: { type: 'string' },
      to: { type: 'string' },
      date: { type: 'string', format: 'date' },
      seats: { type: 'integer' },
      direct: { type: 'boolean', description: 'No stops' },
    },
    ['from', 'to', 'date'],
  ),
  execute: (args) => args,
};
const ORDERS: WorldTool = {
  name: 'find_order',
  description: 'Find the last order of a customer.',
  parameters: object({ customer: { type: 'string' } }, ['customer']),
  execute: ({ customer }) => ({ orderId: 'A-17', customer }),
};
const SHIPMENT: WorldTool = {
  name: 'track_shipment',
  description: 'Where the parcel of an order is.',
  parameters: object({ order_id: { type: 'string' } }, ['order_id']),
  execute: ({ order_id }) => `Parcel for ${String(order_id)}: in Bergen, delivery tomorrow.`,
};

describe('the offline model chooses a tool by words', () => {
  it.each([
    ['Do I need a coat in Oslo?', 'current_weather', { city: 'Oslo' }],
    ['How warm is it in New York, in fahrenheit?', 'current_weather', { city: 'New York', unit: 'fahrenheit' }],
    [
      'Find direct flights from Oslo to New York on May 3, 2026 for two seats',
      'find_flights',
      { from: 'Oslo', to: 'New York', date: '2026-05-03', seats: 2, direct: true },
    ],
    ['Flights on 2026-01-02 from "Rio de Janeiro" to Bergen', 'find_flights', { from: 'Rio de Janeiro', to: 'Bergen', date: '2026-01-02' }],
  ])('%s', async (question, name, args) => {
    const { calls } = await ask([FLIGHTS, WEATHER], question);
    expect(calls).toEqual([{ name, arguments: args }]);
  });

  it('takes over a value of one result as an argument of the next call', async () => {
    const { calls, text } = await ask([SHIPMENT, ORDERS], 'Where is the parcel of the last order of customer Lovelace?');
    expect(calls).toEqual([
      { name: 'find_order', arguments: { customer: 'Lovelace' } },
      { name: 'track_shipment', arguments: { order_id: 'A-17' } },
    ]);
    expect(text).toContain('Parcel for A-17: in Bergen');
  });

  it('asks for what is missing rather than inventing it', async () => {
    const { calls, text } = await ask([WEATHER], 'What is the weather?');
    expect(calls).toEqual([]);
    expect(text).toContain('I need `city` (City name)');
  });

  it('declines when no tool fits, and says what it is', async () => {
    const { calls, text } = await ask([WEATHER, FLIGHTS], 'Tell me a joke');
    expect(calls).toEqual([]);
    expect(text).toMatch(/None of my tools \(current_weather, find_flights\) fits[^]*offline model/);
  });

  it('says that it has no tools when it has none', async () => {
    expect((await ask([], 'Hello?')).text).toContain('I have no tools here.');
  });

  it('calls a tool that failed only once, and says so', async () => {
    const failing = {
      ...WEATHER,
      execute: () => {
        throw new Error('station is down');
      },
    };
    const { calls, text } = await ask([failing], 'Do I need a coat in Oslo?');
    expect(calls).toHaveLength(1);
    expect(text).toContain('current_weather did not succeed: Error: station is down');
  });

  it('calls nothing when it must not', async () => {
    expect((await ask([WEATHER], 'Do I need a coat in Oslo?', 'none')).calls).toEqual([]);
  });

  it('fills a forced tool, which is how an agent asks for its output', async () => {
    const output: WorldTool = {
      name: 'final_output',
      description: 'The answer.',
      parameters: object(
        {
          summary: { type: 'string' },
          sure: { type: 'boolean' },
          degrees: { type: 'number' },
          unit: { enum: ['celsius', 'kelvin'] },
          tags: { type: 'array', items: { type: 'string' } },
          more: { type: 'object' },
        },
        ['summary', 'sure', 'degrees', 'unit', 'tags', 'more'],
      ),
      execute: () => 'ok',
    };
    const { calls } = await ask([output], 'Is it 17 degrees?', { tool: 'final_output' });
    expect(calls[0]?.arguments).toEqual({
      summary: 'Is it 17 degrees?',
      sure: false,
      degrees: 17,
      unit: 'celsius',
      tags: expect.any(Array),
      more: {},
    });
  });

  it('says the same each time', async () => {
    const once = await ask([ORDERS, WEATHER, FLIGHTS], 'What did customer Lovelace order?');
    expect(await ask([ORDERS, WEATHER, FLIGHTS], 'What did customer Lovelace order?')).toEqual(once);
  });

  it('stops at once when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const stream = offlineModel().stream({ messages: [], tools: [], toolChoice: 'auto', parallelToolCalls: false, settings: {}, signal });
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow('enough');
  });
});

describe('the offline model meets hostile input', () => {
  const hostile: readonly (readonly [string, unknown])[] = [
    ['no schema', {}],
    ['parameters that are no objects', { type: 'object', properties: { a: true, b: null, c: [], d: 'x' }, required: ['a'] }],
    ['a reference to itself', { type: 'object', properties: { a: { $ref: '#/properties/a' } }, required: ['a'] }],
    ['a reference to nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/none/__proto__' } }, required: ['a'] }],
    [
      'names of the prototype',
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["__proto__","constructor"]}',
      ),
    ],
    ['required that is no list', { type: 'object', properties: { city: { type: 'string' } }, required: 'city' }],
  ];
  it.each(hostile)('%s', async (_title, parameters) => {
    const { text } = await ask([{ ...WEATHER, parameters: parameters as Record<string, unknown> }], 'Do I need a coat in "Oslo", Norway?');
    expect(typeof text).toBe('string');
    expect(({} as Record<string, unknown>)['city']).toBeUndefined();
  });

  it('comes to an end with a huge question and a huge result', async () => {
    const started = process.cpuUsage();
    const big = { ...WEATHER, execute: () => `${'a/'.repeat(200_000)}\n${'coat '.repeat(200_000)}\n${'{"a":'.repeat(50_000)}` };
    await ask([big], `Coat in Oslo? ${'"'.repeat(50_000)} ${'a.'.repeat(50_000)} ${'in '.repeat(50_000)}`);
    await ask([{ ...big, execute: () => '['.repeat(200_000) }], 'Do I need a coat in Oslo?');
    const { user } = process.cpuUsage(started);
    expect(user / 1000).toBeLessThan(5_000);
  });

  it('shows a thousand tools without delay', async () => {
    const tools = Array.from({ length: 1_000 }, (_, at) => ({ ...FLIGHTS, name: `tool_${at}`, description: `Does thing ${at}.` }));
    const { calls } = await ask([...tools, WEATHER], 'Do I need a coat in Oslo?');
    expect(calls[0]?.name).toBe('current_weather');
  });
});
