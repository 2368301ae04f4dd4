import { append, configure, lineage, ownFacts } from '../../src/metadata/facts';

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

test('a class that another decorator has sealed or frozen can still be told facts', () => {
  class Sealed {}
  class Frozen extends Sealed {}
  Object.seal(Sealed);
  Object.freeze(Frozen);
  append(Sealed, 'tools', { method: 'base', options: {} });
  configure(Frozen, { agent: { name: 'frozen' } });

  expect(ownFacts(Sealed).tools.map((tool) => tool.method)).toEqual(['base']);
  expect(ownFacts(Frozen)).toMatchObject({ tools: [], agent: { name: 'frozen' } });
});
