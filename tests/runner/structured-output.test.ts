import 'reflect-metadata';
import { z } from 'zod';
import { Agent } from '../../src/agent/agent';
import { AgentConfig } from '../../src/decorators/agent-config';
import { Field } from '../../src/decorators/field';
import { Param } from '../../src/decorators/param';
import { Tool } from '../../src/decorators/tool';
import { OutputError } from '../../src/errors/run-error';
import { ToolRetry } from '../../src/errors/tool-error';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, callTools, say, scripted } from '../../src/testing';
import { arrayOf } from '../../src/types/type-spec';
import { brief, isValidTranscript } from './agents';

class Forecast {
  @Field({ type: String, description: 'City name' })
  city!: string;

  @Field({ type: Number })
  celsius!: number;

  warm(): boolean {
    return this.celsius > 20;
  }
}

@AgentConfig({ output: Forecast })
class ForecastAgent extends Agent<Forecast> {
  @Tool({ description: 'Measures.', annotations: { readOnly: true } })
  measure(@Param('city', { type: String }) city: string): number {
    if (city === '?') throw new ToolRetry('Name a real city.');
    return 21;
  }
}

const native = { capabilities: { jsonSchema: true } };
const byTool = { capabilities: { jsonSchema: false } };
const oslo = { city: 'Oslo', celsius: 21 };
const final = (args: object | string = oslo) => callTool('final_answer', args);

test('a model with JSON schemas is given the schema, beside the tools, and the answer is an instance', async () => {
  const model = scripted([callTool('measure', { city: 'Oslo' }), say(JSON.stringify(oslo))], native);
  const result = await new AgentRunner({ model }).run(ForecastAgent, 'Oslo?');

  expect(result.stopReason).toBe('completed');
  if (result.stopReason !== 'completed') return;
  expect(result.output).toBeInstanceOf(Forecast);
  expect(result.output.warm()).toBe(true);
  const [request] = model.requests;
  expect(request!.output!.schema).toMatchObject({ type: 'object', required: ['city', 'celsius'] });
  expect(request!.tools.map((tool) => tool.name)).toEqual(['measure']);
});

test('any other model is given a tool for the answer, which is no tool call of the run', async () => {
  const model = scripted([callTool('measure', { city: 'Oslo' }), final()], byTool);
  const result = await new AgentRunner({ model }).run(ForecastAgent, 'Oslo?');

  expect(result).toMatchObject({ stopReason: 'completed', output: oslo, usage: { toolCalls: 1 } });
  expect(result.toolCalls.map((call) => call.name)).toEqual(['measure']);
  expect(model.requests[0]!.tools.map((tool) => tool.name)).toEqual(['measure', 'final_answer']);
  expect(isValidTranscript(result.messages)).toBe(true);
});

test('an invalid answer goes back to the model with all its faults; a valid one follows', async () => {
  const model = scripted([say('{"city":7}'), say('It is warm.'), say(JSON.stringify(oslo))], native);
  const result = await new AgentRunner({ model }).run(ForecastAgent, 'Oslo?');
  expect(result).toMatchObject({ stopReason: 'completed', output: oslo });
  expect(brief(model.requests[1]!.messages).at(-1)).toMatch(/user: Your final answer does not fit(.|\n)*city(.|\n)*celsius/);
  expect(brief(model.requests[2]!.messages).at(-1)).toContain(
    'the answer: expected JSON text that fits the schema, and nothing else, got "It is warm."',
  );

  const tool = scripted([final({ city: 'Oslo' }), final()], byTool);
  const second = await new AgentRunner({ model: tool }).run(ForecastAgent, 'Oslo?');
  expect(second).toMatchObject({ stopReason: 'completed', output: oslo });
  expect(brief(second.messages)[2]).toMatch(/tool invalid: (.|\n)*celsius/);
});

test.each([
  ['native', native, say('no')],
  ['tool', byTool, final('{"city":1}')],
  ['text where the tool was wanted', byTool, say('It is warm.')],
])('after two retries an invalid answer rejects, with a valid transcript (%s)', async (_, options, step) => {
  const model = scripted([step, step, step], options);
  const error: unknown = await new AgentRunner({ model }).run(ForecastAgent, 'Oslo?').catch((thrown: unknown) => thrown);
  expect(OutputError.is(error)).toBe(true);
  expect((error as OutputError).partial!.usage.requests).toBe(3);
  expect(isValidTranscript((error as OutputError).partial!.messages)).toBe(true);
});

test.each([
  ['natively', native, say(JSON.stringify(oslo))],
  ['by the tool', byTool, final()],
])('a valid answer that the run goes on from makes good what was wrong before it (%s)', async (_, options, valid) => {
  const model = scripted([say('Warm.'), say('Warm!'), valid, say('Still warm.'), say('Still!'), valid], options);
  const run = new AgentRunner({ model }).start(ForecastAgent, 'Oslo?');
  run.followUp('And tomorrow?');
  expect(await run.result).toMatchObject({ stopReason: 'completed', output: oslo });
});

test('a model that answers in text is forced to the tool', async () => {
  const model = scripted([say('It is warm.'), final()], byTool);
  await expect(new AgentRunner({ model }).run(ForecastAgent, 'Oslo?')).resolves.toMatchObject({ stopReason: 'completed', output: oslo });
  expect(model.requests[1]!.toolChoice).toEqual({ tool: 'final_answer' });
});

