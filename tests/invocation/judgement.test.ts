import type { ApprovalDecision, ApprovalRequest } from '../../src/invocation/approval';
import type { CallScope } from '../../src/invocation/call-scope';
import type { ToolHooks } from '../../src/invocation/hooks';
import type { Policy } from '../../src/invocation/policy';
import type { Contract } from '../../src/schema/contract';
import { anything, call, deferred, idle, pass, scope, textOf, tool, type ToolFacts } from './scope';

const onlyNumbers: Contract = {
  ...anything,
  decode: (value: any) =>
    typeof value.n === 'number'
      ? { ok: true, value: { n: value.n } }
      : { ok: false, faults: [{ path: 'n', expected: 'a number', got: 'other' }] },
};

function setting(facts: ToolFacts, over: Partial<CallScope> = {}) {
  const ran: unknown[] = [];
  const run = scope(
    [
      tool(
        'act',
        (args) => {
          ran.push(args);
          return 'done';
        },
        { contract: onlyNumbers, ...facts },
      ),
    ],
    over,
  );
  return { run, ran, act: (args: unknown = { n: 1 }) => pass(call('act', args), run) };
}

const hook = (beforeTool: NonNullable<ToolHooks['beforeTool']>): { hooks: ToolHooks[] } => ({ hooks: [{ beforeTool }] });

describe('beforeTool', () => {
  it('denies with its reason, word for word', async () => {
    const { act, ran, run } = setting(
      {},
      hook(() => ({ deny: 'Not on Sundays.' })),
    );
    const result = await act();
    expect(result.record).toMatchObject({ outcome: 'denied', reason: 'hook' });
    expect(textOf(result)).toContain('Not on Sundays.');
    expect(ran).toEqual([]);
    expect(run.story()).toEqual(['tool.request', 'tool.end denied hook']);
  });

  it('changes the arguments, which are decoded again, seen by the next hook, and told to the model', async () => {
    const seen: unknown[] = [];
    const { act, ran } = setting(
      {},
      {
        hooks: [{ beforeTool: () => ({ arguments: { n: 7 } }) }, { beforeTool: (view) => void seen.push(view.arguments) }],
      },
    );
    const result = await act();
    expect(ran).toEqual([{ n: 7 }]);
    expect(seen).toEqual([{ n: 7 }]);
    expect(result.record.arguments).toEqual({ n: 7 });
    expect(textOf(result)).toMatch(/^Note: .*\{"n":7\}\ndone$/s);
  });

  it('that makes arguments invalid refuses the call without blaming the model', async () => {
    const { act, ran } = setting(
      {},
      hook(() => ({ arguments: { n: 'seven' } })),
    );
    const result = await act();
    expect(result).toMatchObject({ repair: false, record: { outcome: 'denied', reason: 'hook' } });
    expect(textOf(result)).toContain('not your mistake');
    expect(textOf(result)).not.toContain('call again');
    expect(ran).toEqual([]);
  });

  it.each<[string, () => any]>([
    [
      'throws',
      () => {
        throw new Error('db password is hunter2');
      },
    ],
    ['rejects', () => Promise.reject(new Error('db password is hunter2'))],
    ['gives true', () => true],
    ['gives a word', () => 'deny'],
    ['gives null', () => null],
    ['gives an empty object', () => ({})],
    ['denies without a text', () => ({ deny: undefined })],
    ['denies without a text and changes the arguments', () => ({ deny: undefined, arguments: {} })],
  ])('that %s refuses the call, and says why to the host only', async (_, beforeTool) => {
    const { act, ran, run } = setting({}, hook(beforeTool));
    const result = await act();
    expect(result.record).toMatchObject({ outcome: 'denied', reason: 'hook' });
    expect(textOf(result)).not.toMatch(/hunter2|undefined/);
    expect(run.events.at(-1)).toMatchObject({ type: 'tool.end', error: { message: expect.any(String) } });
    expect(ran).toEqual([]);
  });

  it('cannot change the arguments by changing what it sees', async () => {
    const { act, ran } = setting(
      {},
      hook((view: any) => {
        view.arguments.n = 99;
      }),
    );
    await act();
    expect(ran).toEqual([{ n: 1 }]);
  });

  it('cannot skip policy or approval', async () => {
    const { act, ran } = setting({ requiresApproval: true }, { ...hook(() => ({ arguments: { n: 5 } })), approver: () => 'deny' });
    expect((await act()).record.reason).toBe('approval');
    expect(ran).toEqual([]);
  });

  it('that never answers ends with the run', async () => {
    const controller = new AbortController();
    const { act, ran } = setting({}, { ...hook(() => new Promise<void>(() => undefined)), signal: controller.signal });
    const pending = act();
    await idle();
    controller.abort();
    expect((await pending).record.outcome).toBe('aborted');
    expect(ran).toEqual([]);
  });

  it('that never answers is refused when the ceiling is reached', async () => {
    const { act } = setting({}, { ...hook(() => new Promise<void>(() => undefined)), ceiling: 5 });
    expect((await act()).record).toMatchObject({ outcome: 'denied', reason: 'hook' });
  });
});

