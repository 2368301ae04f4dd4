import 'reflect-metadata';
import { AgentRunner, type RunResult } from 'toolwright';
import { FileSessions } from 'toolwright/sessions';
import { ImportAgent, type Work } from './import-agent';
import { model } from './model';

/** Brings the job to its end, wherever an earlier process left it. */
async function finish(runner: AgentRunner, session: string, deps: Work): Promise<RunResult> {
  const { status } = await runner.inspect({ session });
  return status === 'cut-off'
    ? runner.resume(ImportAgent, { session }, { deps })
    : runner.run(ImportAgent, 'Import the customers and send the report.', { session, deps });
}

async function main([folder = './sessions', log = './work.txt', slowness = '2000']: readonly string[]): Promise<void> {
  const runner = new AgentRunner({ model, sessions: new FileSessions(folder) });
  const result = await finish(runner, 'nightly-import', { log, slowness: Number(slowness) });
  for (const { name, outcome } of result.toolCalls) console.log(`${name}: ${outcome}`);
  console.log(result.text);
}

void main(process.argv.slice(2));
