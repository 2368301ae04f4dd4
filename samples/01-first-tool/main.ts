import 'reflect-metadata';
import { AgentRunner } from 'toolwright';
import { ClockAgent } from './clock-agent';

async function main(): Promise<void> {
  // The offline model needs no key. Write 'openai:gpt-5-mini' for a real one.
  const runner = new AgentRunner({ model: process.env.TOOLWRIGHT_MODEL ?? 'offline:' });
  const result = await runner.run(ClockAgent, 'What is the time in Europe/Oslo?');
  console.log(result.text);
}

void main();