describe('policy', () => {
  const withPolicy = (...policy: Policy[]) => setting({ tags: ['money'], annotations: { destructive: true } }, { policy });

  it.each<[string, Policy[]]>([
    ['by name', [{ deny: ['act'] }]],
    ['by tag', [{ deny: [{ tag: 'money' }] }]],
    ['by annotation', [{ deny: [{ destructive: true }] }]],
    ['by what unset annotations mean', [{ deny: [{ readOnly: false, openWorld: true, idempotent: false }] }]],
    ['over an earlier permission', [{ allow: ['act'] }, { deny: ['act'] }]],
    ['over a permission of the same rules', [{ allow: ['act'], ask: ['act'], deny: ['act'] }]],
    ['by a function', [() => 'deny']],
    ['by a function, later', [async () => ({ deny: 'No.' })]],
  ])('denies %s', async (_, policy) => {
    const { act, ran } = withPolicy(...policy);
    expect((await act()).record).toMatchObject({ outcome: 'denied', reason: 'policy' });
    expect(ran).toEqual([]);
  });

  it.each<[string, Policy]>([
    ['another name', { deny: ['other'] }],
    ['another tag', { deny: [{ tag: 'mail' }] }],
    ['only one of two conditions', { deny: [{ name: 'act', readOnly: true }] }],
  ])('that means %s lets the call pass', async (_, policy) => {
    const { act } = withPolicy(policy);
    expect((await act()).record.outcome).toBe('ok');
  });

  it.each<[string, Policy]>([
    [
      'throws',
      () => {
        throw new Error('x');
      },
    ],
    ['gives something else', () => true as any],
    ['gives false', () => false as any],
    ['has an empty rule', { allow: [{}] }],
    ['has a misspelt rule', { allow: [{ tags: 'money' } as any] }],
  ])('that %s refuses the call', async (_, policy) => {
    const { act, ran } = withPolicy(policy);
    expect((await act()).record).toMatchObject({ outcome: 'denied', reason: 'policy' });
    expect(ran).toEqual([]);
  });

  it('sees the arguments after the hooks', async () => {
    const seen: unknown[] = [];
    const { act } = setting({}, { ...hook(() => ({ arguments: { n: 9 } })), policy: [(view) => void seen.push(view.arguments)] });
    await act();
    expect(seen).toEqual([{ n: 9 }]);
  });

  it('asks, and a question wins over a permission', async () => {
    const { act, ran } = setting({}, { policy: [{ allow: ['act'] }, { ask: ['act'] }], approver: () => false });
    expect((await act()).record.reason).toBe('approval');
    expect(ran).toEqual([]);
  });

  it('that allows waives what the tool asks for, but not what taint asks for', async () => {
    const policy: Policy[] = [{ allow: ['act'] }];
    expect((await setting({ requiresApproval: true }, { policy }).act()).record.outcome).toBe('ok');
    expect((await setting({}, { policy, tainted: true }).act()).record.reason).toBe('approval_unavailable');
  });
});

