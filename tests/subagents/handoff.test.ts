import 'reflect-metadata';
import 'toolwright/testing/jest';
import { Agent, AgentConfig, ContextUpdate, Param, Tool, ToolContext, agentTool, decide, handoff } from 'toolwright';
import type { Handoff, RunError, ToolDefinition } from 'toolwright';
import { answer, callTool, callTools, createTestRunner, expectRequest, mockTool, recordEvents, say, scripted } from 'toolwright/testing';
import { brief } from '../runner/agents';
import { fresh, log } from './agents';

const heard: string[] = [];
beforeEach(() => {
  fresh();
  heard.length = 0;
});

@AgentConfig({ name: 'billing', description: 'Knows bills.', instructions: 'You know bills.' })
class Billing extends Agent<string, { user: string }> {
  @Tool('Refunds money.')
  refund(@Param('amount') amount: number, context: ToolContext<{ user: string }>) {
    log.push(`refund ${amount} to ${context.deps.user}, knowing ${JSON.stringify(context.state)}`);
    return 'refunded';
  }
  override onRunStart() {
    heard.push('billing start');
  }
  override onRunEnd() {
    heard.push('billing end');
  }
}

@AgentConfig({ instructions: 'Find out what they need.', tools: [handoff(Billing)] })
class Desk extends Agent<string, { user: string }> {
  @Tool('Looks an order up.')
  order(@Param('id') id: string) {
    log.push(`order ${id}`);
    return `order ${id}: 10 EUR`;
  }
  override onRunStart() {
    heard.push('desk start');
  }
  override onRunEnd() {
    heard.push('desk end');
  }
}

const deps = { user: 'Ada' };
const toBilling = (reason = 'a refund') => callTool('transfer_to_billing', { reason });

