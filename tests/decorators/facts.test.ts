import { AgentConfig, Agent, Args, Ctx, Field, Param, Preview, Tool, ToolContext, Toolset } from 'toolwright';
import { ownFacts } from '../../src/metadata/facts';

class Order {
  @Field('What to send') item!: string;
  @Field({ optional: true, examples: [2] }) count?: number;
}

@Toolset({ prefix: 'shop_' })
class Shop {
  @Tool('Prices') price(@Param('item', 'Its name') item: string, @Param('count', { default: 1 }) count: number) {
    return [item, count];
  }
  @Tool() order(@Args() order: Order, @Ctx() context: ToolContext) {
    return [order, context];
  }
  @Preview('order') preview(order: Order) {
    return order;
  }
}

test('each decorator records one fact on the class it stands in', () => {
  expect(ownFacts(Shop)).toEqual({
    tools: [
      { method: 'price', options: { description: 'Prices' } },
      { method: 'order', options: {} },
    ],
    parameters: [
      { method: 'price', index: 1, role: 'param', name: 'count', options: { default: 1 } },
      { method: 'price', index: 0, role: 'param', name: 'item', options: { description: 'Its name' } },
      { method: 'order', index: 1, role: 'context', options: {} },
      { method: 'order', index: 0, role: 'args', options: {} },
    ],
    fields: [],
    previews: [{ tool: 'order', method: 'preview' }],
    toolset: { prefix: 'shop_' },
    misplaced: [],
  });
  expect(ownFacts(Order).fields).toEqual([
    { property: 'item', options: { description: 'What to send' } },
    { property: 'count', options: { optional: true, examples: [2] } },
  ]);
});

test('a subclass does not see its sibling, and its base does not see either', () => {
  class Base extends Agent {
    @Tool('b') base() {}
  }
  @AgentConfig({ name: 'left' })
  class Left extends Base {
    @Tool('l') left() {}
  }
  class Right extends Base {
    @Tool('r') right() {}
  }
  const methods = (cls: Function) => ownFacts(cls).tools.map((tool) => tool.method);
  expect([Base, Left, Right].map(methods)).toEqual([['base'], ['left'], ['right']]);
  expect(ownFacts(Left).agent).toEqual({ name: 'left' });
  expect(ownFacts(Base).agent).toBeUndefined();
  expect(ownFacts(Right).agent).toBeUndefined();
});

test('facts are frozen, and what was read before stays as it was', () => {
  class Growing {
    @Tool('a') a() {}
  }
  const before = ownFacts(Growing);
  Tool('later')(Growing.prototype, 'a', Object.getOwnPropertyDescriptor(Growing.prototype, 'a'));
  expect(before.tools).toHaveLength(1);
  expect(ownFacts(Growing).tools).toHaveLength(2);
  expect(Object.isFrozen(before)).toBe(true);
  expect(Object.isFrozen(before.tools[0])).toBe(true);
  expect(Object.isFrozen(before.tools[0]!.options)).toBe(true);
});

test('@Param() without a name records none: it is read from the source later', () => {
  class Prototype {
    @Tool() find(@Param() query: string) {
      return query;
    }
  }
  expect(ownFacts(Prototype).parameters).toEqual([{ method: 'find', index: 0, role: 'param', options: {} }]);
  expect(ownFacts(Prototype).parameters[0]).not.toHaveProperty('name');
});

test('@Args records the type that was given, a class or a forward reference', () => {
  const later = () => Order;
  class Both {
    @Tool() now(@Args(Order) order: Order) {
      return order;
    }
    @Tool() then(@Args(later) order: Order) {
      return order;
    }
  }
  expect(ownFacts(Both).parameters.map((parameter) => parameter.options['type'])).toEqual([Order, later]);
});

test('decorators of both kinds can be written twice: both are recorded, and whoever resolves the class complains', () => {
  class Twice {
    @Tool('one') @Tool('two') twice(@Param('a') @Param('b') a: string) {
      return a;
    }
  }
  expect(ownFacts(Twice).tools.map((tool) => tool.options['description'])).toEqual(['two', 'one']);
  expect(ownFacts(Twice).parameters.map((parameter) => parameter.name)).toEqual(['b', 'a']);
});
