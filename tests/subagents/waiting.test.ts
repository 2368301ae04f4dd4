import 'reflect-metadata';
import 'toolwright/testing/jest';
import { Agent, AgentConfig, AgentRunner, Param, Tool, agentTool, decide, handoff } from 'toolwright';
import type { PausedRun, PendingCall, RunEvent, RunResult, SnapshotCodec } from 'toolwright';
import { callTool, callTools, consume, say, scripted } from 'toolwright/testing';
import type { ScriptStep } from 'toolwright/testing';
import { fresh, log } from './agents';

beforeEach(fresh);

@AgentConfig({ description: 'Sends mails.', instructions: 'You send mails.' })
class Mailer extends Agent {
  @Tool({ description: 'Sends a mail.', requiresApproval: true })
  send(@Param('to') to: string) {
    log.push(`send ${to}`);
    return `sent to ${to}`;
  }

  @Tool({ description: 'Looks an address up.', annotations: { readOnly: true, openWorld: false } })
  lookUp(@Param('name') name: string) {
    log.push(`look_up ${name}`);
    return `${name}@example.com`;
  }

  @Tool({ description: 'Is answered by a person.', external: true }) ask(@Param('question') _question: string): void {
    throw new Error('never entered');
  }
}

@AgentConfig({ subagents: [Mailer], parallelToolCalls: true })
class Boss extends Agent {}

@AgentConfig({ description: 'Stands between.', subagents: [Mailer] })
class Middle extends Agent {}

@AgentConfig({ subagents: [Middle] })
class Top extends Agent {}

const later = { approve: () => 'defer' as const };
const task = (word = 'mail') => callTool('mailer', { task: word });

function paused(result: RunResult<unknown>): PausedRun {
  if (result.stopReason !== 'paused') throw new Error(`It did not pause: ${result.stopReason} ${result.text}`);
  return result;
}

/** Each part of a run in a runner of its own, as in another process. */
const runnerFor = (...steps: ScriptStep[]) => new AgentRunner({ model: scripted(steps) });
const yes = (calls: readonly PendingCall[]) => calls.map((call) => decide(call, 'approve'));

