import { Param, Tool, defaultRegistry, type ToolContext } from 'toolwright';

function Wrap(_: object, __: string, descriptor: PropertyDescriptor): PropertyDescriptor {
  const inner = descriptor.value as (...args: unknown[]) => unknown;
  const value = function (this: unknown, ...args: unknown[]): unknown {
    return `wrapped ${String(inner.apply(this, args))}`;
  };
  return { ...descriptor, value };
}

class Stacked {
  @Wrap @Tool('x') outside(@Param('s') s: string) {
    return s;
  }
  @Tool('x') @Wrap inside(@Param('s') s: string) {
    return s;
  }
}

test.each(['outside', 'inside'])('a decorator %s of @Tool that replaces the method leaves the tool, and what it put there runs', (name) => {
  const tool = defaultRegistry.toolsOf(Stacked).find((one) => one.name === name)!;
  expect(tool.call(new Stacked(), { s: 'text' }, {} as ToolContext)).toBe('wrapped text');
});
