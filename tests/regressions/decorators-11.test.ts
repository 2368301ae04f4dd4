import 'reflect-metadata';
import { MinLength } from 'class-validator';
import { Service } from 'typedi';
import { Agent, AgentConfig, AgentRunner, Args, Field, Tool, Toolset, defaultRegistry } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';

type AnyClass = new (...args: any[]) => object;

function extended<C extends AnyClass>(cls: C): C {
  return class extends cls {};
}
function proxied<C extends AnyClass>(cls: C): C {
  return new Proxy(cls, {});
}
function fronted<C extends AnyClass>(cls: C): C {
  function front(...args: unknown[]) {
    return Reflect.construct(cls, args, cls);
  }
  front.prototype = cls.prototype as object;
  return front as unknown as C;
}

@Service()
class Clock {
  readonly day: string = 'Monday';
}

describe.each([
  ['a subclass', extended],
  ['a proxy', proxied],
  ['a function in front', fronted],
])('a class decorator that returns %s', (_, Wrapped) => {
  async function texts(agent: new (...args: any[]) => Agent, calls: readonly (readonly [string, object])[], day?: string) {
    const model = scripted([...calls.map(([name, args]) => callTool(name, args)), say('Done.')]);
    const runner = new AgentRunner({ model });
    const { toolCalls } = await (day === undefined ? runner : runner.withOverrides([{ provide: Clock, useValue: { day } }])).run(
      agent,
      'Go',
    );
    return toolCalls.map(({ content }) => (content[0]?.type === 'text' ? content[0].text : ''));
  }

  test('keeps the tools of the class inside', () => {
    @Wrapped
    class Original {
      @Tool('x') run() {
        return 'ran';
      }
    }
    expect(defaultRegistry.toolsOf(Original).map((tool) => tool.name)).toEqual(['run']);
  });

  test('leaves agents, toolsets and services their services, and overrides hold', async () => {
    @Service()
    @Wrapped
    class Calendar {
      constructor(readonly clock: Clock) {}
    }
    @Wrapped
    @Toolset({ prefix: 'set_' })
    class Days {
      constructor(private readonly calendar: Calendar) {}
      @Tool('x') today() {
        return this.calendar.clock.day;
      }
    }
    @Wrapped
    @AgentConfig({ toolsets: [Days] })
    class Outside extends Agent {
      constructor(private readonly clock: Clock) {
        super();
      }
      @Tool('x') today() {
        return this.clock.day;
      }
    }
    @AgentConfig({ toolsets: [Days] })
    @Wrapped
    class Inside extends Agent {
      constructor(private readonly clock: Clock) {
        super();
      }
      @Tool('x') today() {
        return this.clock.day;
      }
    }
    class Sub extends Outside {}
    const calls = [
      ['today', {}],
      ['set_today', {}],
    ] as const;
    for (const agent of [Outside, Inside, Sub]) {
      expect(await texts(agent, calls)).toEqual(['Monday', 'Monday']);
      expect(await texts(agent, calls, 'Sunday')).toEqual(['Sunday', 'Sunday']);
    }
  });

  test('leaves a DTO its fields and their checks', async () => {
    @Wrapped
    class City {
      @Field() @MinLength(2) name!: string;
    }
    class Asks extends Agent {
      @Tool('x') ask(@Args(() => City) city: City) {
        return city.name;
      }
    }
    const [told, refused] = await texts(Asks, [
      ['ask', { name: 'Oslo' }],
      ['ask', { name: 'O' }],
    ]);
    expect(told).toBe('Oslo');
    expect(refused).toContain('name: expected a string of at least 2 characters');
  });
});
