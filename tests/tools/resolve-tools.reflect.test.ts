import { Agent, arrayOf, Ctx, Param, Tool, ToolContext, Toolset } from 'toolwright';
import { ToolRegistry } from '../../src/tools/tool-registry';

const names = (cls: Function): string[] => new ToolRegistry().toolsOf(cls).map((tool) => tool.name);
const context = {} as ToolContext;

class Base extends Agent {
  @Tool('The first') first(@Param('x', 'A text') x: string): string {
    return `base ${x}`;
  }
  @Tool('The second') second(@Param('n', 'A number') n: number, context: ToolContext): unknown[] {
    return [n, context];
  }
}
class One extends Base {
  @Tool('Only here') one(): number {
    return 1;
  }
}
class Two extends Base {
  @Tool('Only there') two(): number {
    return 2;
  }
}

test("a subclass has its bases' tools first, then its own; siblings and the base never see them", () => {
  expect(names(Base)).toEqual(['first', 'second']);
  expect(names(One)).toEqual(['first', 'second', 'one']);
  expect(names(Two)).toEqual(['first', 'second', 'two']);
});

test('resolving is repeatable, cached per registry, and its result cannot be changed', () => {
  const registry = new ToolRegistry();
  const tools = registry.toolsOf(One);
  expect(registry.toolsOf(One)).toBe(tools);
  expect(Object.isFrozen(tools)).toBe(true);
  expect(tools.every((tool) => Object.isFrozen(tool) && Object.isFrozen(tool.behaviour))).toBe(true);
  const again = new ToolRegistry().toolsOf(One);
  expect(again).not.toBe(tools);
  expect(again.map((tool) => [tool.name, tool.contract.schema])).toEqual(tools.map((tool) => [tool.name, tool.contract.schema]));
});

test('the contract holds what the model may send, and neither the receiver nor the context', () => {
  const [first, second] = new ToolRegistry().toolsOf(Base);
  expect(first?.contract.schema).toMatchObject({ properties: { x: { type: 'string', description: 'A text' } }, required: ['x'] });
  expect(Object.keys(second?.contract.schema.properties as object)).toEqual(['n']);
  expect(second?.call(new Base(), { n: 2 }, context)).toEqual([2, context]);
});

test('a decorated override replaces the declaration in place', () => {
  class Narrow extends Base {
    @Tool('The first, narrower') override first(@Param('y', 'Another') y: string): string {
      return `narrow ${y}`;
    }
    @Tool('Last') last(): void {}
  }
  const tools = new ToolRegistry().toolsOf(Narrow);
  expect(tools.map((tool) => tool.name)).toEqual(['first', 'second', 'last']);
  expect(tools[0]).toMatchObject({ description: 'The first, narrower', owner: 'Narrow.first' });
  expect(Object.keys(tools[0]?.contract.schema.properties as object)).toEqual(['y']);
});

test('an undecorated override keeps the declaration, and the override is what runs', () => {
  class Plain extends Base {
    override first(x: string): string {
      return `plain ${x}`;
    }
  }
  const [first] = new ToolRegistry().toolsOf(Plain);
  expect(first).toMatchObject({ description: 'The first', owner: 'Base.first' });
  expect(first?.call(new Plain(), { x: '!' }, context)).toBe('plain !');
});

test('an override that decorates only its parameters keeps the tool and has its own contract', () => {
  class Redone extends Base {
    override first(@Param('z', 'A third name') z: string): string {
      return `redone ${z}`;
    }
  }
  const [first] = new ToolRegistry().toolsOf(Redone);
  expect(first).toMatchObject({ name: 'first', description: 'The first' });
  expect(Object.keys(first?.contract.schema.properties as object)).toEqual(['z']);
});

test('`enabled: false` removes an inherited tool, and a class further down may bring it back in its place', () => {
  class Less extends Base {
    @Tool({ enabled: false }) override first(): string {
      return '';
    }
  }
  class Back extends Less {
    @Tool('Here again') override first(): string {
      return 'back';
    }
  }
  expect(names(Less)).toEqual(['second']);
  expect(names(Back)).toEqual(['first', 'second']);
  expect(names(Base)).toEqual(['first', 'second']);
});

