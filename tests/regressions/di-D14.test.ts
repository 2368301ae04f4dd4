import { Tool, ToolRegistry } from 'toolwright';

test('name and description that are written win over those that are derived; an empty description is an error, not a fallback', () => {
  class Finder {
    /** Another text. */
    @Tool({ name: 'find', description: 'X' }) lookUp(): void {}
  }
  class Empty {
    @Tool({ description: '' }) find(): void {}
  }
  expect(new ToolRegistry().toolsOf(Finder)[0]).toMatchObject({ name: 'find', description: 'X' });
  expect(() => new ToolRegistry().toolsOf(Empty)).toThrow(/Empty\.find: `description` must be a text that is not empty/);
});
