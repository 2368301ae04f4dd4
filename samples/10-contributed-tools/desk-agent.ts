import { Agent, AgentConfig, Tool } from 'toolwright';

/** Takes the tools of all packages, and asks before each of their calls: nobody has vouched for them. */
@AgentConfig({ instructions: 'You help at a desk.', contributed: true })
export class DeskAgent extends Agent {
  @Tool({ description: 'Who is at the desk today.', annotations: { readOnly: true } })
  whoIsThere() {
    return ['Ada', 'Bo'];
  }
}

/** Believes what the notes say of their tools. */
@AgentConfig({ contributed: { only: ['acme-notes'], trustAnnotations: ['acme-notes'] } })
export class TrustingDeskAgent extends DeskAgent {}
