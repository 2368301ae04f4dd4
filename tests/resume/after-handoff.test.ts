import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, decide, handoff } from 'toolwright';
import { callTool, expectRequest, say, scripted } from 'toolwright/testing';
import { Effects, later, MailAgent } from './agents';

@AgentConfig({ name: 'desk', instructions: 'You pass on.', tools: [handoff(MailAgent, { deps: (deps: Effects) => deps })] })
class Desk extends Agent<string, Effects> {}

test('a run that was handed over pauses and goes on with the agent that has it', async () => {
  const deps = new Effects();
  const first = new AgentRunner({ model: scripted([callTool('transfer_to_mail_agent'), callTool('send_mail', { to: 'bo', text: 'Hi' })]) });
  const paused = await first.run(Desk, 'Write to Bo.', { deps, approve: later });
  if (paused.stopReason !== 'paused') throw new Error(paused.stopReason);
  expect(paused.agent).toBe('mail_agent');
  const decisions = paused.pending.map((call) => decide(call, 'approve'));
  const model = scripted([[expectRequest({ system: 'You write mails.' }), say('Sent.')]]);
  const runner = new AgentRunner({ model });
  await expect(runner.resume(Desk, paused.snapshot, { deps, decisions })).rejects.toThrow(/one of the agent mail_agent/);
  expect((await runner.resume(MailAgent, paused.snapshot, { deps, decisions })).text).toBe('Sent.');
  expect(deps.done).toEqual(['bo: Hi']);
});
