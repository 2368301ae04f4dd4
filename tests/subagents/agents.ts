import 'reflect-metadata';
import { Agent, AgentConfig, Param, Tool, ToolContext, ToolResult, agentTool } from 'toolwright';

/** What tools did, in order; reset by `fresh`. */
export const log: string[] = [];
export function fresh(): void {
  log.length = 0;
}

@AgentConfig({ description: 'Looks a topic up.', instructions: 'You look things up.' })
export class Research extends Agent {
  @Tool({ description: 'Looks a word up.', annotations: { readOnly: true, openWorld: false } })
  lookUp(@Param('word') word: string) {
    log.push(`look_up ${word}`);
    return `${word} means ${word.length}`;
  }

  @Tool({ description: 'Reads a page.', annotations: { readOnly: true, openWorld: false }, trust: 'untrusted' })
  readPage(@Param('url') url: string) {
    log.push(`read_page ${url}`);
    return `the page ${url}`;
  }

  @Tool({ description: 'Saves a note.' })
  save(@Param('note') note: string) {
    log.push(`save ${note}`);
    return 'saved';
  }

  @Tool({ description: 'Sends a mail.', requiresApproval: true })
  send(@Param('to') to: string) {
    log.push(`send ${to}`);
    return ToolResult.success({ to });
  }
}

@AgentConfig({ instructions: 'You lead.', subagents: [Research] })
export class Lead extends Agent<string, { user: string }> {
  @Tool({ description: 'Deletes a file.' })
  deleteFile(@Param('path') path: string) {
    log.push(`delete_file ${path}`);
    return 'deleted';
  }
}

@AgentConfig({ name: 'clerk', description: 'Files things.' })
export class Clerk extends Agent<string, { desk: string }> {
  @Tool('Files something.')
  file(@Param('what') what: string, context: ToolContext<{ desk: string }>) {
    log.push(`file ${what} at ${context.deps.desk}`);
    return 'filed';
  }
}

@AgentConfig({
  tools: [agentTool(Clerk, { deps: ({ user }: { user: string }) => ({ desk: `desk of ${user}` }), requiresApproval: false })],
})
export class Office extends Agent<string, { user: string }> {}
