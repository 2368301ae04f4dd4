import 'reflect-metadata';
import {
  Agent,
  AgentConfig,
  AgentRunner,
  decide,
  externalTool,
  Field,
  Param,
  Tool,
  type PausedRun,
  type RunEvent,
  type RunResult,
  type ToolCallRecord,
} from 'toolwright';
import { callTool, callTools, createTestRunner, expectRequest, say, scripted } from 'toolwright/testing';
import { brief } from '../runner/agents';
import { Effects, later, MailAgent, ParallelMailAgent } from './agents';

const mail = (to: string) => callTool('send_mail', { to, text: 'Hi' }, { id: `call_${to}` });

function paused(result: RunResult<unknown>): PausedRun {
  if (result.stopReason !== 'paused') throw new Error(`The run ended as ${result.stopReason}.`);
  return result;
}

const outcomes = (calls: readonly ToolCallRecord[]) => calls.map(({ id, outcome }) => `${id} ${outcome}`);

test('a deferred approval pauses the run, and another runner goes on with it from the text alone', async () => {
  const deps = new Effects();
  const first = await new AgentRunner({ model: scripted([mail('bo')]) }).run(MailAgent, 'Write to Bo.', { deps, approve: later });
  const stopped = paused(first);
  expect(deps.done).toEqual([]);
  expect(stopped.messages).toHaveLength(1);
  expect(stopped.pending).toEqual([
    expect.objectContaining({
      callId: 'call_bo',
      name: 'send_mail',
      label: 'Send mail',
      arguments: { to: 'bo', text: 'Hi' },
      preview: 'To bo: Hi',
      why: { cause: 'tool', text: 'The tool requires approval.' },
    }),
  ]);

  const model = scripted([[expectRequest({ results: [/"to":"bo"/] }), say('Sent.')]]);
  const decisions = JSON.parse(JSON.stringify(stopped.pending.map((call) => decide(call, 'approve'))));
  const result = await new AgentRunner({ model }).resume(MailAgent, stopped.snapshot, { deps, decisions });
  expect(result).toMatchObject({ stopReason: 'completed', text: 'Sent.', runId: first.runId, state: { sent: ['bo'] } });
  expect(deps.done).toEqual(['bo: Hi']);
  expect(deps.keys).toEqual([`${first.runId}:1:0`]);
  expect(brief(result.messages)).toEqual([
    'user: Write to Bo.',
    'assistant: send_mail({"to":"bo","text":"Hi"})',
    'tool ok: {"status":"success","data":{"to":"bo"}}',
    'assistant: Sent.',
  ]);
  expect(result.newMessages).toEqual(result.messages);
  expect(result.usage.requests).toBe(2);
});

test.each([
  [{ deny: 'Not to them.' }, 'denied', /Not to them\./, []],
  [{ edit: { to: 'cy', text: 'Ho' } }, 'ok', /arguments were changed by a person/, ['cy: Ho']],
  [{ edit: { to: 5 } }, 'denied', /not your mistake/, []],
] as const)('a decision %j reaches the call', async (answer, outcome, told, done) => {
  const deps = new Effects();
  const stopped = paused(await new AgentRunner({ model: scripted([mail('bo')]) }).run(MailAgent, 'Go', { deps, approve: later }));
  const result = await new AgentRunner({ model: scripted([say('Done.')]) }).resume(MailAgent, stopped.snapshot, {
    deps,
    decisions: [decide(stopped.pending[0]!, answer)],
  });
  expect(result.toolCalls[0]).toMatchObject({ outcome, ...(outcome === 'denied' && { reason: 'approval' }) });
  expect(JSON.stringify(result.toolCalls[0]!.content)).toMatch(told);
  expect(deps.done).toEqual(done);
});

test.each([
  [{ result: { answer: 42 } }, 'ok', /42/],
  [{ failure: 'They are on holiday.' }, 'error', /on holiday/],
  [{ deny: 'Do not ask them.' }, 'denied', /Do not ask them/],
] as const)('an external tool is given %j and never entered', async (answer, outcome, told) => {
  const deps = new Effects();
  const stopped = paused(
    await new AgentRunner({ model: scripted([callTool('ask_person', { question: 'Why?' })]) }).run(MailAgent, 'Go', { deps }),
  );
  expect(stopped.pending[0]!.why.cause).toBe('external');
  const result = await new AgentRunner({ model: scripted([say('Done.')]) }).resume(MailAgent, stopped.snapshot, {
    deps,
    decisions: [decide(stopped.pending[0]!, answer)],
  });
  expect(result.toolCalls[0]).toMatchObject({ outcome });
  expect(JSON.stringify(result.toolCalls[0]!.content)).toMatch(told);
});

