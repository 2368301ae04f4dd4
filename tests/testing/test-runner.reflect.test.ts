import 'reflect-metadata';
import 'toolwright/testing/jest';
import { IsISBN } from 'class-validator';
import { Service } from 'typedi';
import { Agent, AgentConfig, Args, Field, Integer, Param, Tool, ToolContext, ToolFailure, ToolResult, type RunResult } from 'toolwright';
import {
  answer,
  callTool,
  callTools,
  createTestRunner,
  errorTool,
  everyToolSurvives,
  failingTool,
  functionModel,
  generatedModel,
  judge,
  mockTool,
  recordEvents,
  say,
  scripted,
  slowTool,
  spyTool,
  testContext,
  testEnvironment,
} from 'toolwright/testing';

@Service()
class Forecasts {
  at(city: string): Promise<{ celsius: number }> {
    return Promise.reject(new Error(`No network for ${city}.`));
  }
}

@AgentConfig({ model: 'openai:gpt-5-mini', instructions: 'You answer questions about the weather.' })
class WeatherAgent extends Agent {
  constructor(private readonly forecasts: Forecasts) {
    super();
  }

  @Tool({ description: 'Current weather for a city.', annotations: { readOnly: true } })
  currentWeather(@Param('city', 'City name') city: string) {
    return this.forecasts.at(city);
  }

  @Tool('Sends a warning.')
  warn(@Param('text', { minLength: 1, maxLength: 20 }) text: string, context: ToolContext) {
    context.update(text);
    return ToolResult.success({ sent: text }, { effects: [{ warned: text }] });
  }
}

const coldOslo = () => scripted([callTool('current_weather', { city: 'Oslo' }), say('Yes, it is 2 °C.')]);

describe('createTestRunner', () => {
  it('runs an agent with a scripted model and a fake service', async () => {
    const runner = createTestRunner({
      model: coldOslo(),
      overrides: [{ provide: Forecasts, useValue: { at: async () => ({ celsius: 2 }) } }],
    });
    const result = await runner.run(WeatherAgent, 'Coat in Oslo?');
    expect(result).toHaveCalledTool('current_weather', { city: 'Oslo' });
    expect(result).toHaveStopReason('completed');
    expect(result).toHaveValidTranscript();
    expect(result.text).toBe('Yes, it is 2 °C.');
  });

  it('never mixes the fakes of concurrent runners, and leaves the real service alone', async () => {
    const ask = async (celsius: number): Promise<RunResult<string>> =>
      createTestRunner({ model: coldOslo(), overrides: [{ provide: Forecasts, useValue: { at: async () => ({ celsius }) } }] }).run(
        WeatherAgent,
        'Coat?',
      );
    const results = await Promise.all(Array.from({ length: 20 }, (_, celsius) => ask(celsius)));
    results.forEach((result, celsius) => expect(JSON.stringify(result.messages)).toContain(`\\"celsius\\":${celsius}`));
    const real = await createTestRunner({ model: coldOslo() }).run(WeatherAgent, 'Coat?');
    expect(real).toHaveOutcome('current_weather', 'error');
  });

  it('gives the same ids, times and events in every run', async () => {
    const once = async () => {
      const recorder = recordEvents();
      const runner = createTestRunner({
        model: coldOslo(),
        overrides: [{ provide: Forecasts, useValue: { at: async () => ({ celsius: 2 }) } }],
      });
      const { runId } = await runner.run(WeatherAgent, 'Coat?', { onEvent: recorder.onEvent });
      return { runId, events: recorder.events, stable: recorder.stable() };
    };
    const [first, second] = [await once(), await once()];
    expect(first).toEqual(second);
    expect(first.runId).toBe('run_1');
    expect(first.events[0]?.at).toBe(Date.UTC(2026, 0, 1));
    expect(first.stable.map((event) => (event as { type: string }).type)).toEqual([
      'run.start',
      'turn.start',
      'model.delta',
      'model.end',
      'tool.request',
      'tool.start',
      'tool.end',
      'turn.start',
      'model.delta',
      'model.end',
      'run.end',
    ]);
  });

  it('takes a clock, ids and chance of the test', async () => {
    const runner = createTestRunner({ model: coldOslo(), now: new Date(5), ids: (kind) => `my-${kind}`, random: 0 });
    const recorder = recordEvents();
    expect((await runner.run(WeatherAgent, 'Coat?', { onEvent: recorder.onEvent })).runId).toBe('my-run');
    expect(recorder.events[0]?.at).toBe(5);
  });

  it('refuses options that it does not know: a misspelt one would leave the real service in place', () => {
    const misspelt = { model: scripted([], { strict: false }), overides: [] };
    expect(() => createTestRunner(misspelt)).toThrow(/no option `overides`. Did you mean `overrides`/);
  });

  it.each([
    ['scripted', () => scripted([], { strickt: false } as object), /no option `strickt`/],
    ['functionModel', () => functionModel(() => 'x', { strict: false } as object), /no option `strict`/],
    ['generatedModel', () => generatedModel({ sed: 2 } as object), /no option `sed`. Did you mean `seed`/],
    ['mockTool', () => mockTool('x', 1, { paramters: {} } as object), /the double of x: there is no option `paramters`/],
    ['testEnvironment', () => testEnvironment({ time: 0 } as object), /no option `time`/],
  ])('so does %s', (_, make, text) => expect(make).toThrow(text));

  it('does not wait between retries', async () => {
    const weather = failingTool('current_weather', 'flaky');
    const result = await createTestRunner({ model: coldOslo(), tools: [weather] }).run(WeatherAgent, 'Coat?');
    // A read-only tool is tried again once.
    expect(weather.callCount).toBe(2);
    expect(result.toolCalls[0]?.attempts).toBe(2);
    // Only its own clock moved, and only by the pause.
    expect(result.toolCalls[0]?.durationMs).toBe(150);
  });
});

