import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, defaultRegistry, defineTool, nullable } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';

enum Color {
  Red = 'red',
}

const received: unknown[] = [];
const paint = defineTool({
  name: 'paint',
  description: 'Paints.',
  parameters: {
    text: { type: String, default: '' },
    count: { type: Number, default: 0 },
    flag: { type: Boolean, default: false },
    nothing: { type: nullable(String), default: null },
    color: { enum: Color, default: Color.Red },
  },
  execute: (args) => void received.push(args),
});

@AgentConfig({ tools: [paint] })
class Painter extends Agent {}

test('D32: falsy defaults are defaults: not required, in the schema word for word, and what the method gets', async () => {
  const { parameters } = { parameters: defaultRegistry.toolsOf(Painter)[0]!.contract.schema };
  const properties = parameters['properties'] as Record<string, { default?: unknown }>;
  const defaults = { text: '', count: 0, flag: false, nothing: null, color: 'red' };
  expect(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schema.default]))).toEqual(defaults);
  expect(parameters['required'] ?? []).toEqual([]);

  await new AgentRunner({ model: scripted([callTool('paint', {}), say('Done.')]) }).run(Painter, 'Go');
  expect(received).toEqual([defaults]);
});
