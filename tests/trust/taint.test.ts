import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, Param, Tool, ToolResult, wrapExternal } from '../../src/index';
import type { ApprovalRequest, Message, RunEvent, RunHandle } from '../../src/index';
import { callTool, callTools, say, scripted } from '../../src/testing/index';
import { runBatch } from '../../src/invocation/gate';
import { call, deferred, idle, scope, tool, type ToolFacts } from '../invocation/scope';

const acted: string[] = [];
beforeEach(() => acted.splice(0));

@AgentConfig({})
class Mailer extends Agent {
  @Tool({ description: 'Reads mail.', annotations: { readOnly: true, openWorld: false }, trust: 'untrusted' })
  readMail(@Param('id', { type: String, optional: true }) id?: string): string {
    return `mail ${id ?? ''}`;
  }

  @Tool('Sends mail.')
  sendMail(@Param('to', { type: String }) to: string): string {
    acted.push(to);
    return 'sent';
  }
}
const read = callTool('read_mail');
const send = (to: string) => callTool('send_mail', { to });

describe('what enters the context taints it', () => {
  const outcomeOf = async (input: string | Message[], messages?: Message[]) => {
    const model = scripted([send('x'), say('ok')]);
    const { toolCalls } = await new AgentRunner({ model }).run(Mailer, input, messages && { messages });
    return toolCalls[0]!.reason ?? toolCalls[0]!.outcome;
  };
  const foreign: Message[] = [
    { v: 1, role: 'user', parts: [{ type: 'text', text: 'read' }] },
    { v: 1, role: 'assistant', parts: [], calls: [{ id: 'c1', name: 'read_mail', arguments: '{}' }] },
    { v: 1, role: 'tool', callId: 'c1', name: 'read_mail', parts: [{ type: 'text', text: 'mail' }], outcome: 'ok', trust: 'untrusted' },
  ];

  it('ordinary input does not', async () => expect(await outcomeOf('hello')).toBe('ok'));
  it('a stored transcript with an untrusted result does', async () => expect(await outcomeOf('go', foreign)).toBe('approval_unavailable'));
  it('so does one that is given as input', async () => expect(await outcomeOf([...foreign, foreign[0]!])).toBe('approval_unavailable'));
  it('and content that the host wrapped in what a person said', async () =>
    expect(await outcomeOf(`Read: ${wrapExternal('hi')}`)).toBe('approval_unavailable'));
  it('also when it is said later', async () => {
    const model = scripted([callTool('read_mail_not'), send('x'), say('ok')]);
    const run = new AgentRunner({ model }).start(Mailer, 'go');
    run.steer(`And: ${wrapExternal('hi')}`);
    expect((await run.result).toolCalls[1]!.reason).toBe('approval_unavailable');
  });
});

describe('a host may say that what was read can be believed', () => {
  it('for what the run has read until then; what comes later counts anew', async () => {
    const model = scripted([callTool('read_mail', { id: '1' }), send('a'), callTool('read_mail', { id: '2' }), send('b'), say('ok')]);
    const taints: unknown[] = [];
    const run: RunHandle = new AgentRunner({ model }).start(Mailer, 'go', {
      onEvent: (event) => {
        if (event.type === 'taint') taints.push([event.present, event.from]);
        if (event.type === 'tool.end' && event.content.some((part) => part.type === 'text' && part.text === 'mail 1')) run.clearTaint();
      },
    });
    expect((await run.result).toolCalls.map(({ reason, outcome }) => reason ?? outcome)).toEqual([
      'ok',
      'ok',
      'ok',
      'approval_unavailable',
    ]);
    expect(acted).toEqual(['a']);
    expect(taints).toEqual([
      [true, 'read_mail'],
      [false, undefined],
      [true, 'read_mail'],
    ]);
  });

  it('also before the run has begun, for what it is given', async () => {
    const model = scripted([send('a'), read, send('b'), say('ok')]);
    const run = new AgentRunner({ model }).start(Mailer, `Read: ${wrapExternal('hi')}`);
    run.clearTaint();
    expect((await run.result).toolCalls.map(({ reason, outcome }) => reason ?? outcome)).toEqual(['ok', 'ok', 'approval_unavailable']);
  });

  it('and another run that is given the transcript decides for itself', async () => {
    const first = new AgentRunner({ model: scripted([read, say('ok')]) }).start(Mailer, 'go');
    first.clearTaint();
    const result = await first.result;
    const model = scripted([send('a'), say('ok')]);
    const { toolCalls } = await new AgentRunner({ model }).run(Mailer, 'more', { continueFrom: result });
    expect(toolCalls[0]!.reason).toBe('approval_unavailable');
  });
});

it('events say why a call was put before somebody, and which results are foreign', async () => {
  const events: RunEvent[] = [];
  const model = scripted([read, send('a'), say('ok')]);
  await new AgentRunner({ model }).run(Mailer, 'go', { approve: () => false, onEvent: (event) => events.push(event) });
  expect(events.find((event) => event.type === 'tool.approval')).toMatchObject({
    why: { cause: 'taint', text: expect.stringContaining('read_mail') as string },
  });
  expect(events.filter((event) => event.type === 'tool.end').map((event) => event.trust)).toEqual(['untrusted', undefined]);
});

