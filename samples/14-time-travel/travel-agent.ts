import { Service } from 'typedi';
import { Agent, AgentConfig, Param, Tool } from 'toolwright';

@Service()
export class Timetable {
  async trains(to: string): Promise<string[]> {
    return to === 'Bergen' ? ['08:25', '12:03'] : [];
  }
}

@Service()
export class Tickets {
  readonly sold: string[] = [];
}

@AgentConfig({ instructions: 'You book trains from Oslo. Look at the timetable before you book.' })
export class TravelAgent extends Agent {
  constructor(
    private readonly timetable: Timetable,
    private readonly tickets: Tickets,
  ) {
    super();
  }

  @Tool({ description: 'Trains of today.', annotations: { readOnly: true, openWorld: false } })
  trains(@Param('to', 'Where to') to: string) {
    return this.timetable.trains(to);
  }

  @Tool('Buys a ticket.')
  book(@Param('to') to: string, @Param('at', 'When it leaves') at: string) {
    this.tickets.sold.push(`${to} ${at}`);
    return `booked ${to} ${at}`;
  }
}