describe('a call that waits inside a sub-agent', () => {
  it('pauses the run around it, and is carried out once when it is approved elsewhere', async () => {
    const first = paused(
      await runnerFor(task(), callTool('look_up', { name: 'bo' }), callTool('send', { to: 'bo' })).run(Boss, 'Mail Bo', later),
    );
    expect(first.pending).toMatchObject([{ name: 'send', arguments: { to: 'bo' }, path: [{ agent: 'boss', callId: 'call_1' }] }]);
    expect(first.pending[0]!.callId).toMatch(/^call_1\//);
    expect(log).toEqual(['look_up bo']);
    expect(first).toHaveValidTranscript();

    const result = await runnerFor(say('Sent.'), say('All done.')).resume(Boss, first.snapshot, { decisions: yes(first.pending) });
    expect(log).toEqual(['look_up bo', 'send bo']);
    expect(result).toMatchObject({ stopReason: 'completed', text: 'All done.', usage: { requests: 5, toolCalls: 3 } });
    expect(result.toolCalls).toMatchObject([{ name: 'mailer', outcome: 'ok', content: [{ type: 'text', text: 'Sent.' }] }]);
    expect(result).toHaveValidTranscript();
  });

  it('is denied or edited from there, and its agent is told', async () => {
    const start = async () => paused(await runnerFor(task(), callTool('send', { to: 'bo' })).run(Boss, 'Go', later));
    const denied = await start();
    await runnerFor(say('Not sent.'), say('ok')).resume(Boss, denied.snapshot, { decisions: [decide(denied.pending[0]!, { deny: 'no' })] });
    expect(log).toEqual([]);
    const edited = await start();
    await runnerFor(say('Sent.'), say('ok')).resume(Boss, edited.snapshot, {
      decisions: [decide(edited.pending[0]!, { edit: { to: 'eve' } })],
    });
    expect(log).toEqual(['send eve']);
  });

  it('may be executed elsewhere', async () => {
    const first = paused(await runnerFor(task(), callTool('ask', { question: 'Which Bo?' })).run(Boss, 'Go'));
    expect(first.pending).toMatchObject([{ name: 'ask', why: { cause: 'external' } }]);
    const model = scripted([say('Bo of Oslo.'), say('ok')]);
    await new AgentRunner({ model }).resume(Boss, first.snapshot, {
      decisions: [decide(first.pending[0]!, { result: 'The one of Oslo.' })],
    });
    expect(JSON.stringify(model.requests[0]!.messages)).toContain('The one of Oslo.');
  });

  it('may lie at any depth, in one flat list', async () => {
    const first = paused(await runnerFor(callTool('middle', { task: 'x' }), task(), callTool('send', { to: 'bo' })).run(Top, 'Go', later));
    expect(first.pending).toHaveLength(1);
    expect(first.pending[0]!.path!.map(({ agent }) => agent)).toEqual(['top', 'middle']);
    const result = await runnerFor(say('sent'), say('middle done'), say('top done')).resume(Top, first.snapshot, {
      decisions: yes(first.pending),
    });
    expect(result).toMatchObject({ text: 'top done', usage: { requests: 6, toolCalls: 3 } });
    expect(log).toEqual(['send bo']);
  });

  it('of agents side by side are decided in any order and in part; what is finished does not run again', async () => {
    const send = (request: { messages: readonly unknown[] }) =>
      callTool('send', { to: JSON.stringify(request.messages).includes('first') ? 'a' : 'b' });
    const first = paused(
      await runnerFor(
        callTools([
          ['mailer', { task: 'first' }],
          ['mailer', { task: 'second' }],
        ]),
        send,
        send,
      ).run(Boss, 'Go', later),
    );
    expect(first.pending.map((call) => call.arguments)).toEqual([{ to: 'a' }, { to: 'b' }]);
    const second = paused(await runnerFor(say('b is sent')).resume(Boss, first.snapshot, { decisions: yes(first.pending.slice(1)) }));
    expect(log).toEqual(['send b']);
    expect(second.pending.map((call) => call.arguments)).toEqual([{ to: 'a' }]);
    const model = scripted([say('a is sent'), say('both')]);
    const result = await new AgentRunner({ model }).resume(Boss, second.snapshot, { decisions: yes(second.pending) });
    expect(log).toEqual(['send b', 'send a']);
    expect(result.toolCalls.map((call) => JSON.stringify(call.content))).toEqual([
      expect.stringContaining('a is sent'),
      expect.stringContaining('b is sent'),
    ]);
    expect(result.usage).toMatchObject({ requests: 6, toolCalls: 4 });
  });

  it('may be followed by another in the same agent', async () => {
    const first = paused(await runnerFor(task(), callTool('send', { to: 'a' })).run(Boss, 'Go', later));
    const second = paused(
      await runnerFor(callTool('send', { to: 'b' })).resume(Boss, first.snapshot, { decisions: yes(first.pending), ...later }),
    );
    expect(second.pending).toMatchObject([{ arguments: { to: 'b' } }]);
    const result = await runnerFor(say('both sent'), say('done')).resume(Boss, second.snapshot, { decisions: yes(second.pending) });
    expect(log).toEqual(['send a', 'send b']);
    expect(result.usage).toMatchObject({ requests: 5, toolCalls: 3 });
  });

  it('keeps limits counting: what was spent before the pause is spent, once', async () => {
    const ten = consume({ inputTokens: 5, outputTokens: 5 });
    const limits = { maxTokens: 65 };
    const first = paused(await runnerFor([task(), ten], [callTool('send', { to: 'a' }), ten]).run(Boss, 'Go', { ...later, limits }));
    expect(first.usage.totalTokens).toBe(20);
    const steps = Array.from({ length: 8 }, (_, at): ScriptStep => [callTool('look_up', { name: `n${at}` }), ten]);
    const model = scripted(steps, { strict: false });
    const result = await new AgentRunner({ model }).resume(Boss, first.snapshot, { decisions: yes(first.pending) });
    expect(result.usage.totalTokens).toBeLessThanOrEqual(65);
    expect(result.usage.totalTokens).toBeGreaterThanOrEqual(50);
  });

  it('stays where it is after a hand-off inside', async () => {
    @AgentConfig({ description: 'Desk.', tools: [handoff(Mailer)] })
    class Desk extends Agent {}
    @AgentConfig({ tools: [agentTool(Desk)] })
    class Chief extends Agent {}
    const first = paused(
      await runnerFor(callTool('desk', { task: 'x' }), callTool('transfer_to_mailer'), callTool('send', { to: 'a' })).run(
        Chief,
        'Go',
        later,
      ),
    );
    const result = await runnerFor(say('sent'), say('done')).resume(Chief, first.snapshot, { decisions: yes(first.pending) });
    expect(result.text).toBe('done');
    expect(log).toEqual(['send a']);
  });

  it('is bound to its run: a decision about another one does not fit', async () => {
    const one = paused(await runnerFor(task(), callTool('send', { to: 'a' })).run(Boss, 'Go', later));
    const other = paused(await runnerFor(task(), callTool('send', { to: 'a' })).run(Boss, 'Go', later));
    await expect(runnerFor().resume(Boss, one.snapshot, { decisions: yes(other.pending) })).rejects.toThrow(/digest/);
    await expect(
      runnerFor().resume(Boss, one.snapshot, { decisions: [decide({ ...one.pending[0]!, callId: 'call_1' }, 'approve')] }),
    ).rejects.toThrow();
    expect(log).toEqual([]);
  });

  it('tells of all that in the one stream, and uses the codec once', async () => {
    let encoded = 0;
    const snapshotCodec: SnapshotCodec = { encode: (text) => (encoded++, text), decode: (text) => text };
    const events: RunEvent[] = [];
    const onEvent = (event: RunEvent) => void events.push(event);
    const model = scripted([task(), callTool('send', { to: 'a' })]);
    const first = paused(await new AgentRunner({ model, snapshotCodec }).run(Boss, 'Go', { ...later, onEvent }));
    expect(encoded).toBe(1);
    const before = events.splice(0).filter((event) => event.path !== undefined);
    expect(before.map((event) => event.type)).toEqual(expect.arrayContaining(['tool.defer']));
    expect(before.at(-1)).toMatchObject({ type: 'run.end', stopReason: 'paused' });
    await runnerFor(say('sent'), say('done')).resume(Boss, first.snapshot, { decisions: yes(first.pending), onEvent });
    const inside = events.filter((event) => event.path !== undefined);
    expect(inside.map((event) => event.type)).toEqual(expect.arrayContaining(['run.restore', 'tool.approval', 'tool.end']));
    expect(new Set([...before, ...inside].map(({ runId, seq }) => `${runId} ${seq}`)).size).toBe(before.length + inside.length);
  });

  it('is not run when its agent is gone, or takes something else by then', async () => {
    const first = paused(await runnerFor(task(), callTool('send', { to: 'a' })).run(Boss, 'Go', later));
    @AgentConfig({ name: 'boss', tools: [] })
    class Alone extends Agent {}
    const gone = await runnerFor(say('Gone.')).resume(Alone, first.snapshot, { decisions: yes(first.pending) });
    expect(gone.toolCalls).toMatchObject([{ outcome: 'unknown' }]);
    expect(log).toEqual([]);
  });
});
