import 'reflect-metadata';
import { Agent, AgentConfig } from 'toolwright';
import { callTool, createTestRunner, say, scripted } from 'toolwright/testing';
import { DateTimeTools } from 'toolwright/toolsets';
import { zonedTime } from '../../src/toolsets/date-time/zoned-time';

async function ask(args: object, toolset: typeof DateTimeTools = DateTimeTools): Promise<{ outcome: string; text: string }> {
  @AgentConfig({ instructions: 'x', toolsets: [toolset] })
  class Clerk extends Agent {}
  const runner = createTestRunner({ model: scripted([callTool('current_time', args), say('Done.')]), now: Date.UTC(2026, 2, 1, 12, 5, 9) });
  const result = await runner.run(Clerk, 'Go.');
  const message = result.messages.find((one) => one.role === 'tool')!;
  return { outcome: result.toolCalls[0]!.outcome, text: message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') };
}

describe('current_time', () => {
  it('tells the time of the runner’s clock, in UTC unless told otherwise', async () => {
    expect(JSON.parse((await ask({})).text)).toEqual({
      time: expect.stringMatching(/^2026-03-01T12:05:\d\d\+00:00$/),
      weekday: 'Sunday',
      time_zone: 'UTC',
      utc: expect.stringMatching(/^2026-03-01T12:05/),
    });
  });

  it('takes a zone from the model, or from the host', async () => {
    expect((await ask({ timezone: 'Asia/Tokyo' })).text).toContain('2026-03-01T21:05');
    expect((await ask({}, DateTimeTools.in('America/New_York'))).text).toContain('2026-03-01T07:05');
  });

  it.each(['Mars/Base', '', '../etc', '+02:00', 'x'.repeat(1_000)])('asks again for %j', async (zone) => {
    const { outcome, text } = await ask({ time_zone: zone });
    expect(outcome).not.toBe('ok');
    expect(text).toMatch(/IANA name/);
  });

  it('refuses an unknown zone of the host’s', () => {
    expect(() => DateTimeTools.in('Nowhere')).toThrow(/Europe\/Oslo/);
  });

  it.each([
    ['2026-03-29T00:59:59Z', 'Europe/Oslo', '2026-03-29T01:59:59+01:00'],
    ['2026-03-29T01:00:00Z', 'Europe/Oslo', '2026-03-29T03:00:00+02:00'],
    ['2026-01-01T00:00:00Z', 'Asia/Kathmandu', '2026-01-01T05:45:00+05:45'],
    ['2026-01-01T00:00:00Z', 'America/St_Johns', '2025-12-31T20:30:00-03:30'],
    ['2026-01-01T00:00:00Z', 'UTC', '2026-01-01T00:00:00+00:00'],
  ])('%s is %s %s', (moment, zone, time) => expect(zonedTime(new Date(moment), zone).time).toBe(time));
});
