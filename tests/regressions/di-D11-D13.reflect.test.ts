import { Ctx, Param, Tool, ToolContext, ToolRegistry } from 'toolwright';

class Service {}
class Tools {
  @Tool('x') any(@Ctx() c: ToolContext, @Param('x', 'X') x: string, other: ToolContext): unknown {
    return [this instanceof Tools, c, x, other];
  }
}

test('neither the receiver nor the context is in the schema, and each argument stands at its own place', () => {
  const [tool] = new ToolRegistry().toolsOf(Tools);
  expect(Object.keys(tool?.contract.schema.properties as object)).toEqual(['x']);
  const context = {} as ToolContext;
  expect(tool?.call(new Tools(), { x: 'x' }, context)).toEqual([true, context, 'x', context]);
});

test('a parameter with no marker is an error at registration', () => {
  class Unmarked {
    @((Tool as any)('x')) run(service: Service, @((Param as any)('x')) x: string): unknown {
      return [service, x];
    }
  }
  expect(() => new ToolRegistry().toolsOf(Unmarked)).toThrow(/Unmarked\.run, parameter #0.*no decorator/);
});
