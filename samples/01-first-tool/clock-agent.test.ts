import 'reflect-metadata';
import 'toolwright/testing/jest';
import { AgentRunner } from 'toolwright';
import { callTool, createTestRunner, expectRequest, say, scripted } from 'toolwright/testing';
import { ClockAgent } from './clock-agent';

describe('ClockAgent', () => {
  it('tells the time where it is asked for', async () => {
    const model = scripted([callTool('time_in', { zone: 'Europe/Oslo' }), [expectRequest({ results: [/\d\d:\d\d/] }), say('It is noon.')]]);
    const result = await createTestRunner({ model }).run(ClockAgent, 'What is the time in Oslo?');
    expect(result).toHaveCalledTools([['time_in', { zone: 'Europe/Oslo' }]]);
    expect(result.text).toBe('It is noon.');
  });

  it('goes on when the model names a zone that does not exist', async () => {
    const model = scripted([callTool('time_in', { zone: 'Mars/Base' }), say('I do not know that place.')]);
    const result = await createTestRunner({ model }).run(ClockAgent, 'What is the time on Mars?');
    expect(result).toHaveOutcome('time_in', 'error');
    expect(result).toHaveStopReason('completed');
  });

  it('works with the offline model', async () => {
    const result = await new AgentRunner({ model: 'offline:' }).run(ClockAgent, 'What is the time in Europe/Oslo?');
    expect(result).toHaveCalledTool('time_in', { zone: 'Europe/Oslo' });
  });
});
