import 'reflect-metadata';
import { AgentConfig } from '../../src/decorators/agent-config';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, cutStream, finish, say, scripted, stall } from '../../src/testing';
import { fresh, LookupAgent } from '../runner/agents';

beforeEach(fresh);
const word = (text: string) => callTool('look_up', { word: text });

test('X12: a cut or broken answer is never a final answer', async () => {
  const cut = await new AgentRunner({ model: scripted([[say('Half an'), finish('length')]]) }).run(LookupAgent, 'Go');
  expect(cut.stopReason).toBe('limit');
  await expect(new AgentRunner({ model: scripted([[say('Half an'), cutStream()]]) }).run(LookupAgent, 'Go')).rejects.toThrow(
    /before its end/,
  );
});

test('X13: calls beside the finish reason `other` are run', async () => {
  const model = scripted([[word('a'), finish('other')], say('Done.')]);
  await expect(new AgentRunner({ model }).run(LookupAgent, 'Go')).resolves.toMatchObject({ text: 'Done.', usage: { toolCalls: 1 } });
});

test("X14: the run's own deadline is told apart from a user's abort", async () => {
  const model = scripted([stall(), say('Late.')]);
  const timed = await new AgentRunner({ model }).run(LookupAgent, 'Go', { limits: { maxDurationMs: 40 } });
  expect(timed).toMatchObject({ stopReason: 'limit', limit: 'maxDurationMs' });
  expect(model.requests[0]!.signal.reason).toMatchObject({ name: 'TimeoutError', limit: 'maxDurationMs' });
  const aborted = new AgentRunner({ model: scripted([stall()]) }).run(LookupAgent, 'Go', { signal: AbortSignal.timeout(5) });
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError', cause: { name: 'TimeoutError' } });
});

test('X22, X23: a limit holds wherever it is set, the run overrides the agent, and the error says which and how much', async () => {
  @AgentConfig({ limits: { maxTurns: 1, onExceeded: 'throw' } })
  class ShortAgent extends LookupAgent {}
  await expect(new AgentRunner({ model: scripted([word('a')]) }).run(ShortAgent, 'Go')).rejects.toMatchObject({
    name: 'LimitError',
    limit: 'maxTurns',
    message: expect.stringContaining('maxTurns = 1') as string,
  });
  const model = scripted([word('a'), word('b'), say('Done.')]);
  await expect(new AgentRunner({ model }).run(ShortAgent, 'Go', { limits: { maxTurns: 3 } })).resolves.toMatchObject({ text: 'Done.' });
});

test('X24: a tool can end the run with its result', async () => {
  const result = await new AgentRunner({ model: scripted([callTool('direct')]) }).run(LookupAgent, 'Go');
  expect(result).toMatchObject({ stopReason: 'direct', text: 'straight from the tool' });
});