describe("tool doubles in the place of an agent's own tools", () => {
  it('answers, and remembers its calls', async () => {
    const weather = mockTool('current_weather', ({ city }: { city: string }) => `${city}: 2`);
    const result = await createTestRunner({ model: coldOslo(), tools: [weather] }).run(WeatherAgent, 'Coat?');
    expect(JSON.stringify(result.messages)).toContain('Oslo: 2');
    expect(weather.callCount).toBe(1);
    expect(weather.calls[0]?.arguments).toEqual({ city: 'Oslo' });
    expect(weather.calls[0]?.context.callId).toBe('call_1');
    weather.assertCalled({ city: 'Oslo' });
    expect(() => weather.assertCalled({ city: 'Bergen' })).toThrow(/not called with {"city":"Bergen"}[^]*{"city":"Oslo"}/);
    expect(() => weather.assertNotCalled()).toThrow(/to stay uncalled/);
    weather.clear();
    expect(weather.callCount).toBe(0);
    weather.assertNotCalled();
    expect(() => weather.assertCalled()).toThrow(/was never called/);
  });

  it('keeps the contract and the rules of the tool that it replaces', async () => {
    const model = scripted([callTool('warn', { text: '' }), say('Hm.')]);
    const warn = mockTool('warn', 'sent');
    const result = await createTestRunner({ model, tools: [warn] }).run(WeatherAgent, 'Warn them.');
    expect(result).toHaveOutcome('warn', 'invalid');
    warn.assertNotCalled();
    expect(model.requests[0]?.tools[0]?.description).toBe('Current weather for a city.');
  });

  it('watches the real one', async () => {
    const warn = spyTool('warn');
    const result = await createTestRunner({ model: scripted([callTool('warn', { text: 'ice' }), say('ok')]), tools: [warn] }).run(
      WeatherAgent,
      '?',
    );
    warn.assertCalled({ text: 'ice' });
    expect(result.toolCalls[0]?.effects).toEqual([{ warned: 'ice' }]);
  });

  it('fails, errs, and dawdles', async () => {
    const run = (tool: ReturnType<typeof mockTool>) =>
      createTestRunner({ model: scripted([callTool('warn', { text: 'ice' }), say('ok')]), tools: [tool] }).run(WeatherAgent, '?');
    expect(await run(failingTool('warn', new ToolFailure('no ink')))).toHaveOutcome('warn', 'error');
    expect(await run(errorTool('warn', { code: 'NO_INK' }))).toHaveOutcome('warn', 'error');
    expect(await run(slowTool('warn', 1, 'late'))).toHaveOutcome('warn', 'ok');
  });

  it('answers for a tool that is run elsewhere, where a spy waits as that one does', async () => {
    @AgentConfig({ instructions: 'You ask.' })
    class Asker extends Agent {
      @Tool({ description: 'Asks a person.', external: true })
      ask(): string {
        throw new Error('never entered');
      }
    }
    const asks = callTool('ask');
    const answered = await createTestRunner({ model: scripted([asks, say('Blue.')]), tools: [mockTool('ask', 'blue')] }).run(Asker, '?');
    expect(answered).toHaveOutcome('ask', 'ok');
    expect((await createTestRunner({ model: scripted([asks]), tools: [spyTool('ask')] }).run(Asker, '?')).stopReason).toBe('paused');
  });

  it('refuses a name that the agent has no tool of', async () => {
    const running = createTestRunner({ model: scripted([]), tools: [mockTool('curent_weather', 1)] }).run(WeatherAgent, '?');
    await expect(running).rejects.toThrow(/no tool `curent_weather`.*current_weather/);
  });

  it('is a tool of its own where an agent lists it', async () => {
    const clock = mockTool('clock', '12:00');
    @AgentConfig({ tools: [clock] })
    class ClockAgent extends Agent {}
    const result = await createTestRunner({ model: scripted([callTool('clock', { any: 1 }), say('Noon.')]) }).run(ClockAgent, '?');
    expect(result).toHaveOutcome('clock', 'ok');
    clock.assertCalled({ any: 1 });
  });
});

