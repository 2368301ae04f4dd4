import 'reflect-metadata';
import { Agent } from '../../src/agent/agent';
import { AgentConfig } from '../../src/decorators/agent-config';
import { Tool } from '../../src/decorators/tool';
import { ModelError } from '../../src/errors/run-error';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, consume, cutStream, fail, say, scripted } from '../../src/testing';
import { eventsOf, fresh, isValidTranscript, LookupAgent } from '../runner/agents';

beforeEach(fresh);
const word = (text: string, id?: string) => callTool('look_up', { word: text }, id === undefined ? {} : { id });

test('E01: a stream asks for approval exactly as a run does', async () => {
  @AgentConfig({})
  class GuardedAgent extends Agent {
    entered = 0;
    @Tool({ description: 'Deletes all.', requiresApproval: true })
    deleteAll(): string {
      this.entered++;
      return 'gone';
    }
  }
  const outcomes: unknown[] = [];
  for (const mode of ['run', 'stream'] as const) {
    const agent = new GuardedAgent();
    const runner = new AgentRunner({ model: scripted([callTool('delete_all'), say('Not done.')]) });
    const result = mode === 'run' ? await runner.run(agent, 'Go') : await runner.stream(agent, 'Go').result;
    outcomes.push([agent.entered, result.toolCalls.map(({ outcome, reason }) => [outcome, reason])]);
  }
  expect(outcomes).toEqual([
    [0, [['denied', 'approval_unavailable']]],
    [0, [['denied', 'approval_unavailable']]],
  ]);
});

test('E03: an id that is used in two turns is renamed', async () => {
  const model = scripted([word('a', 'call_1'), word('b', 'call_1'), say('Done.')]);
  const { messages, toolCalls } = await new AgentRunner({ model }).run(LookupAgent, 'Go');
  expect(toolCalls[0]!.id).toBe('call_1');
  expect(toolCalls[1]!.id).not.toBe('call_1');
  expect(isValidTranscript(messages)).toBe(true);
});

test('E05: a callback that throws leaves the run alone', async () => {
  const onEvent = (): never => {
    throw new Error('broken callback');
  };
  const hooks = [{ afterModel: onEvent, onRunEnd: onEvent }];
  const result = await new AgentRunner({ model: scripted([say('Hi')]) }).run(LookupAgent, 'Go', { onEvent, hooks });
  expect(result).toMatchObject({ stopReason: 'completed', text: 'Hi' });
  expect(result.warnings).toEqual(expect.arrayContaining([expect.stringContaining('afterModel'), expect.stringContaining('onRunEnd')]));
});

test('E06: a stream that ends without a finish is an error that may be repeated', async () => {
  await expect(new AgentRunner({ model: scripted([[say('Hel'), cutStream()]]) }).run(LookupAgent, 'Go')).rejects.toMatchObject({
    retryable: true,
  });
});

test('E07: a failure in mid-stream keeps the earlier turns, and a next run goes on from them', async () => {
  const model = scripted([word('a'), word('b'), [say('So'), fail(new ModelError('reset', { retryable: true }))]]);
  const error: unknown = await new AgentRunner({ model }).run(LookupAgent, 'Go').catch((thrown: unknown) => thrown);
  const { partial } = error as ModelError;
  expect(partial!.toolCalls).toHaveLength(2);
  const next = scripted([say('So be it.')]);
  const result = await new AgentRunner({ model: next }).run(LookupAgent, [], { continueFrom: partial! });
  expect(result).toMatchObject({ text: 'So be it.', usage: { requests: 1, toolCalls: 0 } });
});

test('E08, E09: all promises of a failed stream settle', async () => {
  const run = new AgentRunner({ model: scripted([[say('Hel'), fail('down')]]) }).stream(LookupAgent, 'Go');
  await expect(eventsOf(run)).rejects.toThrow('down');
  await expect(run.result).rejects.toThrow('down');
});

test('E11: each event comes once', async () => {
  const heard: number[] = [];
  const run = new AgentRunner({ model: scripted([word('a'), say('Done.')]) }).stream(LookupAgent, 'Go', {
    onEvent: (event) => heard.push(event.seq),
  });
  const read = (await eventsOf(run)).map((event) => event.seq);
  expect(heard).toEqual(read);
  expect(new Set(read).size).toBe(read.length);
});

test('E14: requests are counted also where no usage comes', async () => {
  const model = scripted([
    [word('a'), consume({})],
    [say('Done.'), consume({})],
  ]);
  const { usage } = await new AgentRunner({ model }).run(LookupAgent, 'Go');
  expect(usage).toMatchObject({ requests: 2, inputTokens: 0, outputTokens: 0 });
});
