import 'reflect-metadata';
import 'toolwright/testing/jest';
import { AgentConfig, ReplayError } from 'toolwright';
import type { RunRecord } from 'toolwright';
import { callTool, createTestRunner, say, scripted } from 'toolwright/testing';
import { Tickets, TravelAgent } from './travel-agent';

/** What really happened one day: the model booked the later train. */
async function thatDay() {
  const tickets = { sold: [] as string[] };
  let record!: RunRecord;
  const runner = createTestRunner({
    model: scripted([callTool('trains', { to: 'Bergen' }), callTool('book', { to: 'Bergen', at: '12:03' }), say('You leave at 12:03.')]),
    overrides: [{ provide: Tickets, useValue: tickets }],
  });
  const result = await runner.run(TravelAgent, 'To Bergen, early please.', { record: (whole) => (record = whole) });
  return { result, record: JSON.parse(JSON.stringify(record)) as RunRecord, tickets };
}

/** A runner of another day: what it sells is known apart. */
function today(...steps: Parameters<typeof scripted>[0]) {
  const tickets = { sold: [] as string[] };
  return { tickets, runner: createTestRunner({ model: scripted(steps), overrides: [{ provide: Tickets, useValue: tickets }] }) };
}

describe('time travel', () => {
  it('sees again what happened, and sells nothing', async () => {
    const { result, record } = await thatDay();
    const { runner, tickets } = today();
    expect(await runner.replay(TravelAgent, record)).toEqual(result);
    expect(tickets.sold).toEqual([]);
  });

  it('asks what would have happened, had the model chosen the early train', async () => {
    const { record } = await thatDay();
    const { runner, tickets } = today(say('You leave at 08:25.'));
    const answer = { calls: [{ name: 'book', arguments: { to: 'Bergen', at: '08:25' } }] };
    const result = await runner.branch(TravelAgent, record, { turn: 2, answer });
    expect(result.text).toBe('You leave at 08:25.');
    expect(tickets.sold).toEqual(['Bergen 08:25']);
    expect(result).toHaveCalledTools([
      ['trains', { to: 'Bergen' }],
      ['book', { to: 'Bergen', at: '08:25' }],
    ]);
  });

  it('notices that the instructions have changed since', async () => {
    @AgentConfig({ name: 'travel_agent', instructions: 'You book trains.' })
    class Shorter extends TravelAgent {}
    const { record } = await thatDay();
    const replay = today().runner.replay(Shorter, record);
    await expect(replay).rejects.toThrow(ReplayError);
    await expect(replay).rejects.toThrow(/`instructions` was "You book trains from Oslo/);
  });
});
