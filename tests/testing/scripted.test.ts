import type { ModelChunk, ModelRequest } from '../../src/models/model';
import type { Message } from '../../src/types/message';
import {
  answer,
  assertScriptsFinished,
  callTool,
  callTools,
  consume,
  cutStream,
  expectRequest,
  fail,
  finish,
  refuse,
  say,
  scripted,
  stall,
  think,
  watchScripts,
} from '../../src/testing';

// These scripts are broken on purpose: nobody watches them but the tests themselves.
beforeEach(assertScriptsFinished);

const user = (text: string): Message => ({ v: 1, role: 'user', parts: [{ type: 'text', text }] });

function request(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [user('Coat in Oslo?')],
    tools: [{ name: 'weather', description: 'Weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }],
    toolChoice: 'auto',
    parallelToolCalls: false,
    settings: {},
    signal: new AbortController().signal,
    ...over,
  };
}

async function collect(stream: AsyncIterable<ModelChunk>): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const textOf = (chunks: readonly ModelChunk[]): string => chunks.map((chunk) => (chunk.type === 'text' ? chunk.text : '')).join('');
const argumentsOf = (chunks: readonly ModelChunk[], index = 0): string =>
  chunks.map((chunk) => (chunk.type === 'call' && chunk.index === index ? (chunk.arguments ?? '') : '')).join('');

describe('a scripted model', () => {
  it('gives its steps one after the other, each with usage and an end', async () => {
    const model = scripted([callTool('weather', { city: 'Oslo' }), say('Yes.')]);
    const first = await collect(model.stream(request()));
    expect(first[0]).toEqual({ type: 'call', index: 0, id: 'call_1', name: 'weather' });
    expect(JSON.parse(argumentsOf(first))).toEqual({ city: 'Oslo' });
    expect(first.at(-1)).toEqual({ type: 'end', finish: 'tool_calls' });
    const second = await collect(model.stream(request()));
    expect(textOf(second)).toBe('Yes.');
    expect(second.slice(-2)).toEqual([
      { type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } },
      { type: 'end', finish: 'stop' },
    ]);
    expect(model.remaining).toBe(0);
  });

  it('streams in fragments of the size asked for, and never splits a surrogate pair', async () => {
    const text = 'a😀b😀😀c';
    const chunks = await collect(scripted([say(text)], { chunkSize: 2 }).stream(request()));
    const fragments = chunks.flatMap((chunk) => (chunk.type === 'text' ? [chunk.text] : []));
    expect(fragments.join('')).toBe(text);
    expect(fragments.length).toBeGreaterThan(2);
    for (const fragment of fragments) expect(fragment).not.toMatch(/[\ud800-\udbff]$/);
    const whole = await collect(scripted([say(text)], { chunkSize: Infinity }).stream(request()));
    expect(whole.filter((chunk) => chunk.type === 'text')).toHaveLength(1);
  });

  it('refuses a chunk size that would never advance', () => {
    expect(() => scripted([], { chunkSize: 0 })).toThrow(/chunkSize/);
    expect(() => scripted([], { chunkSize: Number.NaN })).toThrow(/chunkSize/);
  });

  it('calls several tools in one answer, with ids of their own', async () => {
    const model = scripted([callTools([['weather', { city: 'Oslo' }], callTool('weather', { city: 'Bergen' }, { id: 'mine' })])]);
    const chunks = await collect(model.stream(request()));
    expect(chunks.filter((chunk) => chunk.type === 'call' && chunk.name !== undefined)).toEqual([
      { type: 'call', index: 0, id: 'call_1', name: 'weather' },
      { type: 'call', index: 1, id: 'mine', name: 'weather' },
    ]);
    expect(argumentsOf(chunks, 1)).toBe('{"city":"Bergen"}');
  });

  it('sends broken arguments as they are written', async () => {
    expect(argumentsOf(await collect(scripted([callTool('weather', '{"city": "Os')]).stream(request())))).toBe('{"city": "Os');
  });

  it('thinks, refuses, cuts by length, and says what it consumed', async () => {
    const model = scripted([think('Hm.', say('Well.')), refuse('No.'), [say('Once'), finish('length'), consume({ inputTokens: 3 })]]);
    const thought = await collect(model.stream(request()));
    expect(thought[0]).toEqual({ type: 'reasoning', text: 'Hm.' });
    expect(textOf(thought)).toBe('Well.');
    expect((await collect(model.stream(request())))[0]).toEqual({ type: 'refusal', text: 'No.' });
    expect((await collect(model.stream(request()))).slice(-2)).toEqual([
      { type: 'usage', usage: { inputTokens: 3 } },
      { type: 'end', finish: 'length' },
    ]);
  });

  it('fails in mid-stream with the error given', async () => {
    const chunks: ModelChunk[] = [];
    const reading = (async () => {
      for await (const chunk of scripted([[say('half'), fail('connection reset')]]).stream(request())) chunks.push(chunk);
    })();
    await expect(reading).rejects.toThrow('connection reset');
    expect(textOf(chunks)).toBe('half');
  });

  it('stops without an end when its stream is cut', async () => {
    const chunks = await collect(scripted([[say('half'), cutStream()]]).stream(request()));
    expect(textOf(chunks)).toBe('half');
    expect(chunks.some((chunk) => chunk.type === 'end')).toBe(false);
  });

  it('stalls until it is aborted, then throws the reason', async () => {
    const controller = new AbortController();
    const reading = collect(scripted([stall()]).stream(request({ signal: controller.signal })));
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });

  it('asks a function with the request, also an asynchronous one', async () => {
    const model = scripted([(asked) => `There are ${asked.tools.length} tools.`, async () => say('later')]);
    expect(textOf(await collect(model.stream(request())))).toBe('There are 1 tools.');
    expect(textOf(await collect(model.stream(request())))).toBe('later');
  });

  it('answers with output as text where a schema is asked for, and by the forced tool elsewhere', async () => {
    const model = scripted([answer({ a: 1 }), answer({ a: 1 })]);
    const native = await collect(model.stream(request({ output: { name: 'out', schema: {} } })));
    expect(textOf(native)).toBe('{"a":1}');
    const forced = await collect(model.stream(request({ toolChoice: { tool: 'final' } })));
    expect(forced[0]).toMatchObject({ type: 'call', name: 'final' });
    expect(argumentsOf(forced)).toBe('{"a":1}');
    const text = scripted([answer('short')], { chunkSize: Infinity });
    expect(textOf(await collect(text.stream(request({ output: { name: 'out', schema: {} } }))))).toBe('{"answer":"short"}');
  });

  it('keeps each request as it was asked, though the transcript grows on', async () => {
    const messages: Message[] = [user('one')];
    const model = scripted([say('a'), say('b')]);
    await collect(model.stream(request({ messages })));
    messages.push(user('two'));
    await collect(model.stream(request({ messages })));
    expect(model.requests.map((asked) => asked.messages.length)).toEqual([1, 2]);
  });

  it('keeps its own steps, whatever happens to the array it was given', async () => {
    const steps = [say('a')];
    const model = scripted(steps);
    steps.push(say('b'));
    expect(model.remaining).toBe(1);
  });
});

