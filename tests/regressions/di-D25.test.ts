import { Agent, AgentConfig, AgentRunner, Tool, ToolRegistry } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';
import type { AgentClass, ToolsetRef } from 'toolwright';

class Weather {
  @Tool('x') current(): string {
    return 'rain';
  }
}
class Rebound extends Weather {
  constructor() {
    super();
    this.current = this.current.bind(this);
  }
}
class Replaced extends Weather {
  override current = (): string => 'snow';
}

const listing = (ref: ToolsetRef): AgentClass<Agent> => {
  @((AgentConfig as any)({ toolsets: [ref] }))
  class Lister extends Agent {}
  return Lister;
};
const namesOf = (ref: ToolsetRef): string[] => new ToolRegistry().toolsOf(listing(ref)).map((tool) => tool.name);

test('a proxy, a runtime subclass and an object with a re-bound method expose the tools', () => {
  for (const ref of [new Proxy(new Weather(), {}), new (class extends Weather {})(), new Rebound()])
    expect(namesOf(ref)).toEqual(['current']);
});

test.each([
  ['a proxy', new Proxy(new Weather(), {}), 'rain'],
  [
    'a proxy that answers for the method',
    new Proxy(new Weather(), { get: (on, key) => (key === 'current' ? () => 'hail' : Reflect.get(on, key)) }),
    'hail',
  ],
  ['a runtime subclass', new (class extends Weather {})(), 'rain'],
  ['a re-bound method', new Rebound(), 'rain'],
  ['a method replaced by a field', new Replaced(), 'snow'],
  ['a class that does so', Replaced, 'snow'],
] as const)('what runs of %s is what stands there', async (_, ref, text) => {
  const model = scripted([callTool('current'), say('Done.')]);
  const { toolCalls } = await new AgentRunner({ model }).run(listing(ref), 'Go');
  expect(toolCalls).toMatchObject([{ outcome: 'ok', content: [{ type: 'text', text }] }]);
});

test('an object with no tools is an error', () => {
  expect(() => namesOf(new (class Nothing {})())).toThrow(/Nothing: it is listed as a toolset, but has no @Tool\(\) methods/);
});
