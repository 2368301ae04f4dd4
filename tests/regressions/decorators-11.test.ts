import { Tool, defaultRegistry } from 'toolwright';

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