test('mixins compose, also when one is used twice', () => {
  type Constructor = abstract new (...args: any[]) => Agent;
  const WithNote = <B extends Constructor>(Root: B) => {
    abstract class Note extends Root {
      @Tool('Notes') note(@Param('text', 'What to note') text: string): string {
        return text;
      }
    }
    return Note;
  };
  const WithClock = <B extends Constructor>(Root: B) => {
    abstract class Clock extends Root {
      @Tool('The time') now(): number {
        return 0;
      }
    }
    return Clock;
  };
  class Both extends WithClock(WithNote(Agent)) {
    @Tool('Own') own(): void {}
  }
  class Other extends WithNote(Agent) {}
  expect(names(Both)).toEqual(['note', 'now', 'own']);
  expect(names(Other)).toEqual(['note']);
});

test('arguments are placed by position, whatever the order of context and parameters', () => {
  class Order extends Agent {
    @Tool('Any order') mixed(
      @Ctx() c: ToolContext,
      @Param('a', 'A') a: string,
      d: ToolContext,
      @Param('b', { type: arrayOf(Number) }) b: number[],
    ) {
      return [c, a, d, b];
    }
  }
  const [tool] = new ToolRegistry().toolsOf(Order);
  expect(tool?.call(new Order(), { b: [1], a: 'x' }, context)).toEqual([context, 'x', context, [1]]);
});

test('`@Toolset` gives its tools a prefix, tags and defaults, over which their own options win', () => {
  @Toolset({ prefix: 'fs_', tags: ['files'], timeout: 5, annotations: { readOnly: true, openWorld: false } })
  class Files {
    @Tool('Reads') readFile(): void {}
    @Tool({ description: 'Writes', timeout: 9, tags: ['danger'], annotations: { readOnly: false } }) writeFile(): void {}
  }
  const [read, write] = new ToolRegistry().ownToolsOf(Files);
  expect(read).toMatchObject({ name: 'fs_read_file', label: 'Read file', behaviour: { timeout: 5, tags: ['files'], retries: 1 } });
  expect(write?.behaviour).toMatchObject({
    timeout: 9,
    tags: ['files', 'danger'],
    annotations: { readOnly: false, openWorld: false },
    retries: 0,
  });
});

test('a class decorator that returns another class, extending the first or sharing its prototype, keeps the tools', () => {
  const Extending = <C extends new (...args: any[]) => object>(cls: C): C => class extends cls {};
  const Sharing = <C extends new (...args: any[]) => object>(cls: C): C => {
    const wrapper = function (...args: unknown[]) {
      return Reflect.construct(cls, args, cls);
    };
    wrapper.prototype = cls.prototype as object;
    return wrapper as unknown as C;
  };
  const Proxying = <C extends new (...args: any[]) => object>(cls: C): C => new Proxy(cls, {});
  @Extending
  class A {
    @Tool('a') a(): string {
      return 'a';
    }
  }
  @Sharing
  class B {
    @Tool('b') b(): string {
      return 'b';
    }
  }
  @Proxying
  class C {
    @Tool('c') c(): string {
      return 'c';
    }
  }
  expect([names(A), names(B), names(C)]).toEqual([['a'], ['b'], ['c']]);
  expect(new ToolRegistry().toolsOf(B)[0]?.call(new B(), {}, context)).toBe('b');
});

test('what runs is the method of the host at the time of the call, with the host as `this`', () => {
  class Bound {
    private readonly word = 'mine';
    constructor() {
      this.speak = this.speak.bind(this);
    }
    @Tool('Speaks') speak(): string {
      return this.word;
    }
  }
  const [tool] = new ToolRegistry().ownToolsOf(Bound);
  expect(tool?.call(new Bound(), {}, context)).toBe('mine');
  const double = Object.assign(new Bound(), { speak: () => 'double' });
  expect(tool?.call(double, {}, context)).toBe('double');
});
