import { Param, Tool, ToolRegistry } from 'toolwright';

class Base {
  @Tool('x') base(@Param('a', 'A') a: string): string {
    return a;
  }
}
class S1 extends Base {
  @Tool('x') one(): void {}
  @Tool('x') override base(@Param('b', 'B') b: string): string {
    return b;
  }
}
class S2 extends Base {
  @Tool('x') two(): void {}
}

test('neither tools nor parameters of a subclass reach its base or its sibling', () => {
  const shape = (cls: Function): unknown =>
    new ToolRegistry().toolsOf(cls).map((tool) => [tool.name, Object.keys(tool.contract.schema.properties as object)]);
  expect(shape(S1)).toEqual([
    ['base', ['b']],
    ['one', []],
  ]);
  expect(shape(Base)).toEqual([['base', ['a']]]);
  expect(shape(S2)).toEqual([
    ['base', ['a']],
    ['two', []],
  ]);
});
