import { Agent, AgentConfig, Tool, ToolRegistry, type ToolContext } from 'toolwright';

class First extends Agent {
  @Tool('x') one(): Promise<string> {
    return Promise.resolve('one');
  }
}
class Second extends Agent {
  @Tool('x') two(): void {}
}
const names = (registry: ToolRegistry, cls: Function): string[] => registry.toolsOf(cls).map((tool) => tool.name);

test('D45, D48: unrelated agents hold only the tools of their own classes; sharing is said', () => {
  const registry = new ToolRegistry();
  expect([names(registry, First), names(registry, Second)]).toEqual([['one'], ['two']]);
  class Shared {
    @Tool('x') shared(): void {}
  }
  @AgentConfig({ toolsets: [Shared] })
  class Third extends First {}
  expect(names(registry, Third)).toEqual(['one', 'shared']);
  expect(names(registry, First)).toEqual(['one']);
});

test('D46: building three times gives the same each time', () => {
  const build = (): unknown =>
    new ToolRegistry().toolsOf(First).map((tool) => [tool.name, tool.description, tool.behaviour, tool.contract.schema, tool.owner]);
  expect([build(), build()]).toEqual([build(), build()]);
});

test('D47: a tool that is running keeps what it was resolved to, whatever registries come and go', async () => {
  let registry: ToolRegistry | undefined = new ToolRegistry();
  const [tool] = registry.toolsOf(First);
  const running = tool?.call(new First(), {}, {} as ToolContext);
  registry = undefined;
  expect(new ToolRegistry().toolsOf(First)[0]).not.toBe(tool);
  await expect(running).resolves.toBe('one');
});
