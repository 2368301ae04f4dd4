import { lineage, ownFacts, append } from '../../src/metadata/facts';

test('facts lie on the class that owns them: neither its base nor its sibling sees them', () => {
  class Base {}
  class One extends Base {}
  class Two extends Base {}
  append(Base, 'tools', { method: 'base', options: {} });
  append(One, 'tools', { method: 'one', options: {} });

  expect(ownFacts(Base).tools.map((tool) => tool.method)).toEqual(['base']);
  expect(ownFacts(One).tools.map((tool) => tool.method)).toEqual(['one']);
  expect(ownFacts(Two).tools).toEqual([]);
  expect(lineage(One)).toEqual([Base, One]);
});
