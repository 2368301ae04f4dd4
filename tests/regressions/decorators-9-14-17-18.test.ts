import { Agent, AgentConfig, Tool, ToolRegistry } from 'toolwright';

class Base {
  @Tool('x') a(): void {}
}
class K1 extends Base {
  @Tool('x') k1(): void {}
}
class K2 extends Base {
  @Tool('x') k2(): void {}
}
const names = (registry: ToolRegistry, cls: Function): string[] => registry.toolsOf(cls).map((tool) => tool.name);

test('9: subclasses never push into what their base owns', () => {
  const registry = new ToolRegistry();
  expect([names(registry, K1), names(registry, K2), names(registry, Base)]).toEqual([['a', 'k1'], ['a', 'k2'], ['a']]);
});

test('14: building twice doubles nothing', () => {
  expect(names(new ToolRegistry(), K1)).toEqual(names(new ToolRegistry(), K1));
  expect(names(new ToolRegistry(), K1)).toHaveLength(2);
});

test('17: a name given by hand is checked, with class and method', () => {
  class Handy {
    @Tool({ name: 'my tool!', description: 'x' }) run(): void {}
  }
  expect(() => new ToolRegistry().toolsOf(Handy)).toThrow(/Handy\.run: the tool's name "my tool!" is not legal/);
});

test('18: two classes with one tool name in one agent are an error that lists both', () => {
  class Web {
    @Tool('x') search(): void {}
  }
  class Files {
    @Tool('x') search(): void {}
  }
  @AgentConfig({ toolsets: [Web, Files] })
  class Both extends Agent {}
  expect(() => new ToolRegistry().toolsOf(Both)).toThrow(/Web\.search and Files\.search/);
});
