import 'reflect-metadata';
import {
  AgentConfig,
  AgentRunner,
  decide,
  DecisionError,
  SnapshotError,
  UsageError,
  type PausedRun,
  type PendingCall,
  type RunnerOptions,
} from 'toolwright';
import { callTool, callTools, scripted, testEnvironment } from 'toolwright/testing';
import { Effects, later, ParallelMailAgent } from './agents';

/*
 * A turn with a finished call, two that wait for approval and one that is executed elsewhere; then decisions that do not hold. Whatever is
 * sent, no tool runs, the error says why, and a decision that holds still works afterwards.
 */

const mail = (to: string) => callTool('send_mail', { to, text: 'Hi' }, { id: `call_${to}` });
const CALLS = callTools([
  callTool('look_up', { name: 'bo' }, { id: 'done' }),
  mail('bo'),
  mail('cy'),
  callTool('ask_person', { question: 'Why?' }, { id: 'outside' }),
]);

async function paused(deps: Effects, options: RunnerOptions = {}, expires?: number): Promise<PausedRun> {
  const approve = expires === undefined ? later : () => ({ defer: null, expires });
  const result = await new AgentRunner({ model: scripted([CALLS]), ...options }).run(ParallelMailAgent, 'Go', { deps, approve });
  if (result.stopReason !== 'paused') throw new Error(result.stopReason);
  return result;
}

type Forged = (
  calls: { readonly bo: PendingCall; readonly cy: PendingCall; readonly outside: PendingCall },
  elsewhere: PendingCall,
) => unknown;
const yes = { approve: true };

const TABLE: readonly [string, Forged, RegExp][] = [
  ['an unknown call', ({ bo }) => [{ ...decide(bo, 'approve'), callId: 'call_x' }], /no call "call_x" waits/],
  [
    'a call named like a property of every object',
    ({ bo }) => [{ ...decide(bo, 'approve'), callId: '__proto__' }],
    /no call "__proto__" waits/,
  ],
  ['a call that has its result', ({ bo }) => [{ ...decide(bo, 'approve'), callId: 'done', name: 'look_up' }], /has its result already/],
  ['another tool', ({ bo }) => [{ ...decide(bo, 'approve'), name: 'delete_all' }], /is one of `send_mail`/],
  [
    'the digest of another call',
    ({ bo, cy }) => [{ ...decide(bo, 'approve'), digest: cy.digest }],
    /digest is not that of the call call_bo/,
  ],
  [
    'digests that were swapped',
    ({ bo, cy }) => [
      { ...decide(bo, 'approve'), digest: cy.digest },
      { ...decide(cy, 'deny'), digest: bo.digest },
    ],
    /call_bo[\s\S]*call_cy/,
  ],
  ['a digest that was cut', ({ bo }) => [{ ...decide(bo, 'approve'), digest: bo.digest.slice(1) }], /digest/],
  ['the same call in another run', (_, elsewhere) => [decide(elsewhere, 'approve')], /digest/],
  ['no digest', ({ bo }) => [{ callId: bo.callId, name: bo.name, ...yes }], /must name `callId`, `name` and `digest`/],
  ['arguments of its own', ({ bo }) => [{ ...decide(bo, 'approve'), arguments: { to: 'eve', text: 'x' } }], /unknown field "arguments"/],
  ['one call twice', ({ bo }) => [decide(bo, 'approve'), decide(bo, 'deny')], /decided twice/],
  ['two answers at once', ({ bo }) => [{ ...decide(bo, 'approve'), deny: 'no' }], /exactly one of .*got approve and deny/],
  ['no answer', ({ bo }) => [{ callId: bo.callId, name: bo.name, digest: bo.digest }], /exactly one of .*got none/],
  ['an approval that is a text', ({ bo }) => [{ ...decide(bo, 'approve'), approve: 'no' }], /`approve` can only be true/],
  ['an edit that is no object', ({ bo }) => [{ ...decide(bo, 'deny'), deny: undefined, edit: 'to: eve' }], /`edit` must be an object/],
  ['a result for a call that waits for approval', ({ bo }) => [decide(bo, { result: 'sent' })], /cannot be given a result/],
  ['an approval of an external call', ({ outside }) => [decide(outside, 'approve')], /needs no approval/],
  ['an edit of an external call', ({ outside }) => [decide(outside, { edit: {} })], /needs no approval/],
  ['a good decision beside a bad one', ({ bo, cy }) => [decide(bo, 'approve'), { ...decide(cy, 'approve'), digest: '' }], /call_cy/],
  ['something else than decisions', () => [null, 'approve', 7, []], /decisions\[0\][\s\S]*decisions\[3\]/],
  ['no list', () => ({ approve: true }), /must be a list/],
];

