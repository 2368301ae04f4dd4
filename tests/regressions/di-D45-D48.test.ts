import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, Tool, ToolRegistry, toolset, type ToolContext } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';

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

test('D47: what is taken back while a run is under way stays in that run, and is gone for the next', async () => {
  const registry = new ToolRegistry();
  class Notes {
    @Tool('x') note(): string {
      return 'noted';
    }
  }
  registry.register('notes', Notes, { owner: 'notes', ownership: 'managed' });
  @AgentConfig({ contributed: true })
  class Host extends Agent {
    @Tool('x') drop(): string {
      registry.unregister('notes');
      return 'dropped';
    }
  }
  const run = async () => {
    const model = scripted([callTool('drop'), callTool('note'), say('Done.')]);
    return (await new AgentRunner({ model, registry }).run(Host, 'Go')).toolCalls.map(({ name, outcome }) => `${name} ${outcome}`);
  };
  expect(await run()).toEqual(['drop ok', 'note ok']);
  expect(await run()).toEqual(['drop ok', 'note unknown']);
});

test('D48: what one agent makes of a shared toolset is not seen by another', () => {
  class Shared {
    @Tool({ description: 'x', tags: ['own'] }) look(): void {}
  }
  @AgentConfig({
    toolsets: [
      toolset(Shared)
        .prefixed('a_')
        .configured({ requiresApproval: true, tags: ['a'] }),
    ],
  })
  class Careful extends Agent {}
  @AgentConfig({ toolsets: [Shared] })
  class Plain extends Agent {}
  const registry = new ToolRegistry();
  const seen = (cls: Function) => registry.toolsOf(cls).map(({ name, behaviour }) => [name, behaviour.requiresApproval, behaviour.tags]);
  expect(seen(Careful)).toEqual([['a_look', true, ['own', 'a']]]);
  expect(seen(Plain)).toEqual([['look', false, ['own']]]);
});
