import { Ctx, Tool, ToolRegistry, UsageError } from 'toolwright';

test('a tool that needs its context says so by name when it is called without one', () => {
  class Mail {
    @Tool('x') send(@((Ctx as any)()) context: unknown): unknown {
      return context;
    }
  }
  const [tool] = new ToolRegistry().toolsOf(Mail);
  const call = (): unknown => tool?.call(new Mail(), {}, undefined as never);
  expect(call).toThrow(UsageError);
  expect(call).toThrow(/Mail\.send takes its ToolContext as parameter #0, but it was called without one/);
});
