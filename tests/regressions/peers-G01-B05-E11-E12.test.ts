import 'reflect-metadata';
import { Agent, AgentConfig, Tool, ToolContext } from 'toolwright';
import type { RunEvent } from 'toolwright';
import { callTool, createTestRunner, fail, say, scripted } from 'toolwright/testing';

let begun!: () => void;
const started = new Promise<void>((resolve) => (begun = resolve));
let told: unknown;

@AgentConfig({ description: 'A child.' })
class Child extends Agent {
  @Tool({ description: 'Works.', annotations: { readOnly: true } })
  work(context: ToolContext) {
    begun();
    return new Promise((_, reject) => context.signal.addEventListener('abort', () => reject((told = context.signal.reason) as Error)));
  }
}

@AgentConfig({ subagents: [Child] })
class Parent extends Agent {}

const ask = callTool('child', { task: 'Go' });

test('G01: a sub-agent that throws is an error result, not a success without text', async () => {
  const result = await createTestRunner({ model: scripted([ask, fail('boom'), say('It failed.')]) }).run(Parent, 'Go');
  expect(result.toolCalls).toMatchObject([{ name: 'child', outcome: 'error' }]);
  expect(JSON.stringify(result.toolCalls[0]!.content)).toContain('failed');
});

test('B05: an abort of the parent fires the signal of the child’s tool, and the child asks no more', async () => {
  const model = scripted([ask, callTool('work')]);
  const run = createTestRunner({ model }).start(Parent, 'Go');
  await started;
  run.abort(new Error('enough'));
  await expect(run.result).rejects.toMatchObject({ name: 'AbortError' });
  expect(told).toMatchObject({ message: 'enough' });
  expect(model.requests).toHaveLength(2);
});

test('E11, E12: events of a nested agent come once, in the one stream, with the call that they belong to', async () => {
  const heard: RunEvent[] = [];
  const run = createTestRunner({ model: scripted([ask, say('from below'), say('from above')]) }).stream(Parent, 'Go');
  for await (const event of run) heard.push(event);
  const texts = heard.flatMap((event) => (event.type === 'model.end' ? [[event.parentCallId, event.message.parts.length]] : []));
  expect(texts).toEqual([
    [undefined, 0],
    ['call_1', 1],
    [undefined, 1],
  ]);
  expect(new Set(heard.map(({ runId, seq }) => `${runId} ${seq}`)).size).toBe(heard.length);
});
