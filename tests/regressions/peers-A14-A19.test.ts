import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, defineTool } from 'toolwright';
import { assertValidTranscript, callTool, callTools, say, scripted } from 'toolwright/testing';

const received: unknown[] = [];
const count = defineTool({
  name: 'count',
  description: 'Counts.',
  parameters: { by: { type: Number, default: 5 } },
  execute: (args) => (received.push(args), args.by),
});

@AgentConfig({ tools: [count] })
class Counter extends Agent {}

beforeEach(() => received.splice(0));

test('A14: calls with empty ids get ids of their own, in their order', async () => {
  const calls = callTools([callTool('count', { by: 1 }, { id: '' }), callTool('count', { by: 2 }, { id: '' })]);
  const { toolCalls, messages } = await new AgentRunner({ model: scripted([calls, say('Done.')]) }).run(Counter, 'Go');
  expect(toolCalls.map((call) => call.arguments)).toEqual([{ by: 1 }, { by: 2 }]);
  expect(new Set(toolCalls.map((call) => call.id)).size).toBe(2);
  expect(toolCalls.map((call) => call.id)).not.toContain('');
  assertValidTranscript(messages);
});

test('A19: the method gets the decoded arguments, defaults and conversions included', async () => {
  await new AgentRunner({ model: scripted([callTool('count', {}), callTool('count', { by: '7' }), say('Done.')]) }).run(Counter, 'Go');
  expect(received).toEqual([{ by: 5 }, { by: 7 }]);
});