describe('approval', () => {
  const asked = (decision: ApprovalDecision | (() => ApprovalDecision | Promise<ApprovalDecision>), facts: ToolFacts = {}) => {
    const requests: ApprovalRequest[] = [];
    const set = setting(
      { requiresApproval: true, ...facts },
      {
        approver: (request) => {
          requests.push(request);
          return typeof decision === 'function' ? decision() : decision;
        },
      },
    );
    return { ...set, requests };
  };

  it.each<ApprovalDecision>([true, 'approve', { approve: true }])('%j lets the call run', async (decision) => {
    const { act, run, ran } = asked(decision);
    expect((await act()).record.outcome).toBe('ok');
    expect(ran).toHaveLength(1);
    expect(run.story()).toEqual(['tool.request', 'tool.approval', 'tool.approval approve', 'tool.start 1', 'tool.end ok']);
  });

  it.each<ApprovalDecision>([false, 'deny', { deny: 'Ask Ada first!' }])('%j refuses it, said as a person’s no', async (decision) => {
    const { act, ran, run } = asked(decision);
    const result = await act();
    expect(result.record).toMatchObject({ outcome: 'denied', reason: 'approval' });
    expect(textOf(result)).toContain('a person refused');
    expect(textOf(result)).toContain('Do not try it again');
    if (typeof decision === 'object') expect(textOf(result)).toContain('Ask Ada first!');
    expect(ran).toEqual([]);
    expect(run.story()).toEqual(['tool.request', 'tool.approval', 'tool.approval deny', 'tool.end denied approval']);
  });

  it('without an approver is refused in other words than a person’s no', async () => {
    const { act, ran } = setting({ requiresApproval: true });
    const result = await act();
    expect(result.record).toMatchObject({ outcome: 'denied', reason: 'approval_unavailable' });
    expect(textOf(result)).not.toContain('refused');
    expect(ran).toEqual([]);
  });

  it.each<[string, () => any]>([
    [
      'throws',
      () => {
        throw new Error('secret');
      },
    ],
    ['gives nothing', () => undefined],
    ['gives a word that is none', () => 'yes'],
    ['gives { approve: false }', () => ({ approve: false })],
    ['edits into nothing', () => ({ edit: null })],
    ['says yes and no', () => ({ approve: true, deny: true })],
    ['says yes and gives other arguments under a wrong name', () => ({ approve: true, arguments: { n: 2 } })],
    ['says yes and when it expires', () => ({ approve: true, expires: 1_000 })],
    ['says no and edits', () => ({ approve: false, edit: {} })],
    ['says yes and leaves it to others', () => ({ approve: true, defer: {} })],
  ])('by an approver that %s is refused', async (_, decision) => {
    const { act, ran } = asked(decision);
    const result = await act();
    expect(result.record).toMatchObject({ outcome: 'denied', reason: 'approval' });
    expect(textOf(result)).not.toContain('secret');
    expect(ran).toEqual([]);
  });

  it('may come from a service', async () => {
    class Desk {
      private readonly answer = true;
      approve() {
        return this.answer;
      }
    }
    expect((await setting({ requiresApproval: true }, { approver: new Desk() }).act()).record.outcome).toBe('ok');
  });

  it('shows the final arguments, the label and why', async () => {
    const { act, requests } = asked(true);
    await act({ n: 4 });
    expect(requests).toEqual([
      {
        call: expect.objectContaining({ name: 'act', arguments: { n: 4 } }),
        label: 'act',
        why: { cause: 'tool', text: expect.any(String) },
        signals: [],
      },
    ]);
  });

  it('edits: the edited call runs, nobody is asked again, the model is told', async () => {
    const { act, ran, requests } = asked({ edit: { n: 2 } });
    const result = await act({ n: 1_000 });
    expect(ran).toEqual([{ n: 2 }]);
    expect(requests).toHaveLength(1);
    expect(textOf(result)).toMatch(/^Note: .*person.*\{"n":2\}\ndone$/s);
    expect(result.record.arguments).toEqual({ n: 2 });
  });

  it('edits are judged by hooks and policy like any arguments', async () => {
    const policy: Policy[] = [(view: any) => (view.arguments.n > 10 ? { deny: 'Too much.' } : undefined)];
    const { act, ran } = setting({ requiresApproval: true }, { policy, approver: () => ({ edit: { n: 11 } }) });
    expect((await act()).record).toMatchObject({ outcome: 'denied', reason: 'policy' });
    expect(ran).toEqual([]);
  });

  it('edits that do not fit refuse the call and spend nothing', async () => {
    const { act, ran } = asked({ edit: { n: 'x' } });
    const result = await act();
    expect(result).toMatchObject({ repair: false, record: { outcome: 'denied', reason: 'approval' } });
    expect(textOf(result)).toMatch(/not your mistake; do not repeat the call\.\nWhat does not fit:\n- n: expected a number/);
    expect(ran).toEqual([]);
  });

  it('that is waited for ends with the run', async () => {
    const controller = new AbortController();
    const { act, ran } = setting(
      { requiresApproval: true },
      { approver: () => new Promise<boolean>(() => undefined), signal: controller.signal },
    );
    const pending = act();
    await idle();
    controller.abort();
    expect((await pending).record.outcome).toBe('aborted');
    expect(ran).toEqual([]);
  });

  describe('by a predicate', () => {
    it('is asked for when it says so, of decoded arguments, once', async () => {
      const predicate = jest.fn((args: any) => args.n > 100);
      expect((await setting({ requiresApproval: predicate }).act({ n: 5 })).record.outcome).toBe('ok');
      expect((await setting({ requiresApproval: predicate }).act({ n: 500 })).record.reason).toBe('approval_unavailable');
      expect(predicate).toHaveBeenCalledTimes(2);
    });

    it.each<[string, () => any]>([
      [
        'throws',
        () => {
          throw new Error('x');
        },
      ],
      [
        'rejects',
        async () => {
          throw new Error('x');
        },
      ],
      ['says nothing', () => undefined],
    ])('is asked for when it %s', async (_, requiresApproval) => {
      expect((await setting({ requiresApproval }).act()).record.reason).toBe('approval_unavailable');
    });

    it('is not reached by arguments that do not fit', async () => {
      const predicate = jest.fn(() => false);
      expect((await setting({ requiresApproval: predicate }).act({ n: 'x' })).record.outcome).toBe('invalid');
      expect(predicate).not.toHaveBeenCalled();
    });
  });

  describe('with a preview', () => {
    it('shows it, and a preview that changes its arguments changes nothing', async () => {
      const { act, requests, ran } = asked(true, {
        preview: (_, args: any) => {
          args.n = 99;
          return { would: 'act' };
        },
      });
      await act();
      expect(requests[0]?.preview).toEqual({ would: 'act' });
      expect(ran).toEqual([{ n: 1 }]);
    });

    it('that throws or takes too long is said to be missing', async () => {
      const throwing = asked(true, {
        preview: () => {
          throw new Error('no disk');
        },
      });
      await throwing.act();
      expect(throwing.requests[0]).toMatchObject({ previewError: 'no disk' });
      expect(throwing.requests[0]).not.toHaveProperty('preview');
      const slow = asked(true, { timeout: 5, preview: () => new Promise(() => undefined) });
      await slow.act();
      expect(slow.requests[0]?.previewError).toContain('5 ms');
    });

    it('is not asked for where nobody is', async () => {
      const preview = jest.fn();
      await setting({ preview }).act();
      expect(preview).not.toHaveBeenCalled();
    });
  });
});

