import 'reflect-metadata';
import { Service } from 'typedi';
import { Agent, AgentConfig, AgentRunner, Tool, Toolset, defaultRegistry } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';

function Wrapped<C extends new (...args: any[]) => object>(cls: C): C {
  return class extends cls {};
}

@Wrapped
class Original {
  @Tool('x') run() {
    return 'ran';
  }
}

test('a class decorator that returns a wrapper keeps the tools of the class inside', () => {
  expect(defaultRegistry.toolsOf(Original).map((tool) => tool.name)).toEqual(['run']);
});

@Service()
class Clock {
  readonly day = 'Monday';
}

@Wrapped
@Toolset({ prefix: 'set_' })
class Days {
  constructor(private readonly clock: Clock) {}
  @Tool('x') today() {
    return this.clock.day;
  }
}

@Wrapped
@AgentConfig({ toolsets: [Days] })
class WrappedOutside extends Agent {
  constructor(private readonly clock: Clock) {
    super();
  }
  @Tool('x') today() {
    return this.clock.day;
  }
}

@AgentConfig({ toolsets: [Days] })
@Wrapped
class WrappedInside extends Agent {
  constructor(private readonly clock: Clock) {
    super();
  }
  @Tool('x') today() {
    return this.clock.day;
  }
}

test.each([WrappedOutside, WrappedInside])('%p and a wrapped toolset get their services and run', async (agent) => {
  const model = scripted([callTool('today'), callTool('set_today'), say('Done.')]);
  const { toolCalls } = await new AgentRunner({ model }).run(agent, 'Go');
  expect(toolCalls.map(({ content }) => content)).toEqual([[{ type: 'text', text: 'Monday' }], [{ type: 'text', text: 'Monday' }]]);
});
