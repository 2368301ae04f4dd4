import { Agent, AgentConfig, Tool, toolset, type RunContext } from 'toolwright';
import { definitionOf } from '../../src/agent/agent-definition';
import { prepareAgent } from '../../src/agent/prepare-agent';
import { ToolRegistry } from '../../src/tools/tool-registry';

class Weather {
  @Tool('x') current(): void {}
}
const HOSTILE = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];

test('names of object members are unknown tools, wherever tools are looked up', async () => {
  @AgentConfig({ toolsets: [Weather] })
  class Asked extends Agent {}
  const registry = new ToolRegistry();
  const container = { get: (token: any) => new token() as never, has: () => true };
  const prepared = await prepareAgent(definitionOf(Asked, registry), { container, registry, context: {} as RunContext });
  for (const name of HOSTILE) expect(prepared.tools.get(name)).toBeUndefined();

  for (const name of HOSTILE) {
    const views = [toolset(Weather).only(name), toolset(Weather).without(name)];
    for (const view of views) {
      @AgentConfig({ toolsets: [view] })
      class Lister extends Agent {}
      expect(() => new ToolRegistry().toolsOf(Lister)).toThrow(`there is no tool \`${name}\` here`);
    }
  }
});