describe('a script that does not fit the run', () => {
  it('runs out loudly, with the transcript', async () => {
    const model = scripted([]);
    await expect(collect(model.stream(request()))).rejects.toThrow(/ran out[^]*user: Coat in Oslo\?/);
    expect(() => model.assertFinished()).toThrow(/ran out/);
  });

  it('complains of steps that are left, unless it may have some', async () => {
    const model = scripted([say('a'), callTool('weather', { city: 'Oslo' })]);
    await collect(model.stream(request()));
    expect(() => model.assertFinished()).toThrow(/1 of 2 steps left[^]*weather/);
    expect(() => scripted([say('a')], { strict: false }).assertFinished()).not.toThrow();
  });

  it('remembers what a step threw, though the code under test swallows it', async () => {
    const model = scripted([
      () => {
        throw new Error('not as I thought');
      },
    ]);
    await collect(model.stream(request())).catch(() => undefined);
    expect(() => model.assertFinished()).toThrow('not as I thought');
  });

  it('says what of the request is not as expected', async () => {
    const model = scripted([
      [
        expectRequest({
          tools: ['forecast'],
          user: /umbrella/,
          system: 'kind',
          messages: 4,
          toolChoice: 'none',
          results: ['x'],
          schemas: { weather: { properties: { town: {} } } },
          output: { type: 'object' },
        }),
        say('a'),
      ],
    ]);
    const failure = await collect(model.stream(request())).catch((error: Error) => error.message);
    for (const line of [
      /tools: expected \[forecast\]/,
      /user:/,
      /system:/,
      /messages: expected 4, got 1/,
      /toolChoice:/,
      /results:/,
      /schema of weather/,
      /output:/,
    ])
      expect(failure).toMatch(line);
  });

  it('passes a request that is as expected', async () => {
    const model = scripted([
      [
        expectRequest({
          tools: ['weather'],
          user: 'Oslo',
          messages: 1,
          toolChoice: 'auto',
          schemas: { weather: { properties: { city: { type: 'string' } } } },
        }),
        say('a'),
      ],
    ]);
    await collect(model.stream(request()));
    model.assertFinished();
  });

  it('is found by the check after a test, when it was made in that test', async () => {
    scripted([say('made outside of any test')]);
    watchScripts();
    expect(() => assertScriptsFinished()).not.toThrow();
    watchScripts();
    scripted([say('left')]);
    expect(() => assertScriptsFinished()).toThrow(/1 of 1 steps left/);
    expect(() => assertScriptsFinished()).not.toThrow();
  });
});
