import 'reflect-metadata';
import { Container, Service } from 'typedi';
import { Agent } from '../../src/agent/agent';
import { AgentConfig } from '../../src/decorators/agent-config';
import { Ctx } from '../../src/decorators/ctx';
import { Tool } from '../../src/decorators/tool';
import { RunError } from '../../src/errors/run-error';
import { FatalToolError } from '../../src/errors/tool-error';
import { ModelNotConfiguredError, UsageError } from '../../src/errors/usage-error';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, fail, say, scripted } from '../../src/testing';
import { ToolContext } from '../../src/tools/tool-context';
import { isValidTranscript, LookupAgent } from './agents';

class Clock {
  now(): string {
    return 'noon';
  }
}
Service()(Clock);

@AgentConfig({})
class ClockAgent extends Agent<string, { user: string } | undefined> {
  constructor(private readonly clock: Clock) {
    super();
  }

  @Tool({ description: 'The time.', annotations: { readOnly: true } })
  time(@Ctx() context: ToolContext<{ user: string } | undefined>): string {
    return `${this.clock.now()} for ${context.deps?.user ?? 'nobody'}`;
  }

  @Tool('Ends everything.')
  end(): never {
    throw new FatalToolError('the disk is gone', { cause: new Error('EIO') });
  }
}
Reflect.defineMetadata('design:paramtypes', [Clock], ClockAgent);

const timeFrom = async (runner: AgentRunner, deps?: { user: string }): Promise<unknown> => {
  const model = scripted([callTool('time'), say('Done.')]);
  const result = await runner.run(ClockAgent, 'Time?', { model, deps });
  return result.toolCalls[0]?.content;
};
const text = (value: string) => [{ type: 'text', text: value }];

test('services come from the container, what belongs to one run from its deps', async () => {
  const runner = new AgentRunner({ container: Container });
  const [ada, bob] = await Promise.all([timeFrom(runner, { user: 'Ada' }), timeFrom(runner, { user: 'Bob' })]);
  expect([ada, bob]).toEqual([text('noon for Ada'), text('noon for Bob')]);
});

test('overrides hold in the runner that they were given to, in no other, and add up', async () => {
  const base = new AgentRunner();
  await timeFrom(base);
  const night = base.withOverrides([{ provide: Clock, useValue: { now: () => 'midnight' } }]);
  const dawn = night.withOverrides([{ provide: Clock, useValue: { now: () => 'dawn' } }]);
  expect(await timeFrom(night)).toEqual(text('midnight for nobody'));
  expect(await timeFrom(dawn)).toEqual(text('dawn for nobody'));
  expect(await timeFrom(base)).toEqual(text('noon for nobody'));
});

test('an instance of an agent runs as it is', async () => {
  const agent = new ClockAgent({ now: () => 'teatime' });
  const result = await new AgentRunner({ model: scripted([callTool('time'), say('Done.')]) }).run(agent, 'Time?');
  expect(result.toolCalls[0]!.content).toEqual(text('teatime for nobody'));
});

test("the model: the run's, then a test's, then the agent's, then the runner's", async () => {
  const named = (name: string) => scripted([say(name), say(name)], { strict: false });
  @AgentConfig({ model: named('agent') })
  class OwnModelAgent extends LookupAgent {}
  const runner = new AgentRunner({ model: named('runner') });
  const test = new AgentRunner({ model: named('runner'), modelOverride: named('test') });
  expect((await runner.run(LookupAgent, 'Go')).text).toBe('runner');
  expect((await runner.run(OwnModelAgent, 'Go')).text).toBe('agent');
  expect((await test.run(OwnModelAgent, 'Go')).text).toBe('test');
  expect((await test.run(OwnModelAgent, 'Go', { model: named('run') })).text).toBe('run');
  const error: unknown = await new AgentRunner().run(LookupAgent, 'Go').catch((thrown: unknown) => thrown);
  expect(ModelNotConfiguredError.is(error)).toBe(true);
});

