import 'reflect-metadata';
import * as one from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';

/** The package, loaded a second time. */
function secondCopy(): typeof one {
  let copy!: typeof one;
  jest.isolateModules(() => {
    copy = jest.requireActual<typeof one>('toolwright');
  });
  return copy;
}

test('13: what one copy of the package declares, another runs, and their errors know each other', async () => {
  const other = secondCopy();
  expect(other.Agent).not.toBe(one.Agent);

  class Counter extends other.Agent {
    next(by: number, context: one.ToolContext) {
      if (by > 1) throw new other.ToolFailure('Too much.');
      return ToolResultOf(context.callId);
    }
  }
  const ToolResultOf = (data: string) => other.ToolResult.success(data, { update: other.ContextUpdate.of().set('asked', true) });
  other.Tool('Counts on.')(Counter.prototype, 'next' as never, Object.getOwnPropertyDescriptor(Counter.prototype, 'next') as never);
  other.Param('by', { type: other.Integer })(Counter.prototype, 'next' as never, 0);
  other.Ctx()(Counter.prototype, 'next' as never, 1);

  expect(one.defaultRegistry.toolsOf(Counter).map((tool) => tool.name)).toEqual(['next']);
  const model = scripted([callTool('next', { by: 1 }), callTool('next', { by: 2 }), say('Done.')]);
  const { toolCalls, state } = await new one.AgentRunner({ model }).run(Counter, 'Go');
  expect(toolCalls.map(({ outcome }) => outcome)).toEqual(['ok', 'error']);
  expect(toolCalls[0]!.content).toEqual([{ type: 'text', text: expect.stringContaining('"status":"success"') as string }]);
  expect(toolCalls[1]!.content).toEqual([{ type: 'text', text: 'Error: Too much.' }]);
  expect(state).toEqual({ asked: true });

  const error = new other.LimitError('maxTurns', 'Enough.');
  expect(error).not.toBeInstanceOf(one.LimitError);
  expect([one.LimitError.is(error), one.RunError.is(error), one.isToolwrightError(error), one.ModelError.is(error)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