describe('taint', () => {
  const tainted = (facts: ToolFacts, over: Partial<CallScope> = {}) => setting(facts, { tainted: true, ...over });

  it.each<[string, ToolFacts]>([
    ['changes things', { annotations: { readOnly: false, openWorld: false } }],
    ['says nothing of itself', {}],
    ['reads the open world', { annotations: { readOnly: true, openWorld: true } }],
    ['does not say that its world is closed', { annotations: { readOnly: true } }],
  ])('asks about a tool that %s', async (_, facts) => {
    expect((await tainted(facts).act()).record.reason).toBe('approval_unavailable');
    const approver = jest.fn((_request: ApprovalRequest) => true);
    expect((await tainted(facts, { approver }).act()).record.outcome).toBe('ok');
    expect(approver.mock.calls[0]?.[0].why.cause).toBe('taint');
  });

  it('lets a tool pass that only reads what is closed', async () => {
    expect((await tainted({ annotations: { readOnly: true, openWorld: false } }).act()).record.outcome).toBe('ok');
  });

  it('denies without asking where that is set, and does nothing where it is off', async () => {
    const approver = jest.fn(() => true);
    expect((await tainted({}, { taint: 'deny', approver }).act()).record).toMatchObject({ outcome: 'denied', reason: 'taint' });
    expect(approver).not.toHaveBeenCalled();
    expect((await tainted({}, { taint: 'off' }).act()).record.outcome).toBe('ok');
  });
});