describe('matchers show what was called', () => {
  const run = async () =>
    createTestRunner({
      model: scripted([
        callTools([
          ['warn', { text: 'ice' }],
          ['current_weather', { city: 'Oslo' }],
        ]),
        say('ok'),
      ]),
      tools: [mockTool('current_weather', 1)],
    }).run(WeatherAgent, '?');

  it('compares calls in order', async () => {
    const result = await run();
    expect(result).toHaveCalledTools([['warn', { text: 'ice' }], 'current_weather']);
    expect(() => expect(result).toHaveCalledTools(['current_weather', 'warn'])).toThrow(
      /! 1\. current_weather\s+\| warn\({"text":"ice"}\)/,
    );
    expect(() => expect(result).toHaveCalledTools(['warn'])).toThrow(/! 2\. \(none\)\s+\| current_weather/);
    expect(() => expect(result).not.toHaveCalledTools(['warn', 'current_weather'])).toThrow(/not to find exactly these calls/);
  });

  it('each fails when it should', async () => {
    const result = await run();
    expect(() => expect(result).toHaveCalledTool('warn', { text: 'snow' })).toThrow(/Expected a call: warn\({"text":"snow"}\)[^]*ice/);
    expect(() => expect(result).toHaveCalledTool('paint')).toThrow(/Expected a call: paint/);
    expect(() => expect(result).not.toHaveCalledTool('warn')).toThrow(/not to find a call of warn/);
    expect(() => expect(result).toHaveStopReason('limit')).toThrow(/ended as completed/);
    expect(() => expect(result).toHaveOutcome('warn', 'denied')).toThrow(/Expected warn to end with denied[^]*-> ok/);
    expect(() => expect(result.messages.slice(0, 2)).toHaveValidTranscript()).toThrow(/has no result/);
    expect(() => expect([...result.messages].reverse()).toHaveValidTranscript()).toThrow(/without a call/);
  });

  it('pins the contract of an agent, and notices a change', () => {
    expect(WeatherAgent).toMatchContract();
    expect(() => expect(class Plain {}).toMatchContract()).toThrow(/no agent/);
  });
});

