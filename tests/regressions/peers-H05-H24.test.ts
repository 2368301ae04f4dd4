import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, decide, Param, Tool, type PausedRun, type RunOptions } from 'toolwright';
import { callTool, callTools, finish, say, scripted, think } from 'toolwright/testing';

/*
 * Public faults around approvals and resuming, each as a promise: a question is asked once, of arguments that fit; finished siblings are not
 * run again; answers do not get swapped; everything comes back from the text alone.
 */

const counts = { asked: 0, done: [] as string[] };
beforeEach(() => {
  counts.asked = 0;
  counts.done = [];
});

@AgentConfig({ name: 'guarded', parallelToolCalls: true })
class Guarded extends Agent {
  @Tool({
    description: 'Acts.',
    requiresApproval: ({ what }: { what: string }) => {
      counts.asked++;
      if (what === 'throw') throw new Error('cannot tell');
      return what !== 'free';
    },
  })
  act(@Param('what', { type: String }) what: string): string {
    counts.done.push(what);
    return `did ${what}`;
  }
}

const later = { approve: () => 'defer' as const };

async function paused(steps: Parameters<typeof scripted>[0], options: RunOptions = later): Promise<PausedRun> {
  const result = await new AgentRunner({ model: scripted(steps) }).run(Guarded, 'Go', options);
  if (result.stopReason !== 'paused') throw new Error(result.stopReason);
  return result;
}
const act = (what: unknown) => callTool('act', { what });

test('H05 whether a call needs approval is asked once, not again when it was given', async () => {
  const stopped = await paused([act('a')]);
  expect(counts.asked).toBe(1);
  const model = scripted([say('Done.')]);
  await new AgentRunner({ model }).resume(Guarded, stopped.snapshot, { decisions: [decide(stopped.pending[0]!, 'approve')] });
  expect(counts).toEqual({ asked: 1, done: ['a'] });
});

test('H06 arguments that do not fit are told to the model before anybody is asked; a predicate that throws means yes', async () => {
  const stopped = await paused([act(undefined), act('throw')]);
  expect(counts.asked).toBe(1);
  expect(stopped.pending).toHaveLength(1);
  expect(stopped.toolCalls.map(({ outcome }) => outcome)).toEqual(['invalid']);
});

test('H07 an approval of one call does not approve another call with its id', async () => {
  const one = await paused([callTool('act', { what: 'a' }, { id: 'same' })]);
  const two = await paused([callTool('act', { what: 'b' }, { id: 'same' })]);
  const runner = new AgentRunner({ model: scripted([]) });
  await expect(runner.resume(Guarded, two.snapshot, { decisions: [decide(one.pending[0]!, 'approve')] })).rejects.toThrow(/digest/);
  expect(counts.done).toEqual([]);
});

test('H11, H12 finished siblings run once, and answers given in reverse reach their own calls', async () => {
  const stopped = await paused([callTools([act('a'), act('free'), act('b')])]);
  expect(counts.done).toEqual(['free']);
  const [a, b] = stopped.pending;
  const result = await new AgentRunner({ model: scripted([say('Done.')]) }).resume(Guarded, stopped.snapshot, {
    decisions: [decide(b!, 'approve'), decide(a!, { deny: 'not a' })],
  });
  expect(counts.done).toEqual(['free', 'b']);
  expect(result.toolCalls.map(({ outcome, arguments: args }) => [outcome, args])).toEqual([
    ['denied', { what: 'a' }],
    ['ok', { what: 'free' }],
    ['ok', { what: 'b' }],
  ]);
});

test('H16 a big run comes back from its text alone', async () => {
  const big = 'x'.repeat(2_000_000);
  const stopped = await paused([act('a')], { ...later, state: { big } });
  const result = await new AgentRunner({ model: scripted([say('Done.')]) }).resume(Guarded, stopped.snapshot, {
    decisions: [decide(stopped.pending[0]!, 'approve')],
  });
  expect(result.state).toEqual({ big });
});

test('H21, T06 the result, the reasoning and all that the provider gave are in the history after a resume', async () => {
  const stopped = await paused([think('Let me see.', act('a'))]);
  const result = await new AgentRunner({ model: scripted([say('Done.')]) }).resume(Guarded, stopped.snapshot, {
    decisions: [decide(stopped.pending[0]!, 'approve')],
  });
  expect(result.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', reasoning: 'Let me see.', calls: [{ name: 'act' }] },
    { role: 'tool', outcome: 'ok', parts: [{ text: 'did a' }] },
    { role: 'assistant' },
  ]);
});

test('H22 a call that was approved does not ask again for ever', async () => {
  const stopped = await paused([act('a')]);
  const result = await new AgentRunner({ model: scripted([say('Done.')]) }).resume(Guarded, stopped.snapshot, {
    decisions: [decide(stopped.pending[0]!, 'approve')],
    ...later,
  });
  expect(result.stopReason).toBe('completed');
});

test('H24 a run that pauses while its events are read raises nothing that nobody handles', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const run = new AgentRunner({ model: scripted([act('a')]) }).stream(Guarded, 'Go', later);
  const types: string[] = [];
  for await (const event of run) types.push(event.type);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(types.at(-1)).toBe('run.end');
  expect((await run.result).stopReason).toBe('paused');
  expect(unhandled).not.toHaveBeenCalled();
});

test('T01 deps are not in the snapshot; the resume brings its own', async () => {
  const secret = { token: 'hush' };
  const stopped = await paused([act('a')], { ...later, deps: secret });
  expect(stopped.snapshot).not.toContain('hush');
});

test('T09 saved messages with empty parts are taken', async () => {
  const model = scripted([[say('Fine.'), finish('stop')]]);
  const result = await new AgentRunner({ model }).run(Guarded, 'Go', { messages: [{ v: 1, role: 'user', parts: [] }] });
  expect(result.text).toBe('Fine.');
});