test('calls beside the answer run and are answered, and the first valid answer wins', async () => {
  const both = callTools([final({ city: 'Oslo' }), callTool('measure', { city: 'Oslo' }), final(), final({ city: 'Bergen', celsius: 1 })]);
  const result = await new AgentRunner({ model: scripted([both], byTool) }).run(ForecastAgent, 'Oslo?');

  expect(result).toMatchObject({ stopReason: 'completed', output: oslo });
  expect(
    brief(result.messages)
      .slice(2)
      .map((line) => line.split(':')[0]),
  ).toEqual(['tool invalid', 'tool ok', 'tool ok', 'tool denied']);
  expect(isValidTranscript(result.messages)).toBe(true);
});

test('an answer beside a call that must be corrected is not taken', async () => {
  const model = scripted(
    [callTools([final(), callTool('measure', { city: '?' })]), callTool('measure', { city: 'Oslo' }), final()],
    byTool,
  );
  const result = await new AgentRunner({ model }).run(ForecastAgent, 'Oslo?');
  expect(result).toMatchObject({ stopReason: 'completed', output: oslo, usage: { requests: 3 } });
  expect(brief(result.messages)[2]).toMatch(/tool invalid: Not taken/);
});

test('at a limit the answer tool is forced, and its value comes with the limit', async () => {
  const model = scripted([callTool('measure', { city: 'Oslo' }), final()], byTool);
  const result = await new AgentRunner({ model }).run(ForecastAgent, 'Oslo?', { limits: { maxTurns: 1 } });
  expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxTurns', output: oslo });
  expect(model.requests[1]!.toolChoice).toEqual({ tool: 'final_answer' });
});

test('a Markdown fence around the answer is taken off', async () => {
  const model = scripted([say('```json\n{"city":"Oslo","celsius":21}\n```')], native);
  await expect(new AgentRunner({ model }).run(ForecastAgent, 'Oslo?')).resolves.toMatchObject({ output: oslo });
});

test('types other than objects are asked for under a key, in both ways', async () => {
  @AgentConfig({ output: arrayOf(String) })
  class CitiesAgent extends Agent<string[]> {}

  const wrapped = scripted([say('{"answer":["Oslo"]}')], native);
  await expect(new AgentRunner({ model: wrapped }).run(CitiesAgent, 'Cities?')).resolves.toMatchObject({ output: ['Oslo'] });
  expect(wrapped.requests[0]!.output!.schema).toMatchObject({ type: 'object', required: ['answer'] });
  const bare = scripted([say('["Oslo"]')], native);
  await expect(new AgentRunner({ model: bare }).run(CitiesAgent, 'Cities?')).resolves.toMatchObject({ output: ['Oslo'] });
  const tool = scripted([final({ answer: ['Oslo'] })], byTool);
  await expect(new AgentRunner({ model: tool }).run(CitiesAgent, 'Cities?')).resolves.toMatchObject({ output: ['Oslo'] });
});

test("the answer's tool never takes the name of an agent's tool", async () => {
  @AgentConfig({ output: Forecast })
  class BusyAgent extends Agent<Forecast> {
    @Tool('Not the answer.')
    finalAnswer(): string {
      return 'mine';
    }
  }
  const model = scripted([callTool('final_answer'), callTool('final_answer_2', oslo)], byTool);
  const result = await new AgentRunner({ model }).run(BusyAgent, 'Oslo?');
  expect(result).toMatchObject({ output: oslo, toolCalls: [{ name: 'final_answer', outcome: 'ok' }] });
});

describe.each([
  ['natively', native, say('{"city":"Oslo"}')],
  ['by the tool', byTool, final({ city: 'Oslo' })],
])('an answer whose check is broken (%s)', (_, options, answered) => {
  test('is given back to the model; when it stays so, the run fails for its output', async () => {
    class Touchy {
      @Field({ type: String })
      city!: string;

      constructor() {
        if (broken-- > 0) throw new Error('no such city');
      }
    }
    let broken = 0;
    @AgentConfig({ output: Touchy })
    class TouchyAgent extends Agent<Touchy> {}

    broken = 2;
    const runner = new AgentRunner({
      model: scripted(
        Array.from({ length: 6 }, () => answered),
        options,
      ),
    });
    const result = await runner.run(TouchyAgent, 'Oslo?');
    expect(result).toMatchObject({ stopReason: 'completed', output: { city: 'Oslo' }, usage: { requests: 3 } });
    expect(result.warnings).toEqual(['The final answer could not be checked: no such city']);
    expect(isValidTranscript(result.messages)).toBe(true);

    broken = 3;
    await expect(runner.run(TouchyAgent, 'Oslo?')).rejects.toThrow(OutputError);
  });

  test('since it does not come to its end, keeps nobody waiting beyond the time of the run', async () => {
    const endless = z.object({ city: z.string().refine(() => new Promise<boolean>(() => undefined)) });
    @AgentConfig({ output: endless })
    class EndlessAgent extends Agent<{ city: string }> {}

    const runner = new AgentRunner({ model: scripted([answered, answered], { ...options, strict: false }) });
    const result = await runner.run(EndlessAgent, 'Oslo?', { limits: { maxDurationMs: 100 } });
    expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxDurationMs' });
  });
});
