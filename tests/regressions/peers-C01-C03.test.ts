import { Param, Tool, defaultRegistry } from 'toolwright';

// Also decorators 9: a decorator that reads inherited metadata and pushes onto it shows each class its siblings' tools.
class Base {
  @Tool('b') base(@Param('x') x: string) {
    return x;
  }
}
class A extends Base {
  @Tool('a') a() {}
}
class B extends Base {
  @Tool('b') b() {}
  @Tool('narrower') override base(@Param('y') y: string) {
    return y;
  }
}

const names = (cls: Function) => defaultRegistry.toolsOf(cls).map((tool) => tool.name);

test('a subclass has its base’s tools and its own; neither its base nor its sibling gets them', () => {
  expect([names(Base), names(A), names(B)]).toEqual([['base'], ['base', 'a'], ['base', 'b']]);
});

test('parameters that an override describes anew do not reach the base', () => {
  const properties = (cls: Function) =>
    Object.keys((defaultRegistry.toolsOf(cls)[0]!.contract.schema as { properties: object }).properties);
  expect([properties(Base), properties(A), properties(B)]).toEqual([['x'], ['x'], ['y']]);
});
