import { Agent, AgentConfig, Param, Preview, Tool, ToolContext, ToolResult } from 'toolwright';
import { ContextUpdate } from 'toolwright';

/** What the tools of the agents below did, in order. */
export class Effects {
  readonly done: string[] = [];
  readonly keys: string[] = [];
}

@AgentConfig({ instructions: 'You write mails.', name: 'mail_agent' })
export class MailAgent extends Agent<string, Effects> {
  @Tool({ description: 'Sends a mail.', requiresApproval: true })
  sendMail(@Param('to', { type: String }) to: string, @Param('text', { type: String }) text: string, context: ToolContext<Effects>) {
    context.deps.done.push(`${to}: ${text}`);
    context.deps.keys.push(context.idempotencyKey);
    return ToolResult.success({ to }, { update: ContextUpdate.of().append('sent', to) });
  }

  @Preview('sendMail')
  preview(to: string, text: string) {
    return `To ${to}: ${text}`;
  }

  @Tool({ description: 'Looks a name up.', annotations: { readOnly: true, openWorld: false } })
  lookUp(@Param('name', { type: String }) name: string, context: ToolContext<Effects>): string {
    context.deps.done.push(`look up ${name}`);
    return `${name}@example.com`;
  }

  @Tool({ description: 'Asks a person.', external: true })
  askPerson(@Param('question', { type: String }) question: string): string {
    throw new Error(`never entered: ${question}`);
  }
}

@AgentConfig({ name: 'mail_agent', parallelToolCalls: true })
export class ParallelMailAgent extends MailAgent {}

export const later = (): 'defer' => 'defer';
