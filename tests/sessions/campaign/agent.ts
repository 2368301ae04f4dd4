import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { Agent, agentTool, AgentConfig, Ctx, Param, Tool, type ToolContext } from 'toolwright';

/** Where the outside world writes down what really happened to it. */
export interface World {
  readonly log: string;
}

function record(context: ToolContext<World>, what: string): void {
  appendFileSync(context.deps.log, `${JSON.stringify({ what, key: context.idempotencyKey, pid: process.pid })}\n`);
  process.send?.(what);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

@AgentConfig({ name: 'researcher' })
export class Researcher extends Agent<string, World> {
  @Tool({ description: 'Finds a fact.', annotations: { readOnly: true, openWorld: false } })
  async find(@Param('fact', { type: String }) fact: string, @Ctx() context: ToolContext<World>): Promise<string> {
    record(context, `begin find ${fact}`);
    await pause(3);
    record(context, `end find ${fact}`);
    return `${fact}!`;
  }
}

/** Three tools: one that reads, one that may be repeated, one that must not be; two of the calls are approved elsewhere. */
@AgentConfig({
  name: 'clerk',
  limits: { maxTurns: 20 },
  tools: [agentTool(Researcher, { description: 'Finds things out.', deps: (world: World) => world })],
})
export class Clerk extends Agent<string, World> {
  @Tool({ description: 'Reads an account.', annotations: { readOnly: true, openWorld: false } })
  async read(@Param('account', { type: String }) account: string, @Ctx() context: ToolContext<World>): Promise<string> {
    record(context, `begin read ${account}`);
    await pause(3);
    record(context, `end read ${account}`);
    return `${account}: 7`;
  }

  @Tool({ description: 'Sets a limit.', annotations: { idempotent: true }, retries: 0 })
  async setLimit(@Param('limit', { type: Number }) limit: number, @Ctx() context: ToolContext<World>): Promise<string> {
    record(context, `begin limit ${limit}`);
    await pause(3);
    record(context, `end limit ${limit}`);
    return `limit ${limit}`;
  }

  @Tool({ description: 'Pays.', requiresApproval: true })
  async pay(@Param('to', { type: String }) to: string, @Ctx() context: ToolContext<World>): Promise<string> {
    record(context, `begin pay ${to}`);
    await pause(3);
    record(context, `end pay ${to}`);
    return `paid ${to}`;
  }
}

export interface WorldEvent {
  readonly what: string;
  readonly key: string;
  readonly pid: number;
}

export function readWorld(log: string): readonly WorldEvent[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as WorldEvent);
}
