import { Agent, AgentConfig, Tool, ToolRegistry } from 'toolwright';
import type { ToolsetRef } from 'toolwright';

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

const namesOf = (ref: ToolsetRef): string[] => {
  @((AgentConfig as any)({ toolsets: [ref] }))
  class Lister extends Agent {}
  return new ToolRegistry().toolsOf(Lister).map((tool) => tool.name);
};

test('a proxy, a runtime subclass and an object with a re-bound method expose the tools', () => {
  for (const ref of [new Proxy(new Weather(), {}), new (class extends Weather {})(), new Rebound()])
    expect(namesOf(ref)).toEqual(['current']);
});

test('an object with no tools is an error', () => {
  expect(() => namesOf(new (class Nothing {})())).toThrow(/Nothing: it is listed as a toolset, but has no @Tool\(\) methods/);
});
