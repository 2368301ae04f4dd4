import 'reflect-metadata';
import { Agent, AgentConfig, Tool, ToolContext, agentTool } from 'toolwright';
import { callTool, createTestRunner, say, scripted } from 'toolwright/testing';

interface Shared {
  readonly user: { readonly id: string };
}
let seen: unknown;

@AgentConfig({ description: 'A child.' })
class Child extends Agent<string, Shared> {
  @Tool('Looks.')
  look(context: ToolContext<Shared>) {
    seen = context.deps;
    return 'seen';
  }
}

@AgentConfig({ tools: [agentTool(Child, { deps: (deps: Shared) => deps })] })
class Parent extends Agent<string, Shared> {}

test('D85: a tool of an agent that is a tool sees the deps that are mapped for it, not the run around it', async () => {
  const deps: Shared = { user: { id: 'ada' } };
  const model = scripted([callTool('child', { task: 'Go' }), callTool('look'), say('ok'), say('done')]);
  const result = await createTestRunner({ model }).run(Parent, 'Go', { deps });
  expect(seen).toBe(deps);
  expect(result.usage.requests).toBe(4);
});