describe('a hand-off', () => {
  it('lets the next agent answer, with its own instructions and tools and the whole conversation', async () => {
    const model = scripted([
      callTool('order', { id: '7' }),
      [expectRequest({ tools: ['order', 'transfer_to_billing'] }), toBilling()],
      [expectRequest({ tools: ['refund'] }), callTool('refund', { amount: 10 })],
      say('You have your 10 EUR back.'),
    ]);
    const recorder = recordEvents();
    const result = await createTestRunner({ model }).run(Desk, 'Money back for order 7', {
      deps,
      state: { vip: true },
      onEvent: recorder.onEvent,
    });
    expect(brief(model.requests[2]!.messages)).toEqual([
      'system: You know bills.',
      'user: Money back for order 7',
      'assistant: order({"id":"7"})',
      'tool ok: order 7: 10 EUR',
      'assistant: transfer_to_billing({"reason":"a refund"})',
      'tool ok: The conversation was handed over to billing.',
    ]);
    expect(log).toEqual(['order 7', 'refund 10 to Ada, knowing {"vip":true}']);
    expect(result).toMatchObject({ text: 'You have your 10 EUR back.', agent: 'billing', usage: { requests: 4, toolCalls: 3 } });
    expect(result).toHaveValidTranscript();
    expect(recorder.events).toContainEqual(expect.objectContaining({ type: 'handoff', from: 'desk', to: 'billing', callId: 'call_2' }));
    expect(recorder.events.filter((event) => event.type === 'run.start' || event.type === 'run.end')).toHaveLength(2);
    expect(heard).toEqual(['desk start', 'billing start', 'desk end', 'billing end']);
  });

  it('happens after the other calls of the message; the first of two counts', async () => {
    const model = scripted([callTools([toBilling(), callTool('order', { id: '1' }), callTool('other_desk')]), say('Done.')]);
    @AgentConfig({ tools: [handoff(Billing, { name: 'other_desk' })], parallelToolCalls: true })
    class More extends Desk {}
    const result = await createTestRunner({ model }).run(More, 'Go', { deps });
    expect(result.toolCalls.map((call) => [call.name, call.outcome])).toEqual([
      ['transfer_to_billing', 'ok'],
      ['order', 'ok'],
      ['other_desk', 'error'],
    ]);
    expect(result.agent).toBe('billing');
  });

  it('to one agent under one name can be listed once only, by the base or by the subclass', async () => {
    @AgentConfig({ tools: [handoff(Billing)] })
    class Twice extends Desk {}
    await expect(createTestRunner({ model: scripted([]) }).run(Twice, 'Go', { deps })).rejects.toThrow(/transfer_to_billing/);
  });

  it('keeps the limits of the run', async () => {
    const back: ToolDefinition[] = [];
    @AgentConfig({ name: 'ping', tools: back })
    class Ping extends Agent {}
    @AgentConfig({ name: 'pong', tools: [handoff(Ping)], limits: { maxTurns: 100 } })
    class Pong extends Agent {}
    back.push(handoff(Pong));
    const model = scripted(
      Array.from({ length: 20 }, (_, at) => callTool(at % 2 === 0 ? 'transfer_to_pong' : 'transfer_to_ping')),
      { strict: false },
    );
    const result = await createTestRunner({ model }).run(Ping, 'Go', { limits: { maxTurns: 4 } });
    expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxTurns', usage: { requests: 5 } });
    expect(result).toHaveValidTranscript();
  });

  it('asks for the output of the next agent, and honours its first tool choice', async () => {
    @AgentConfig({ name: 'biller', output: Number, toolChoice: 'required' })
    class Biller extends Agent<number> {
      @Tool('Looks.') look() {
        return 10;
      }
    }
    @AgentConfig({ output: Number, tools: [handoff(Biller)] })
    class Front extends Agent<number> {}
    const model = scripted([callTool('transfer_to_biller'), callTool('look'), answer(10)]);
    const result = await createTestRunner({ model }).run(Front, 'How much?');
    expect(model.requests.map((request) => request.toolChoice)).toEqual(['auto', 'required', 'auto']);
    expect(result).toMatchObject({ stopReason: 'completed', output: 10 });
  });

  it('keeps the gate: the next agent is as strict about foreign content as the one before, and asks its own approver', async () => {
    @AgentConfig({ name: 'lax', taint: 'off' })
    class Lax extends Agent {
      @Tool('Deletes.') remove() {
        log.push('removed');
        return 'gone';
      }
    }
    @AgentConfig({ tools: [handoff(Lax)] })
    class Strict extends Agent {
      @Tool({ description: 'Reads.', trust: 'untrusted', annotations: { readOnly: true, openWorld: false } }) read() {
        return 'foreign';
      }
    }
    const script = () => scripted([callTool('read'), callTool('transfer_to_lax'), callTool('remove'), say('no')]);
    const denied = await createTestRunner({ model: script() }).run(Strict, 'Go');
    expect(denied.toolCalls.at(-1)).toMatchObject({ name: 'remove', outcome: 'denied', reason: 'approval_unavailable' });
    const approved = await createTestRunner({ model: script() }).run(Strict, 'Go', { approve: () => true });
    expect(approved.toolCalls.at(-1)).toMatchObject({ name: 'remove', outcome: 'ok' });
  });

  it('maps deps where it says so', async () => {
    @AgentConfig({ tools: [handoff(Billing, { deps: ({ id }: { id: number }) => ({ user: `user ${id}` }) })] })
    class Other extends Agent<string, { id: number }> {}
    await createTestRunner({ model: scripted([toBilling(), callTool('refund', { amount: 1 }), say('ok')]) }).run(Other, 'Go', {
      deps: { id: 3 },
    });
    expect(log).toEqual(['refund 1 to user 3, knowing {}']);
  });

  it('that cannot be made is told to the model, which goes on', async () => {
    @AgentConfig({
      tools: [
        handoff(Billing, {
          deps: (): { user: string } => {
            throw new Error('no user');
          },
        }),
      ],
    })
    class Other extends Agent {}
    const result = await createTestRunner({ model: scripted([toBilling(), say('I will do it myself.')]) }).run(Other, 'Go');
    expect(result).toMatchObject({ text: 'I will do it myself.', agent: 'other' });
    expect(JSON.stringify(result.toolCalls[0]!.content)).toContain('cannot take over');
    expect(JSON.stringify(result.toolCalls[0]!.content)).not.toContain('no user');
  });

  describe.each(['run', 'stream', 'resume'])('after which the next agent does not start (%s)', (way) => {
    const steps = () => scripted([callTools([['note'], ['transfer_to_late', {}]]), say('never')], { strict: false });

    it.each(['fails', 'aborts'])('leaves the turn before it as it was: once, with all that came of it (%s)', async (how) => {
      const controller = new AbortController();
      @AgentConfig({ name: 'late', instructions: 'You come late.' })
      class Late extends Agent {
        override onRunStart() {
          if (how === 'fails') throw new Error('no database');
          controller.abort(new Error('enough'));
        }
      }
      @AgentConfig({ name: 'early', tools: [handoff(Late)], parallelToolCalls: true })
      class Early extends Agent {
        @Tool({ description: 'Takes a note.', requiresApproval: true })
        note() {
          log.push('note');
          return ContextUpdate.of().set('noted', true);
        }
      }
      const runner = createTestRunner({ model: steps() });
      const { signal } = controller;
      let run: Promise<unknown>;
      if (way === 'resume') {
        const paused = await runner.run(Early, 'Go', { approve: () => 'defer' });
        if (paused.stopReason !== 'paused') throw new Error('It did not pause.');
        run = runner.resume(Early, paused.snapshot, { signal, decisions: paused.pending.map((call) => decide(call, 'approve')) });
      } else {
        const options = { signal, approve: () => true };
        run = way === 'run' ? runner.run(Early, 'Go', options) : runner.stream(Early, 'Go', options).result;
      }
      const error = await run.then(
        () => undefined,
        (thrown: unknown) => thrown as RunError,
      );

      expect(error?.name).toBe(how === 'fails' ? 'RunError' : 'AbortError');
      expect(error?.partial).toMatchObject({ state: { noted: true }, usage: { toolCalls: 2 } });
      expect(error?.partial?.toolCalls.map(({ name, outcome }) => [name, outcome])).toEqual([
        ['note', 'ok'],
        ['transfer_to_late', 'ok'],
      ]);
      expect(brief(error!.partial!.messages).map((line) => line.split(':')[0])).toEqual(['user', 'assistant', 'tool ok', 'tool ok']);
      expect(log).toEqual(['note']);
    });
  });

  it('may be denied, and then does not happen', async () => {
    @AgentConfig({ policy: { deny: ['transfer_to_billing'] } })
    class Closed extends Desk {}
    const result = await createTestRunner({ model: scripted([toBilling(), say('no')]) }).run(Closed, 'Go', { deps });
    expect(result.agent).toBe('closed');
  });

  it('does not happen where a test put a double in its place', async () => {
    const result = await createTestRunner({
      model: scripted([toBilling(), say('ok')]),
      tools: [mockTool('transfer_to_billing', 'noted')],
    }).run(Desk, 'Go', { deps });
    expect(result.agent).toBe('desk');
  });

  it('inside a sub-agent is the affair of that run', async () => {
    @AgentConfig({ tools: [agentTool(Desk, { deps: (around: { user: string }) => around })] })
    class Boss extends Agent<string, { user: string }> {}
    const model = scripted([callTool('desk', { task: 'x' }), toBilling(), say('from billing'), say('done')]);
    const result = await createTestRunner({ model }).run(Boss, 'Go', { deps });
    expect(result.agent).toBe('boss');
    expect(result.toolCalls[0]!.content).toEqual([{ type: 'text', text: 'from billing' }]);
  });

  it('can be gone on from in a next run with the agent that answered', async () => {
    const runner = createTestRunner({ model: scripted([toBilling(), say('Which one?'), say('That one.')]) });
    const first = await runner.run(Desk, 'Money back', { deps });
    const second = await runner.run(Billing, 'Number 7', { deps, continueFrom: first });
    expect(second.messages).toHaveLength(6);
    expect(second).toHaveValidTranscript();
  });
});

export type Checked = Handoff<string, { user: string }>;