test.each(TABLE)('%s is refused with words, and nothing runs', async (_, forge, words) => {
  const deps = new Effects();
  const stopped = await paused(deps);
  const [bo, cy, outside] = stopped.pending as [PendingCall, PendingCall, PendingCall];
  const elsewhere = (await paused(new Effects())).pending[0]!;
  const before = deps.done.slice();
  const runner = new AgentRunner({ model: scripted([], { strict: false }) });
  const error: unknown = await runner
    .resume(ParallelMailAgent, stopped.snapshot, { deps, decisions: forge({ bo, cy, outside }, elsewhere) as never })
    .catch((thrown: unknown) => thrown);
  expect(DecisionError.is(error)).toBe(true);
  expect((error as DecisionError).message).toMatch(words);
  expect(deps.done).toEqual(before);

  const result = await runner.resume(ParallelMailAgent, stopped.snapshot, { deps, decisions: [decide(bo, 'approve')] });
  expect(result.stopReason).toBe('paused');
  expect(deps.done).toEqual([...before, 'bo: Hi']);
});

test('a decision is good once: a snapshot that was resumed is refused, and so is its decision in the next one', async () => {
  const deps = new Effects();
  const stopped = await paused(deps);
  const decisions = [decide(stopped.pending[0]!, 'approve')];
  const runner = new AgentRunner({ model: scripted([]) });
  const next = await runner.resume(ParallelMailAgent, stopped.snapshot, { deps, decisions });
  await expect(runner.resume(ParallelMailAgent, stopped.snapshot, { deps, decisions })).rejects.toThrow(SnapshotError);
  if (next.stopReason !== 'paused') throw new Error(next.stopReason);
  await expect(runner.resume(ParallelMailAgent, next.snapshot, { deps, decisions })).rejects.toThrow(/has its result already/);
  expect(deps.done.filter((one) => one === 'bo: Hi')).toHaveLength(1);
});

test('of two who resume one snapshot at once one wins, and nothing happens twice', async () => {
  const deps = new Effects();
  const stopped = await paused(deps);
  const decisions = [decide(stopped.pending[0]!, 'approve')];
  const runner = new AgentRunner({ model: scripted([]) });
  const both = await Promise.allSettled([1, 2].map(() => runner.resume(ParallelMailAgent, stopped.snapshot, { deps, decisions })));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(deps.done.filter((one) => one === 'bo: Hi')).toHaveLength(1);
});

test('a question that expired can only be denied', async () => {
  const deps = new Effects();
  let now = 1_000;
  const environment = { ...testEnvironment(), now: () => now };
  const stopped = await paused(deps, { environment }, 60_000);
  now += 60_000;
  const runner = new AgentRunner({ model: scripted([]), environment });
  const [bo] = stopped.pending;
  for (const answer of ['approve', { edit: { to: 'x', text: 'y' } }] as const)
    await expect(runner.resume(ParallelMailAgent, stopped.snapshot, { deps, decisions: [decide(bo!, answer)] })).rejects.toThrow(
      /expired at/,
    );
  await runner.resume(ParallelMailAgent, stopped.snapshot, { deps, decisions: [decide(bo!, 'deny')] });
  expect(deps.done).toEqual(['look up bo']);
});

test('nothing decided is no resume', async () => {
  const stopped = await paused(new Effects());
  await expect(
    new AgentRunner({ model: scripted([]) }).resume(ParallelMailAgent, stopped.snapshot, { deps: new Effects() }),
  ).rejects.toThrow(UsageError);
});

describe('authorizeDecision', () => {
  test.each([
    ['false', () => false],
    ['something that is not plainly true', () => 'yes' as unknown as boolean],
    ['an error', () => Promise.reject(new Error('the directory is down'))],
  ])('%s allows nothing', async (_, authorizeDecision) => {
    const deps = new Effects();
    const stopped = await paused(deps);
    const runner = new AgentRunner({ model: scripted([]), authorizeDecision });
    const decisions = [decide(stopped.pending[0]!, 'approve')];
    await expect(runner.resume(ParallelMailAgent, stopped.snapshot, { deps, decisions })).rejects.toThrow(/did not allow/);
    expect(deps.done).toEqual(['look up bo']);
  });

  test('sees the decision, the call, and who brings it', async () => {
    const deps = new Effects();
    const stopped = await paused(deps);
    const asked: unknown[] = [];
    const runner = new AgentRunner({
      model: scripted([]),
      authorizeDecision: ({ decision, call }, context) => {
        asked.push([decision, call.arguments, context.metadata['user']]);
        return context.metadata['user'] === 'ada';
      },
    });
    const decision = decide(stopped.pending[0]!, 'approve');
    await runner.resume(ParallelMailAgent, stopped.snapshot, { deps, decisions: [decision], metadata: { user: 'ada' } });
    expect(asked).toEqual([[decision, { to: 'bo', text: 'Hi' }, 'ada']]);
  });
});

test('policies still hold for what was approved meanwhile', async () => {
  const deps = new Effects();
  const stopped = await paused(deps);
  @AgentConfig({ name: 'mail_agent', policy: { deny: ['send_mail'] } })
  class Stricter extends ParallelMailAgent {}
  const result = await new AgentRunner({ model: scripted([]) }).resume(Stricter, stopped.snapshot, {
    deps,
    decisions: [decide(stopped.pending[0]!, 'approve')],
  });
  expect(result.toolCalls.find(({ id }) => id === 'call_bo')).toMatchObject({ outcome: 'denied', reason: 'policy' });
  expect(deps.done).toEqual(['look up bo']);
});
