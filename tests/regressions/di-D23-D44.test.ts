import { LimitError } from '../../src/errors/run-error';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, callTools, say, scripted } from '../../src/testing';
import { fresh, isValidTranscript, LookupAgent } from '../runner/agents';

beforeEach(fresh);
const words = (...all: string[]) => callTools(all.map((word) => ['look_up', { word }] as const));

test.each([
  ['maxTurns', { maxTurns: 1 }, [words('a')]],
  ['maxToolCalls', { maxToolCalls: 1 }, [words('a'), words('b')]],
  ['maxTokens', { maxTokens: 16 }, [words('a')]],
] as const)(
  'D23: the error of %s carries messages, usage and calls, and the history is valid for a new run',
  async (which, limits, steps) => {
    const error: unknown = await new AgentRunner({ model: scripted(steps) })
      .run(LookupAgent, 'Go', { limits: { ...limits, onExceeded: 'throw' } })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ limit: which });
    const { partial } = error as LimitError;
    expect(isValidTranscript(partial!.messages)).toBe(true);
    expect(partial!.usage.requests).toBe(steps.length);
    expect(partial!.toolCalls).toHaveLength(steps.length);
    const next = await new AgentRunner({ model: scripted([say('Going on.')]) }).run(LookupAgent, 'Go on', { continueFrom: partial! });
    expect(next.text).toBe('Going on.');
  },
);

test('D44: turns and calls are limited apart, and the work is kept', async () => {
  const turns = scripted([words('a', 'b', 'c'), words('d'), say('Enough.')]);
  const byTurns = await new AgentRunner({ model: turns }).run(LookupAgent, 'Go', { limits: { maxTurns: 2 } });
  expect(byTurns).toMatchObject({ limit: 'maxTurns', text: 'Enough.', usage: { toolCalls: 4, requests: 3 } });
  const calls = scripted([words('a', 'b', 'c'), words('d'), say('Enough.')]);
  const byCalls = await new AgentRunner({ model: calls }).run(LookupAgent, 'Go', { limits: { maxToolCalls: 3 } });
  expect(byCalls).toMatchObject({ limit: 'maxToolCalls', text: 'Enough.', usage: { toolCalls: 3 } });
});

test('D44: without any limit set, an endless model ends', async () => {
  let at = 0;
  const model = scripted(
    Array.from({ length: 11 }, () => () => callTool('look_up', { word: String(at++) })),
    { strict: false },
  );
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Go');
  expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxTurns', usage: { requests: 11, toolCalls: 10 } });
});
