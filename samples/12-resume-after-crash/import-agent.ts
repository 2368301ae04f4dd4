import { appendFileSync } from 'node:fs';
import { Agent, AgentConfig, Ctx, Tool, type ToolContext } from 'toolwright';

/** Where the work is written down, and how long each piece takes. */
export interface Work {
  readonly log: string;
  readonly slowness: number;
}

const work = ({ deps }: ToolContext<Work>, what: string): Promise<void> => {
  appendFileSync(deps.log, `${what}\n`);
  return new Promise((resolve) => setTimeout(resolve, deps.slowness));
};

@AgentConfig({ name: 'import_agent', instructions: 'You import customers.' })
export class ImportAgent extends Agent<string, Work> {
  // Importing twice is like importing once, so a call that was cut off is made again.
  @Tool({ description: 'Imports all customers.', annotations: { idempotent: true } })
  async importCustomers(@Ctx() context: ToolContext<Work>): Promise<string> {
    await work(context, 'import');
    return 'Imported 12 customers.';
  }

  // A mail that may have been sent is not sent again: the model is told that nobody knows.
  @Tool({ description: 'Sends the report by mail.' })
  async sendReport(@Ctx() context: ToolContext<Work>): Promise<string> {
    await work(context, 'mail');
    return 'The report is sent.';
  }
}
