import 'reflect-metadata';
import { AgentRunner, decide, type PausedRun, type RunEvent } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';
import { Effects, later, MailAgent } from '../resume/agents';

const mail = callTool('send_mail', { to: 'bo', text: 'Hi' }, { id: 'call_bo' });

async function paused(onEvent?: (event: RunEvent) => void): Promise<PausedRun> {
  const options = { deps: new Effects(), approve: later, ...(onEvent && { onEvent }) };
  const result = await new AgentRunner({ model: scripted([mail]) }).run(MailAgent, 'Go', options);
  if (result.stopReason !== 'paused') throw new Error(result.stopReason);
  return result;
}

test('D17 over pause and resume there is one question, one start of the call and one result', async () => {
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => void events.push(event);
  const stopped = await paused(onEvent);
  await new AgentRunner({ model: scripted([say('Done.')]) }).resume(MailAgent, stopped.snapshot, {
    deps: new Effects(),
    onEvent,
    decisions: [decide(stopped.pending[0]!, 'approve')],
  });
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect(events.filter((event) => event.type === 'tool.approval' && event.decision === undefined)).toHaveLength(1);
  expect([count('tool.request'), count('tool.start'), count('tool.end')]).toEqual([1, 1, 1]);
});

test.each([{ deny: 'Not before Monday.' }, 'approve'] as const)(
  'D19 %j ends the same with and without the way through JSON',
  async (answer) => {
    const ends = [];
    for (const way of [<T>(value: T) => value, <T>(value: T) => JSON.parse(JSON.stringify(value)) as T]) {
      const stopped = await paused();
      const { snapshot, pending } = way({ snapshot: stopped.snapshot, pending: stopped.pending });
      const result = await new AgentRunner({ model: scripted([say('Done.')]) }).resume(MailAgent, snapshot, {
        deps: new Effects(),
        decisions: [decide(pending[0]!, answer)],
      });
      const { outcome, arguments: args, content } = result.toolCalls[0]!;
      ends.push({ outcome, args, content, state: result.state });
    }
    expect(ends[0]).toEqual(ends[1]);
  },
);

test('D41 an approval that was never asked for, was changed, is replayed, or comes from another conversation runs nothing', async () => {
  const deps = new Effects();
  const stopped = await paused();
  const [call] = stopped.pending;
  const foreign = (await paused()).pending[0]!;
  const good = decide(call!, 'approve');
  const runner = new AgentRunner({ model: scripted([say('Done.')]) });
  for (const forged of [
    { ...good, callId: 'call_x' },
    { ...good, arguments: { to: 'eve', text: 'x' } },
    { ...good, name: 'look_up' },
    decide(foreign, 'approve'),
  ])
    await expect(runner.resume(MailAgent, stopped.snapshot, { deps, decisions: [forged as never] })).rejects.toThrow(/Nothing was run/);
  expect(deps.done).toEqual([]);
  await runner.resume(MailAgent, stopped.snapshot, { deps, decisions: [good] });
  await expect(runner.resume(MailAgent, stopped.snapshot, { deps, decisions: [good] })).rejects.toThrow(/resumed already/);
  expect(deps.done).toEqual(['bo: Hi']);
});
