import { Service } from 'typedi';
import { Agent, AgentConfig, Param, Preview, Tool, ToolResult } from 'toolwright';

@Service()
export class Outbox {
  readonly sent: { readonly to: string; readonly text: string }[] = [];
}

@AgentConfig({ instructions: 'You write mails for the user.' })
export class MailAgent extends Agent {
  constructor(private readonly outbox: Outbox) {
    super();
  }

  // Asked for every address outside of the house.
  @Tool({ description: 'Sends a mail.', requiresApproval: ({ to }: { to: string }) => !to.endsWith('@example.com') })
  sendMail(@Param('to', { format: 'email' }) to: string, @Param('text') text: string) {
    this.outbox.sent.push({ to, text });
    return ToolResult.success({ to }, { message: 'The mail is sent.', effects: [{ sent: to }] });
  }

  @Preview('sendMail')
  previewMail(to: string, text: string) {
    return `To: ${to}\n\n${text}`;
  }
}
