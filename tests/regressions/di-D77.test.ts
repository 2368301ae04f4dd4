import { Agent, AgentConfig, AgentRunner, Param, Tool, toolset, type RunContext } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';
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

test('a parameter that is called like an object member and left out is undefined', async () => {
  const seen: unknown[] = [];
  class Named extends Agent {
    @Tool('x') take(
      @Param('constructor', { type: String, optional: true }) constructor?: string,
      @Param('valueOf', { type: String, optional: true }) valueOf?: string,
      @Param('toString', { type: String, default: 'none' }) toString = 'none',
    ): void {
      seen.push([constructor, valueOf, toString]);
    }
  }
  const model = scripted([callTool('take', {}), callTool('take', { constructor: 'a', valueOf: 'b', toString: 'c' }), say('Done.')]);
  await new AgentRunner({ model }).run(Named, 'Go');
  expect(seen).toEqual([
    [undefined, undefined, 'none'],
    ['a', 'b', 'c'],
  ]);
});