test('a FatalToolError rejects with its cause, and every call has its result', async () => {
  const error: unknown = await new AgentRunner({ model: scripted([callTool('end')]) })
    .run(ClockAgent, 'Go')
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'FatalRunError', message: expect.stringContaining('the disk is gone') as string });
  expect((error as RunError).cause).toMatchObject({ name: 'FatalToolError', cause: { message: 'EIO' } });
  expect(isValidTranscript((error as RunError).partial!.messages)).toBe(true);
});

test.each<[string, () => unknown, string]>([
  [
    'throws',
    () => {
      throw new Error('no budget');
    },
    'no budget',
  ],
  ['gives null', () => null, 'not null'],
  ['gives a list', () => [], 'not a list'],
  ['appends a text', () => ({ append: 'more' }), '{ append: [...] } with messages'],
  ['appends what is no message', () => ({ append: [{ role: 'user', text: 'x' }] }), '[0]'],
])('a hook before the model that %s fails closed', async (_, beforeModel, says) => {
  const hooks = [{ beforeModel }] as never;
  const model = scripted([], { strict: false });
  const error: unknown = await new AgentRunner({ model }).run(LookupAgent, 'Go', { hooks }).catch((thrown: unknown) => thrown);
  expect(RunError.is(error)).toBe(true);
  expect(error).toMatchObject({ code: 'HOOK', message: expect.stringContaining(says) as string });
  expect(model.requests).toHaveLength(0);
});

test('hooks see the run from start to end, and its error', async () => {
  const seen: string[] = [];
  const hooks = [
    {
      onRunStart: () => void seen.push('start'),
      beforeModel: ({ turn }: { turn: number }) => void seen.push(`before ${turn}`),
      afterModel: ({ turn }: { turn: number }) => void seen.push(`after ${turn}`),
      onRunEnd: ({ result, error }: { result?: { stopReason: string }; error?: Error }) =>
        void seen.push(result?.stopReason ?? error!.name),
    },
  ];
  await new AgentRunner({ model: scripted([callTool('look_up', { word: 'a' }), say('Done.')]) }).run(LookupAgent, 'Go', { hooks });
  await new AgentRunner({ model: scripted([fail('Down.')]) }).run(LookupAgent, 'Go', { hooks }).catch(() => undefined);
  expect(seen).toEqual(['start', 'before 1', 'after 1', 'before 2', 'after 2', 'completed', 'start', 'before 1', 'ModelError']);
});

test('an option that does not exist is named with the nearest one', () => {
  expect(() => new AgentRunner({ contaner: {} } as never)).toThrow(/`contaner`.*`container`/);
  expect(() => new AgentRunner({ approve: 'yes' } as never)).toThrow(/`approve` must be a function/);
  expect(() => new AgentRunner(null as never)).toThrow(UsageError);
});

test('a closed runner starts no run', async () => {
  const runner = new AgentRunner({ model: scripted([], { strict: false }) });
  await runner.close();
  await runner.close();
  await expect(runner.run(LookupAgent, 'Go')).rejects.toThrow(/was closed/);
});

test('what is no agent is refused by name', async () => {
  class Stranger {}
  const runner = new AgentRunner({ model: scripted([], { strict: false }) });
  for (const ref of [Stranger, undefined, null, 'Agent', {}, () => 1])
    await expect(runner.run(ref as never, 'Go')).rejects.toThrow(/is no agent/);
});

test('a thousand runs side by side share nothing', async () => {
  const runner = new AgentRunner();
  const one = async (at: number): Promise<string> => {
    const model = scripted([callTool('look_up', { word: 'x'.repeat(at % 50) }), say(`Done ${at}.`)]);
    const result = await runner.run(LookupAgent, `Go ${at}`, { model, state: { at } });
    expect(result.messages).toHaveLength(4);
    expect(result.state).toEqual({ at });
    return result.text;
  };
  const texts = await Promise.all(Array.from({ length: 1_000 }, (_, at) => one(at)));
  expect(texts).toEqual(Array.from({ length: 1_000 }, (_, at) => `Done ${at}.`));
});
