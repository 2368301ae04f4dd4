import 'reflect-metadata';
import { AgentRunner } from 'toolwright';
import { FileSessions } from 'toolwright/sessions';
import { linkFor } from './link';
import { RefundAgent } from './refund-agent';

// The first process: the run pauses, its calls are sent to whoever decides, and the process ends.
async function main([folder = './sessions', session = 'ticket-1', books = './refunds.txt']: readonly string[]): Promise<void> {
  const runner = new AgentRunner({ model: process.env.TOOLWRIGHT_MODEL ?? 'offline:', sessions: new FileSessions(folder) });
  const result = await runner.run(RefundAgent, 'Refund the order "A-17", please.', {
    session,
    deps: { path: books },
    approve: () => ({ defer: { sentTo: 'ada@shop.example' }, expires: 24 * 60 * 60 * 1_000 }),
  });
  if (result.stopReason !== 'paused') return console.log(result.text);
  for (const { callId, name, digest, preview } of result.pending) {
    console.log(String(preview));
    console.log(linkFor({ session, callId, name, digest }));
  }
}

void main(process.argv.slice(2));
