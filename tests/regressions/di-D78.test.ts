import { Agent, AgentConfig, Tool, ToolRegistry, Toolset, toolset } from 'toolwright';

/** Frozen at every depth: a write to it would throw. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

test("the caller's options are never written to, and a second build is equal", () => {
  const toolOptions = frozen({ description: 'x', tags: ['a'], annotations: { readOnly: true }, cache: { ttl: 5 } });
  const setOptions = frozen({ prefix: 'p_', tags: ['b'], annotations: { openWorld: false } });
  const changes = frozen({ tags: ['c'], annotations: { idempotent: true } });
  @Toolset(setOptions)
  class Set {
    @Tool(toolOptions) one(): void {}
    @Tool(toolOptions) two(): void {}
  }
  @AgentConfig(frozen({ limits: { maxTurns: 1 } }))
  class Lister extends Agent {}
  @AgentConfig({ toolsets: [toolset(Set).configured(changes)] })
  class Sub extends Lister {}
  const build = (): unknown => new ToolRegistry().toolsOf(Sub).map((tool) => [tool.name, tool.behaviour]);
  expect(build()).toEqual(build());
  expect(new ToolRegistry().toolsOf(Sub)[1]).toMatchObject({ name: 'p_two', behaviour: { tags: ['b', 'a', 'c'] } });
});
