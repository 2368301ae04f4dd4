import { Tool, defaultRegistry } from 'toolwright';

test('one options object used for two methods gives two tools with names of their own, and stays as it was', () => {
  const options = { description: 'Either', annotations: { readOnly: true } };
  const before = structuredClone(options);
  class Pair {
    @Tool(options) first() {}
    @Tool(options) second() {}
  }
  expect(defaultRegistry.toolsOf(Pair).map((tool) => [tool.name, tool.description])).toEqual([
    ['first', 'Either'],
    ['second', 'Either'],
  ]);
  expect(options).toEqual(before);
});
