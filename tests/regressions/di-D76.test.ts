import { Agent, AgentConfig, Tool, ToolRegistry } from 'toolwright';

class Web {
  @Tool('x') search(): void {}
}
class Files {
  @Tool('x') search(): void {}
}

test('two tools of one name are an error that lists both owners and proposes a prefix', () => {
  @AgentConfig({ toolsets: [Web, Files] })
  class Both extends Agent {}
  expect(() => new ToolRegistry().toolsOf(Both)).toThrow(
    /`search`: it belongs to both Web\.search and Files\.search[^]*prefixed\('files_'\)/,
  );
});

test('a name that providers refuse is an error at registration', () => {
  class Dotted {
    @Tool({ name: 'a.b', description: 'x' }) run(): void {}
  }
  expect(() => new ToolRegistry().toolsOf(Dotted)).toThrow(/Dotted\.run: the tool's name "a\.b" is not legal[^]*name: 'a_b'/);
});
