import 'reflect-metadata';
import { AgentRunner, decide, isToolwrightError, UsageError } from 'toolwright';
import { FileSessions } from 'toolwright/sessions';
import { readLink } from './link';
import { RefundAgent } from './refund-agent';

// The second process: what a web server does when somebody opens the link and presses a button.
async function main([link = '', word = 'deny', folder = './sessions', books = './refunds.txt']: readonly string[]): Promise<void> {
  if (!URL.canParse(link)) throw new UsageError('Give the link that `ask.ts` printed: answer.ts <link> approve|deny.');
  const { session, ...call } = readLink(link);
  const runner = new AgentRunner({ model: process.env.TOOLWRIGHT_MODEL ?? 'offline:', sessions: new FileSessions(folder) });
  const decisions = [decide(call, word === 'approve' ? 'approve' : { deny: 'The customer was refunded already.' })];
  const result = await runner.resume(RefundAgent, { session }, { decisions, deps: { path: books } });
  console.log(result.text);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(isToolwrightError(error) ? `${error.name}: ${error.message}` : error);
  process.exitCode = 1;
});
