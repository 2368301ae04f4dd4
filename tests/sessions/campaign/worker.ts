import 'reflect-metadata';
import { AgentRunner, decide, SessionError, type Message } from 'toolwright';
import { FileSessions } from 'toolwright/sessions';
import { callTool, functionModel, say } from 'toolwright/testing';
import { Clerk } from './agent';

/*
 * Brings one session to its end, wherever it stands: begins the run, goes on with one that was cut off, and approves what waits.
 * Usage: worker <folder> <session> <log>
 */

const [, , folder = '', session = '', log = ''] = process.argv;

const STEPS = [
  () => callTool('read', { account: 'a1' }),
  () => callTool('pay', { to: 'bo' }),
  () => [callTool('set_limit', { limit: 5 }), callTool('read', { account: 'a2' })],
  () => callTool('researcher', { task: 'Find x.' }),
  () => [callTool('read', { account: 'a3' }), callTool('pay', { to: 'cy' })],
];

const answers = (messages: readonly Message[]): number => messages.filter(({ role }) => role === 'assistant').length;

const model = functionModel((request) => {
  const so = answers(request.messages);
  if (request.tools.some(({ name }) => name === 'find')) return so === 0 ? callTool('find', { fact: 'x' }) : say('x is found');
  return STEPS[so]?.() ?? say('All done.');
});

async function main(): Promise<void> {
  const runner = new AgentRunner({ model, sessions: new FileSessions(folder, { sync: false }) });
  const deps = { log };
  const approve = () => 'defer' as const;
  process.send?.('ready');
  for (;;) {
    const { status, pending } = await runner.inspect({ session });
    if (status === 'ended') return;
    if (status === 'new') await runner.run(Clerk, 'Do it all.', { session, deps, approve });
    else {
      const decisions = pending.map((call) => decide(call, 'approve'));
      await runner.resume(Clerk, { session }, { deps, approve, ...(status === 'paused' && { decisions }) });
    }
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(SessionError.is(error) ? 3 : 2);
  },
);
