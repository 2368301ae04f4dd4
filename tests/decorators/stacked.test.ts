import { Param, Tool } from 'toolwright';
import { ownFacts } from '../../src/metadata/facts';

/** Replaces the method by a function of its own, as loggers and caches do. */
function Wrapped(_: object, __: string, descriptor: PropertyDescriptor): PropertyDescriptor {
  const inner = descriptor.value as (...args: unknown[]) => unknown;
  return {
    ...descriptor,
    value(this: unknown, ...args: unknown[]) {
      return ['wrapped', inner.apply(this, args)];
    },
  };
}

/** Replaces the method by an accessor, as binding decorators do. */
function Bound(_: object, __: string, descriptor: PropertyDescriptor): PropertyDescriptor {
  const inner = descriptor.value as () => unknown;
  return {
    configurable: true,
    get() {
      return inner.bind(this);
    },
  };
}

test('a tool is recorded above and below decorators that replace the method', () => {
  class Stacked {
    @Tool('above') @Wrapped above(@Param('a') a: string) {
      return a;
    }
    @Wrapped @Tool('below') below(@Param('a') a: string) {
      return a;
    }
    @Tool('above') @Bound boundAbove() {
      return this;
    }
    @Bound @Tool('below') boundBelow() {
      return this;
    }
  }
  const facts = ownFacts(Stacked);
  expect(facts.tools.map((tool) => tool.method)).toEqual(['above', 'below', 'boundAbove', 'boundBelow']);
  expect(facts.misplaced).toEqual([]);
  expect(new Stacked().above('x')).toEqual(['wrapped', 'x']);
  expect(new Stacked().below('x')).toEqual(['wrapped', 'x']);
});

test('a class decorator that returns another class leaves the facts where its prototype chain finds them', () => {
  function Replaced<C extends new (...args: any[]) => object>(cls: C) {
    return class extends cls {};
  }
  @Replaced
  class Original {
    @Tool('x') run() {}
  }
  expect(ownFacts(Original).tools).toEqual([]);
  expect(ownFacts(Object.getPrototypeOf(Original)).tools.map((tool) => tool.method)).toEqual(['run']);
});
