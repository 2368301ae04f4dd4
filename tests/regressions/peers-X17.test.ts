import 'reflect-metadata';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, AgentConfig, AgentRunner, defineTool } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';
import { withRetries } from '../../src/models/retry';

const STALL = 40;
const slow = defineTool({ name: 'slow', description: 'Takes its time.', execute: () => wait(3 * STALL, 'done') });

@AgentConfig({ tools: [slow] })
class Patient extends Agent {}

test('X17: a model counts as silent only while it is asked, however long a tool takes', async () => {
  const script = scripted([callTool('slow'), say('Done.')]);
  const model = withRetries(script, { stallTimeout: STALL, attempts: 1 });
  const result = await new AgentRunner({ model }).run(Patient, 'Go');
  expect(result).toMatchObject({ text: 'Done.', warnings: [] });
  expect(result.toolCalls[0]).toMatchObject({ outcome: 'ok', attempts: 1 });
  expect(script.requests.map(({ signal }) => signal.aborted)).toEqual([false, false]);
});
