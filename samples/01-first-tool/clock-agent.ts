import { Agent, AgentConfig, Param, Tool } from 'toolwright';

@AgentConfig({ instructions: 'You tell what time it is in different places.' })
export class ClockAgent extends Agent {
  @Tool({ description: 'The time in a time zone.', annotations: { readOnly: true } })
  timeIn(@Param('zone', 'IANA time zone, such as "Europe/Oslo"') zone: string) {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'short' }).format(new Date());
  }
}