describe('models that need no script', () => {
  it('calls every tool once with valid arguments', async () => {
    const runner = createTestRunner({ model: generatedModel({ seed: 3 }), tools: [mockTool('current_weather', 2)] });
    const result = await runner.run(WeatherAgent, 'Anything.');
    expect(result.toolCalls.map((call) => [call.name, call.outcome])).toEqual([
      ['current_weather', 'ok'],
      ['warn', 'ok'],
    ]);
    expect(result).toHaveStopReason('completed');
  });

  it('answers with output, whether the model takes a schema or needs a tool', async () => {
    @AgentConfig({ output: String })
    class Poet extends Agent<string> {}
    for (const jsonSchema of [true, false]) {
      const model = scripted([answer('a rose')], { capabilities: { jsonSchema } });
      const result = await createTestRunner({ model }).run(Poet, '?');
      expect(result.output).toBe('a rose');
    }
  });
});

describe('everyToolSurvives', () => {
  const overrides = [{ provide: Forecasts, useValue: { at: async () => ({ celsius: 2 }) } }] as const;

  it('passes tools that hold', async () => {
    await everyToolSurvives(WeatherAgent, { overrides, rounds: 12 });
  });

  it('refuses options that it does not know', async () => {
    await expect(everyToolSurvives(WeatherAgent, { round: 50 } as object)).rejects.toThrow(/no option `round`. Did you mean `rounds`/);
  });

  it('names crashing and hanging tools, with the seed and the smallest arguments', async () => {
    class Fragile extends Agent {
      @Tool('Splits.')
      split(@Param('text') text: string, @Param('by', { optional: true }) by?: string) {
        if (by !== undefined) throw new TypeError('by is broken');
        return text;
      }

      @Tool('Waits for ever.')
      wait() {
        return new Promise(() => undefined);
      }

      @Tool('Refuses on purpose.')
      refuse(): never {
        throw new ToolFailure('not today');
      }
    }
    const failure = await everyToolSurvives(Fragile, { hangsAfter: 50, rounds: 6 }).catch((error: Error) => error.message);
    expect(failure).toMatch(/Fragile: 2 of 3 tools did not survive/);
    expect(failure).toMatch(/split, seed \d+: it crashes: TypeError: by is broken\n {4}with {"text":"","by":""}/);
    expect(failure).toMatch(/wait, seed 1: it hangs/);
  });

  it('says why arguments are refused that the schema allows, and shows none that it does not allow', async () => {
    class Loan {
      @Field({ type: String }) @IsISBN() isbn!: string;
      @Field({ type: Integer, minimum: 3 }) days!: number;
      @Field({ type: String, optional: true }) note?: string;
    }
    class Library extends Agent {
      @Tool('Lends.')
      lend(@Args(() => Loan) loan: Loan) {
        return loan.isbn;
      }
    }
    const failure = await everyToolSurvives(Library, { seed: 2 }).catch((error: Error) => error.message);
    const [, reason, shown] = /are refused: (.*)\n {4}with (.*)/.exec(String(failure))!;
    expect(reason).toMatch(/^isbn: .*isbn must be an ISBN/);
    expect(JSON.parse(shown!)).toEqual({ isbn: expect.any(String) as string, days: expect.any(Number) as number });
    expect((JSON.parse(shown!) as Loan).days).toBeGreaterThanOrEqual(3);
  });
});

describe('the small ones', () => {
  it('calls a method directly, with a context', () => {
    const context = testContext({ user: 'ada' }, { callId: 'c', state: { a: 1 } });
    const agent = new WeatherAgent(new Forecasts());
    agent.warn('ice', context);
    expect(context.updates).toEqual(['ice']);
    expect([context.deps.user, context.callId, context.state, context.attempt]).toEqual(['ada', 'c', { a: 1 }, 1]);
  });

  it('tells what was done from what is claimed', async () => {
    const run = async (calls: boolean, text: string) =>
      createTestRunner({ model: scripted(calls ? [callTool('warn', { text: 'ice' }), say(text)] : [say(text)]) }).run(WeatherAgent, '?');
    const how = { claims: /warned/, observed: { warned: 'ice' } };
    expect(judge(await run(true, 'I warned them.'), how)).toBe('true-success');
    expect(judge(await run(false, 'I warned them.'), how)).toBe('false-success');
    expect(judge(await run(false, 'I could not.'), how)).toBe('honest-failure');
    expect(judge(await run(true, 'Hello.'), how)).toBe('unclaimed-success');
  });
});
