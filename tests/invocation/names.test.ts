import { findTool, unknownToolText } from '../../src/invocation/call-name';
import { call, pass, scope, textOf, tool } from './scope';

const tools = (...names: string[]) => new Map(names.map((name) => [name, tool(name, () => name)]));
const found = (name: string, ...names: string[]) => findTool(name, tools(...names))?.definition.name;

describe('a name', () => {
  it.each([
    ['functions.get_weather'],
    ['functions:get_weather'],
    ['tools.get_weather'],
    ['default_api.get_weather'],
    ['"get_weather"'],
    ['`get_weather`'],
    [' get_weather\n'],
    ['get_weather<|channel|>commentary'],
    ['functions.get_weather<|constrain|>json'],
    ['Get_Weather'],
    ['get-weather'],
    ['get.weather'],
    ['getWeather'],
  ])('%j is repaired, since only one tool can be meant', (name) => {
    expect(found(name, 'get_weather', 'set_weather')).toBe('get_weather');
  });

  it('that is a tool’s own is never taken for another', () => {
    expect(found('get-weather', 'get_weather', 'get-weather')).toBe('get-weather');
    expect(found('functions', 'functions', 'x')).toBe('functions');
  });

  it('that could be two tools is no tool', () => {
    expect(found('GetWeather', 'get_weather', 'get-weather')).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', '', ' ', '<|x|>', '....', 'x'.repeat(1_000_000)])(
    '%.20j is unknown',
    (name) => {
      expect(found(name, 'get_weather')).toBeUndefined();
    },
  );

  it('that is unknown is answered with the nearest ones, goes through hooks, and spends nothing', async () => {
    const seen: unknown[] = [];
    const run = scope([tool('get_weather', () => 1), tool('get_water', () => 1), tool('send', () => 1)], {
      hooks: [{ afterTool: (view, record) => void seen.push([view.name, record.outcome]) }],
    });
    const result = await pass(call('get_weathr', { city: 'Oslo' }), run);
    expect(result).toMatchObject({ repair: false, executed: false, record: { outcome: 'unknown', name: 'get_weathr' } });
    expect(textOf(result)).toContain('get_weather');
    expect(textOf(result)).not.toContain('send');
    expect(seen).toEqual([['get_weathr', 'unknown']]);
    expect(run.story()).toEqual(['tool.request', 'tool.end unknown']);
  });

  it('that is unknown and like nothing is answered with what there is, in bounds', () => {
    const many = tools(...Array.from({ length: 1_000 }, (_, at) => `tool_number_${at}`));
    const text = unknownToolText('zzzzzzzzzzzz', many);
    expect(text).toContain('tool_number_0');
    expect(text.length).toBeLessThan(1_000);
    expect(unknownToolText('x'.repeat(1e6), new Map()).length).toBeLessThan(300);
  });

  it('that was repaired stands in the result as the tool’s own', async () => {
    const result = await pass(call('functions.get_weather'), scope([tool('get_weather', () => 'sun')]));
    expect(result.message).toMatchObject({ name: 'get_weather', outcome: 'ok' });
  });
});