test('in turn, later calls wait behind one that waits, and the earlier ones are not run again', async () => {
  const deps = new Effects();
  const calls = [callTool('look_up', { name: 'bo' }, { id: 'l' }), mail('bo'), mail('cy')];
  const stopped = paused(await new AgentRunner({ model: scripted([calls]) }).run(MailAgent, 'Go', { deps, approve: later }));
  expect(stopped.pending.map(({ callId }) => callId)).toEqual(['call_bo']);
  expect(outcomes(stopped.toolCalls)).toEqual(['l ok']);
  expect(stopped.usage.toolCalls).toBe(1);

  const again = paused(
    await new AgentRunner().resume(MailAgent, stopped.snapshot, {
      deps,
      approve: later,
      model: scripted([]),
      decisions: [decide(stopped.pending[0]!, 'approve')],
    }),
  );
  expect(again.pending.map(({ callId }) => callId)).toEqual(['call_cy']);
  const result = await new AgentRunner({ model: scripted([say('Done.')]) }).resume(MailAgent, again.snapshot, {
    deps,
    decisions: [decide(again.pending[0]!, 'approve')],
  });
  expect(outcomes(result.toolCalls)).toEqual(['l ok', 'call_bo ok', 'call_cy ok']);
  expect(deps.done).toEqual(['look up bo', 'bo: Hi', 'cy: Hi']);
  expect(result.state).toEqual({ sent: ['bo', 'cy'] });
  expect(result.usage.toolCalls).toBe(3);
});

test('side by side, what needs no decision runs, and answers come in any order and in part', async () => {
  const deps = new Effects();
  const calls = callTools([mail('bo'), callTool('look_up', { name: 'dy' }, { id: 'l' }), mail('cy')]);
  const stopped = paused(await new AgentRunner({ model: scripted([calls]) }).run(ParallelMailAgent, 'Go', { deps, approve: later }));
  expect(deps.done).toEqual(['look up dy']);
  const [bo, cy] = stopped.pending;
  const half = paused(
    await new AgentRunner({ model: scripted([]) }).resume(ParallelMailAgent, stopped.snapshot, {
      deps,
      decisions: [decide(cy!, 'approve')],
    }),
  );
  expect(half.pending).toEqual([bo]);
  const result = await new AgentRunner({ model: scripted([say('Done.')]) }).resume(ParallelMailAgent, half.snapshot, {
    deps,
    decisions: [decide(bo!, 'deny')],
  });
  expect(deps.done).toEqual(['look up dy', 'cy: Hi']);
  expect(outcomes(result.toolCalls)).toEqual(['call_bo denied', 'l ok', 'call_cy ok']);
  expect(result.messages.filter(({ role }) => role === 'tool')).toHaveLength(3);
});

test('over pause and resume each call has one request, one question, one decision and one end', async () => {
  const deps = new Effects();
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => void events.push(event);
  const stopped = paused(await new AgentRunner({ model: scripted([mail('bo')]) }).run(MailAgent, 'Go', { deps, approve: later, onEvent }));
  await new AgentRunner({ model: scripted([say('Done.')]) }).resume(MailAgent, stopped.snapshot, {
    deps,
    onEvent,
    decisions: [decide(stopped.pending[0]!, 'approve')],
  });
  const told = events.map((event) => (event.type === 'tool.approval' ? `${event.type} ${event.decision ?? ''}`.trim() : event.type));
  expect(told.filter((type) => type.startsWith('tool') || type.startsWith('run'))).toEqual([
    'run.start',
    'tool.request',
    'tool.approval',
    'tool.defer',
    'run.end',
    'run.start',
    'run.restore',
    'tool.approval approve',
    'tool.start',
    'tool.end',
    'run.end',
  ]);
  expect(events.map(({ seq }) => seq).slice(-5)).toEqual(events.map((_, at) => at).slice(-5));
  expect(events.find(({ type }) => type === 'run.restore')).toMatchObject({
    from: 'snapshot',
    decided: ['call_bo'],
    waiting: [],
    settled: [],
  });
  expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
});

