import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, defineTool } from 'toolwright';
import { callTool, functionModel, say, scripted } from 'toolwright/testing';

let heard: unknown;
const tools = [
  defineTool({ name: 'look', description: 'Looks.', annotations: { readOnly: true }, execute: () => 'nothing' }),
  defineTool({
    name: 'wait',
    description: 'Waits until it is told.',
    execute: (_, context) =>
      new Promise((resolve) => {
        context.signal.addEventListener('abort', () => {
          heard = context.signal.reason;
          resolve('late');
        });
        context.update('waiting');
      }),
  }),
];

@AgentConfig({ tools, limits: { maxTurns: 50 } })
class Asks extends Agent {}

test('B14: a tool hears of the abort, with its reason', async () => {
  const run = new AgentRunner({ model: scripted([callTool('wait')]) }).stream(Asks, 'Go');
  const reason = new Error('The user left.');
  const reading = (async () => {
    for await (const event of run) if (event.type === 'tool.update') run.abort(reason);
  })();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: reason });
  expect(heard).toBe(reason);
});

test('X26: an agent that only repeats itself is told once, then asked for its answer', async () => {
  let requests = 0;
  const model = functionModel(({ toolChoice }) => (requests++, toolChoice === 'none' ? say('I give up.') : callTool('look')));
  const result = await new AgentRunner({ model }).run(Asks, 'Go');
  expect(result).toMatchObject({ stopReason: 'loop', text: 'I give up.' });
  expect(requests).toBeLessThan(10);
});
