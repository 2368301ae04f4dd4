import { Tool, ToolwrightError, UsageError } from 'toolwright';

test('a compiler without legacy decorators is told which options to set, by an error with a code', () => {
  const standardCall = () => (Tool('x') as unknown as (value: unknown, context: object) => void)(() => 1, { kind: 'method', name: 'run' });
  expect(standardCall).toThrow(UsageError);
  try {
    standardCall();
  } catch (error) {
    expect(ToolwrightError.is(error) && error.code).toBe('USAGE');
    expect((error as Error).message).toContain('"experimentalDecorators": true');
  }
});