it('what looks like an injection is a warning, once, and a result that does not is none', async () => {
  const model = scripted([callTool('read_mail', { id: '<|im_start|>' }), callTool('read_mail', { id: 'plain' }), say('ok')]);
  const { warnings } = await new AgentRunner({ model }).run(Mailer, 'go');
  expect(warnings).toEqual([expect.stringMatching(/`read_mail` holds what injections use: chat template tokens/)]);
});

it('an approved call does not clear anything', async () => {
  const asked: ApprovalRequest[] = [];
  const model = scripted([read, send('a'), send('b'), say('ok')]);
  await new AgentRunner({ model }).run(Mailer, 'go', { approve: (request) => (asked.push(request), true) });
  expect(asked).toHaveLength(2);
});

describe('calls of one answer', () => {
  const parallel = { parallel: true, maxConcurrency: 10 };
  /** A tool whose result says of itself that it is foreign; nothing about the tool does. */
  const mail = (wait: Promise<void>) =>
    tool('mail', async () => {
      await wait;
      return ToolResult.content('foreign', { trust: 'untrusted' });
    });
  const setting = (facts: ToolFacts = {}, over = {}) => {
    const ran: string[] = [];
    const { promise, resolve } = deferred();
    const act = tool('act', (args: { n: number }) => void ran.push(`act ${args.n}`), facts);
    const look = tool('look', () => void ran.push('look'), { annotations: { readOnly: true, openWorld: false } });
    return { ran, arrive: resolve, within: scope([mail(promise), act, look], over) };
  };
  const calls = (...names: string[]) => names.map((name, index) => call(name, { n: index }, { index }));
  const reasons = (results: Awaited<ReturnType<typeof runBatch>>) => results.map(({ record }) => record.reason ?? record.outcome);

  it('a call that had not begun when foreign content came is decided again, and others are not', async () => {
    const { ran, arrive, within } = setting();
    arrive();
    const results = await runBatch(calls('mail', 'act', 'look'), within, { ...parallel, maxConcurrency: 1 });
    expect(reasons(results)).toEqual(['ok', 'approval_unavailable', 'ok']);
    expect(ran).toEqual(['look']);
    expect(within.story().filter((type) => type === 'tool.request')).toHaveLength(3);
  });

  it('it runs when somebody approves, once, and with what they made of it', async () => {
    const { ran, arrive, within } = setting(
      {},
      { approver: ({ why }: ApprovalRequest) => (why.cause === 'taint' ? { edit: { n: 7 } } : false) },
    );
    arrive();
    const results = await runBatch(calls('mail', 'act'), within, { ...parallel, maxConcurrency: 1 });
    expect(reasons(results)).toEqual(['ok', 'ok']);
    expect(ran).toEqual(['act 7']);
  });

  it('its hooks have been heard once', async () => {
    const beforeTool = jest.fn();
    const { arrive, within } = setting({}, { hooks: [{ beforeTool }], approver: () => true });
    arrive();
    await runBatch(calls('mail', 'act'), within, { ...parallel, maxConcurrency: 1 });
    expect(beforeTool).toHaveBeenCalledTimes(2);
  });

  it('a tool may say that foreign words can do nothing with the call, and `off` and `deny` hold', async () => {
    for (const [facts, over, expected] of [
      [{ taintExempt: () => true }, {}, 'ok'],
      [{}, { taint: 'off' }, 'ok'],
      [{}, { taint: 'deny', approver: () => true }, 'taint'],
    ] as const) {
      const { arrive, within } = setting(facts, over);
      arrive();
      expect(reasons(await runBatch(calls('mail', 'act'), within, { ...parallel, maxConcurrency: 1 }))[1]).toBe(expected);
    }
  });

  it('a call that had begun goes on: it was asked for before anybody read that content', async () => {
    const { ran, arrive, within } = setting();
    const batch = runBatch(calls('mail', 'act'), within, parallel);
    await idle();
    expect(ran).toEqual(['act 1']);
    arrive();
    expect(reasons(await batch)).toEqual(['ok', 'ok']);
    expect(within.tainted).toBe(true);
  });

  it('after a fatal error the call that was held back is not run', async () => {
    const fatal = tool(
      'fatal',
      async () => {
        const { FatalToolError } = await import('../../src/errors/tool-error');
        throw new FatalToolError('over');
      },
      { trust: 'untrusted', annotations: { readOnly: true, openWorld: false } },
    );
    const ran: string[] = [];
    const within = scope([mail(Promise.resolve()), fatal, tool('act', () => void ran.push('act'))], { approver: () => true });
    const results = await runBatch(calls('mail', 'fatal', 'act'), within, { ...parallel, maxConcurrency: 1 });
    expect(results.at(-1)!.record.outcome).toBe('aborted');
    expect(ran).toEqual([]);
  });

  it('in a run, side by side: calls of tools that are declared foreign are waited for', async () => {
    @AgentConfig({ parallelToolCalls: true })
    class Parallel extends Mailer {}
    const model = scripted([
      callTools([
        ['read_mail', {}],
        ['send_mail', { to: 'a' }],
      ]),
      say('ok'),
    ]);
    const { toolCalls } = await new AgentRunner({ model }).run(Parallel, 'go');
    expect(toolCalls[1]!.reason).toBe('approval_unavailable');
    expect(acted).toEqual([]);
  });
});
