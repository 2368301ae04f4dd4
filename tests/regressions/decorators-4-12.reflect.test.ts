import { Param, Tool, ToolRegistry } from 'toolwright';

const loose = (decorator: unknown): any => decorator;
const resolve = (cls: Function) => () => new ToolRegistry().toolsOf(cls);
/** Puts other types in the place of those that were emitted, as another compiler or an import cycle would. */
const emitted = (cls: Function, types: unknown[]): void =>
  Reflect.defineMetadata('design:paramtypes', types, (cls as { prototype: object }).prototype, 'run');

class Item {}
class Items {
  @loose(Tool('x')) run(@loose(Param('items')) items: Item[]): unknown {
    return items;
  }
}
class TypeOnly {
  @loose(Tool('x')) run(@loose(Param('query')) query: unknown): unknown {
    return query;
  }
}
class Cycle {
  @loose(Tool('x')) run(@loose(Param('query')) query: unknown): unknown {
    return query;
  }
}

test('4: a class imported as a type only is told apart', () => {
  emitted(TypeOnly, [Function]);
  expect(resolve(TypeOnly)).toThrow(/TypeOnly\.run, parameter #0 `query`[^]*import/);
});

test('5: a type that is undefined names the import cycle', () => {
  emitted(Cycle, [undefined]);
  expect(resolve(Cycle)).toThrow(/Cycle\.run, parameter #0 `query`[^]*import/);
});

test('12: a list whose items nothing tells is refused with the line to write', () => {
  expect(resolve(Items)).toThrow(/Items\.run, parameter #0 `items`[^]*Array[^]*arrayOf/);
});
