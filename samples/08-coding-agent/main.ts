import 'reflect-metadata';
import { createInterface } from 'node:readline/promises';
import { AgentRunner } from 'toolwright';
import { CodingAgent } from './coding-agent';
import { terminalApprover } from './terminal-approver';

/** `OPENAI_API_KEY=… npx ts-node -T samples/08-coding-agent/main.ts ./repository "Fix the failing test"` */
async function main([repository = '.', ...words]: readonly string[]): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const approve = terminalApprover(
    (question) => terminal.question(question),
    (text) => void process.stdout.write(text),
  );
  try {
    const result = await new AgentRunner().run(CodingAgent, words.join(' '), { deps: { repository }, model: 'openai:gpt-5-mini', approve });
    console.log(result.text);
  } finally {
    terminal.close();
  }
}

void main(process.argv.slice(2));
