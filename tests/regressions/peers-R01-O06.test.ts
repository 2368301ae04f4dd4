import 'reflect-metadata';
import { Agent } from '../../src/agent/agent';
import { AgentConfig } from '../../src/decorators/agent-config';
import { Field } from '../../src/decorators/field';
import { Tool } from '../../src/decorators/tool';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, consume, say, scripted } from '../../src/testing';
import { fresh, isValidTranscript, LookupAgent } from '../runner/agents';

beforeEach(fresh);

class Verdict {
  @Field({ type: String })
  verdict!: string;
}

@AgentConfig({ output: Verdict })
class JudgeAgent extends Agent<Verdict> {
  @Tool({ description: 'Evidence.', annotations: { readOnly: true } })
  evidence(): string {
    return 'a glove';
  }
}

const guilty = JSON.stringify({ verdict: 'guilty' });
const sixty = (step: object) => [step as never, consume({ inputTokens: 20, outputTokens: 40 })];

test('R01: a budget of 100 tokens at 60 a turn makes no third request', async () => {
  const model = scripted([sixty(callTool('look_up', { word: 'a' })), sixty(callTool('look_up', { word: 'b' })), sixty(say('never'))], {
    strict: false,
  });
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Go', { limits: { maxTokens: 100 } });
  expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxTokens' });
  expect(model.requests.length).toBeLessThan(3);
  expect(isValidTranscript(result.messages)).toBe(true);
});

test('O01: at a limit on a tool call there is one last request, with tools off, for the output', async () => {
  const model = scripted([callTool('evidence'), say(guilty)]);
  const result = await new AgentRunner({ model }).run(JudgeAgent, 'Go', { limits: { maxTurns: 1 } });
  expect(result).toMatchObject({ stopReason: 'limit', output: { verdict: 'guilty' } });
  expect(model.requests[1]!.toolChoice).toBe('none');
});

test('O02: an output schema hides no tool', async () => {
  for (const jsonSchema of [true, false]) {
    const model = scripted([callTool('evidence'), jsonSchema ? say(guilty) : callTool('final_answer', { verdict: 'guilty' })], {
      capabilities: { jsonSchema },
    });
    const result = await new AgentRunner({ model }).run(JudgeAgent, 'Go');
    expect(result).toMatchObject({
      stopReason: 'completed',
      output: { verdict: 'guilty' },
      toolCalls: [{ name: 'evidence', outcome: 'ok' }],
    });
  }
});

test('O06: an invalid final answer is asked for again', async () => {
  const model = scripted([say('guilty!'), say(guilty)]);
  await expect(new AgentRunner({ model }).run(JudgeAgent, 'Go')).resolves.toMatchObject({ output: { verdict: 'guilty' } });
});

test('G05: a call made although the tool choice was none is refused and told', async () => {
  const model = scripted([callTool('evidence'), callTool('evidence')]);
  const result = await new AgentRunner({ model }).run(JudgeAgent, 'Go', { limits: { maxTurns: 1 } });
  expect(result.toolCalls.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['ok', undefined],
    ['denied', 'limit'],
  ]);
});

test('A11: the same bad arguments twenty times end in an answer, not in a loop and not in a crash', async () => {
  const steps = [...Array.from({ length: 20 }, () => callTool('look_up', '{"word":')), say('I give up.')];
  const result = await new AgentRunner({ model: scripted(steps, { strict: false }) }).run(LookupAgent, 'Go');
  expect(['loop', 'limit']).toContain(result.stopReason);
  expect(result.usage).toMatchObject({ toolCalls: 0 });
  expect(result.usage.requests).toBeLessThanOrEqual(11);
  expect(isValidTranscript(result.messages)).toBe(true);
});
