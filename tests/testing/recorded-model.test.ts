import 'reflect-metadata';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, AgentConfig, AgentRunner, ModelError, Param, Tool, type Model } from 'toolwright';
import { callTool, functionModel, recordedModel, RecordingError, say, scripted } from 'toolwright/testing';

let folder: string;
let file: string;
const ci = process.env['CI'];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  file = join(folder, 'deep', 'weather.json');
  delete process.env['CI'];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => {
  if (ci !== undefined) process.env['CI'] = ci;
});

@AgentConfig({ instructions: 'You answer questions about the weather.' })
class WeatherAgent extends Agent {
  @Tool({ description: 'Current weather for a city.', annotations: { readOnly: true } })
  currentWeather(@Param('city', 'City name') city: string): { celsius: number; city: string } {
    return { celsius: 2, city };
  }
}

const weather = (): Model => scripted([callTool('current_weather', { city: 'Oslo' }), say('Cold, take a coat.')]);
const never = (): Model => functionModel(() => say('This is not asked.'));
const runWith = (model: Model, question = 'Coat in Oslo?') => new AgentRunner({ model }).run(WeatherAgent, question);

test('what a model said once is said again, without the model', async () => {
  const first = await runWith(recordedModel(file, weather()));
  const again = await runWith(recordedModel(file));
  expect(again.text).toBe('Cold, take a coat.');
  expect(again.toolCalls).toMatchObject([{ name: 'current_weather', arguments: { city: 'Oslo' }, outcome: 'ok' }]);
  expect(again.usage).toEqual(first.usage);
});

test('the file is written in one step, and nothing is left beside it', async () => {
  await runWith(recordedModel(file, weather()));
  expect(readdirSync(join(folder, 'deep'))).toEqual(['weather.json']);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ v: 1, model: 'scripted:', exchanges: [{}, {}] });
});

test('ids that a run makes up do not matter', async () => {
  const withoutIds = (): Model =>
    functionModel(({ messages }) => (messages.at(-1)!.role === 'tool' ? say('Cold.') : callTool('current_weather', { city: 'Oslo' })));
  await runWith(recordedModel(file, withoutIds()));
  for (let at = 0; at < 3; at += 1) expect((await runWith(recordedModel(file))).text).toBe('Cold.');
});

test('a request without a recording shows how it differs from the nearest', async () => {
  await runWith(recordedModel(file, weather()));
  const failing = runWith(recordedModel(file), 'Umbrella in Rome?');
  await expect(failing).rejects.toThrow(RecordingError);
  await expect(failing).rejects.toThrow(/-.*Coat in Oslo\?[\s\S]*\+.*Umbrella in Rome\?/);
  await expect(failing).rejects.toMatchObject({ retryable: false, advice: expect.stringContaining('Record it') as string });
});

test('under CI nothing is recorded', async () => {
  await runWith(recordedModel(file, weather()));
  process.env['CI'] = 'true';
  const before = readFileSync(file, 'utf8');
  await expect(runWith(recordedModel(file, never()), 'Umbrella?')).rejects.toThrow(RecordingError);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(() => recordedModel(join(folder, 'none.json'), never())).toThrow(/no file/);
});

test('what is not recorded yet is added, and what is stays', async () => {
  await runWith(recordedModel(file, weather()));
  const asked: string[] = [];
  const more = functionModel(() => {
    asked.push('x');
    return say('Yes.');
  });
  const model = recordedModel(file, more);
  expect((await runWith(model)).text).toBe('Cold, take a coat.');
  expect(asked).toEqual([]);
  expect((await runWith(model, 'Umbrella?')).text).toBe('Yes.');
  expect(asked).toEqual(['x']);
  expect((await runWith(recordedModel(file), 'Umbrella?')).text).toBe('Yes.');
});

test('equal requests get their answers in order, and one too many is told of', async () => {
  const counting = functionModel(() => say(`Answer ${(count += 1)}.`));
  let count = 0;
  const recorder = recordedModel(file, counting);
  await runWith(recorder, 'Roll.');
  await runWith(recorder, 'Roll.');
  const replay = recordedModel(file);
  expect([(await runWith(replay, 'Roll.')).text, (await runWith(replay, 'Roll.')).text]).toEqual(['Answer 1.', 'Answer 2.']);
  await expect(runWith(replay, 'Roll.')).rejects.toThrow(/2 recordings/);
});

test('`record` replaces what was there', async () => {
  await runWith(recordedModel(file, weather()));
  await runWith(
    recordedModel(
      file,
      functionModel(() => say('New.')),
      { mode: 'record' },
    ),
  );
  expect((JSON.parse(readFileSync(file, 'utf8')) as { exchanges: unknown[] }).exchanges).toHaveLength(1);
});

test('keys do not get into the file, in requests or in answers cut anywhere', async () => {
  const key = 'sk-proj-abcdefghijklmnopqrstuvwx';
  const telling = functionModel(() => say(`Your key is ${key}.`), { chunkSize: 3 });
  const result = await runWith(recordedModel(file, telling), `My key is ${key}.`);
  expect(result.text).toContain(key);
  expect(readFileSync(file, 'utf8')).not.toContain('abcdefghijklmnop');
  expect((await runWith(recordedModel(file), `My key is ${key}.`)).text).toBe('Your key is [redacted].');
});

test('texts that change from day to day can be made equal', async () => {
  const normalise = (text: string): string => text.replace(/\d{4}-\d\d-\d\d/g, '<day>');
  await runWith(
    recordedModel(
      file,
      functionModel(() => say('Cold.')),
      { normalise },
    ),
    'Today is 2026-01-01.',
  );
  expect((await runWith(recordedModel(file, undefined, { normalise }), 'Today is 2026-02-02.')).text).toBe('Cold.');
});

test('a request that failed is not recorded', async () => {
  const failing: Model = {
    ...functionModel(() => say('')),
    async *stream() {
      throw new ModelError('down', { status: 503 });
    },
  };
  await expect(runWith(recordedModel(file, failing))).rejects.toThrow(/down/);
  expect(() => recordedModel(file)).toThrow(/no file/);
});

test.each([
  ['no JSON', '{'],
  ['another version', '{"v":2,"model":"m","capabilities":{},"exchanges":[]}'],
  ['no exchanges', '{"v":1,"model":"m","capabilities":{}}'],
  ['an answer without its end', '{"v":1,"model":"m","capabilities":{},"exchanges":[{"request":{},"chunks":[{"type":"text","text":"x"}]}]}'],
  ['chunks that are none', '{"v":1,"model":"m","capabilities":{},"exchanges":[{"request":{},"chunks":[null]}]}'],
])('a file with %s is refused', (_title, content) => {
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, content);
  expect(() => recordedModel(broken)).toThrow(/holds no recordings/);
});

test('options that do not exist are refused', () => {
  expect(() => recordedModel(file, never(), { mod: 'auto' } as never)).toThrow(/no option `mod`/);
  expect(() => recordedModel(file, never(), { mode: 'always' } as never)).toThrow(/"always"/);
  expect(() => recordedModel(file, undefined, { mode: 'record' })).toThrow(/no model to record/);
});