test('a stream resumes as a run does, and knows its run', async () => {
  const deps = new Effects();
  const stopped = paused(await new AgentRunner({ model: scripted([mail('bo')]) }).run(MailAgent, 'Go', { deps, approve: later }));
  const run = new AgentRunner({ model: scripted([say('Done.')]) }).resumeStream(MailAgent, stopped.snapshot, {
    deps,
    decisions: [decide(stopped.pending[0]!, 'approve')],
  });
  const types: string[] = [];
  for await (const event of run) types.push(event.type);
  expect(types[0]).toBe('run.start');
  expect(run.runId).toBe(stopped.runId);
  expect((await run.result).text).toBe('Done.');
});

test('what an approver defers with comes back with the call, and so does its time', async () => {
  const runner = createTestRunner({ model: scripted([mail('bo')]) });
  const approve = () => ({ defer: { askedOf: 'ada' }, expires: 1_000 });
  const { pending } = paused(await runner.run(MailAgent, 'Go', { deps: new Effects(), approve }));
  expect(pending[0]).toMatchObject({ data: { askedOf: 'ada' }, expiresAt: pending[0]!.askedAt + 1_000 });
});

test('an external tool as a value needs no `execute`', async () => {
  const confirm = externalTool({ name: 'confirm', description: 'Asks the user.', parameters: { text: 'What to ask' } });
  @AgentConfig({ tools: [confirm] })
  class Asking extends Agent {}
  const stopped = paused(await new AgentRunner({ model: scripted([callTool('confirm', { text: 'Sure?' })]) }).run(Asking, 'Go'));
  expect(stopped.pending[0]).toMatchObject({ name: 'confirm', arguments: { text: 'Sure?' } });
});

test('budgets count on over a pause', async () => {
  const deps = new Effects();
  const stopped = paused(
    await new AgentRunner({ model: scripted([mail('bo')]) }).run(MailAgent, 'Go', { deps, approve: later, limits: { maxTurns: 1 } }),
  );
  const result = await new AgentRunner({ model: scripted([say('That is all.')]) }).resume(MailAgent, stopped.snapshot, {
    deps,
    decisions: [decide(stopped.pending[0]!, 'approve')],
  });
  expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxTurns', text: 'That is all.' });
});

test('steering that nobody had read yet is read after the resume', async () => {
  const deps = new Effects();
  const run = new AgentRunner({ model: scripted([mail('bo')]) }).start(MailAgent, 'Go', {
    deps,
    approve: () => {
      run.steer('In German, please.');
      return 'defer' as const;
    },
  });
  const stopped = paused(await run.result);
  const model = scripted([[expectRequest({ user: /German/ }), say('Fertig.')]]);
  await new AgentRunner({ model }).resume(MailAgent, stopped.snapshot, { deps, decisions: [decide(stopped.pending[0]!, 'approve')] });
});

class Sent {
  @Field({ type: String })
  to!: string;
}

test.each([
  ['by a tool', 'natively', false, true],
  ['natively', 'by a tool', true, false],
])('a run that asked for its answer %s goes on with a model that gives it %s', async (_, __, before, after) => {
  @AgentConfig({ name: 'mail_agent', instructions: 'You write mails.', output: Sent, parallelToolCalls: true })
  class Reporter extends Agent<Sent> {
    @Tool({ description: 'Sends a mail.', requiresApproval: true })
    sendMail(@Param('to', { type: String }) to: string): string {
      return `sent to ${to}`;
    }
  }
  const answer = { to: 'bo' };
  const asks = callTool('send_mail', answer);
  const first = before ? asks : [asks, callTool('final_answer', answer)];
  const stopped = await new AgentRunner({ model: scripted([first], { capabilities: { jsonSchema: before } }) }).run(Reporter, 'Go', {
    approve: later,
  });
  if (stopped.stopReason !== 'paused') throw new Error(stopped.stopReason);
  const then = before ? [callTool('final_answer', answer)] : [];
  const decisions = stopped.pending.map((call) => decide(call, 'approve'));
  const runner = new AgentRunner({ model: scripted(then, { capabilities: { jsonSchema: after } }) });
  const result = await runner.resume(Reporter, stopped.snapshot, { decisions });
  expect(result).toMatchObject({ stopReason: 'completed', output: answer });
  expect(result.toolCalls.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(['send_mail ok']);
});