describe('standing bounds', () => {
  it('maxCalls counts executions of the run', async () => {
    const { act } = setting({ maxCalls: 2 }, { tally: () => ({ repairs: 0, executions: 2 }) });
    expect((await act()).record).toMatchObject({ outcome: 'denied', reason: 'max_calls' });
  });

  it.each<[string, any]>([
    ['says false', () => false],
    ['says false later', async () => false],
    [
      'throws',
      () => {
        throw new Error('x');
      },
    ],
    ['says nothing', () => undefined],
    ['is false', false],
  ])('enabled that %s refuses the call', async (_, enabled) => {
    const { act, ran } = setting({ enabled });
    expect((await act()).record).toMatchObject({ outcome: 'denied', reason: 'disabled' });
    expect(ran).toEqual([]);
  });

  it('enabled is asked with the context', async () => {
    const { act } = setting({ enabled: (context) => context.deps.on }, { deps: { on: true } });
    expect((await act()).record.outcome).toBe('ok');
  });
});

describe('afterTool', () => {
  it('sees every outcome, refusals included', async () => {
    const seen: string[] = [];
    const hooks: ToolHooks[] = [{ afterTool: (_, record) => void seen.push(`${record.outcome} ${record.reason ?? ''}`.trim()) }];
    await setting({}, { hooks }).act();
    await setting({}, { hooks }).act({ n: 'x' });
    await setting({}, { hooks, policy: [() => 'deny'] }).act();
    await setting({}, { hooks, signal: AbortSignal.abort() }).act();
    expect(seen).toEqual(['ok', 'invalid', 'denied policy', 'aborted']);
  });

  it('replaces what the model is told; what was foreign stays foreign', async () => {
    const { act } = setting({ trust: 'untrusted' }, { hooks: [{ afterTool: () => 'redacted' }] });
    const result = await act();
    expect(textOf(result)).toBe('redacted');
    expect(result.message.trust).toBe('untrusted');
  });

  it('that throws or gives nonsense leaves the result as it was, with a warning', async () => {
    for (const afterTool of [
      () => {
        throw new Error('x');
      },
      async () => {
        throw new Error('x');
      },
      () => 5 as any,
    ]) {
      const { act, run } = setting({}, { hooks: [{ afterTool }] });
      expect(textOf(await act())).toBe('done');
      expect(run.story()).toEqual(['tool.request', 'tool.start 1', 'warning', 'tool.end ok']);
    }
  });

  it('that never answers does not keep an aborted run from ending', async () => {
    const controller = new AbortController();
    const gate = deferred();
    const { act } = setting({}, { hooks: [{ afterTool: () => gate.promise }], signal: controller.signal });
    const pending = act();
    await idle();
    controller.abort();
    expect((await pending).record.outcome).toBe('ok');
  });
});
