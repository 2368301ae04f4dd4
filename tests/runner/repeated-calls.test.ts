import 'reflect-metadata';
import { Agent, AgentConfig, Tool, ToolContext } from 'toolwright';
import { callTools, createTestRunner, say, scripted } from 'toolwright/testing';

interface Seen {
  readonly keys: string[];
}

@AgentConfig({ instructions: 'You write.' })
class WriterAgent extends Agent<string, Seen> {
  @Tool('Writes, and fails.')
  write(context: ToolContext<Seen>): never {
    context.deps.keys.push(context.idempotencyKey);
    throw new Error('The disk is full.');
  }

  @Tool({ description: 'Writes what was written before once more, and fails.', annotations: { idempotent: true } })
  rewrite(context: ToolContext<Seen>): never {
    return this.write(context);
  }

  @Tool({ description: 'Reads, and fails.', annotations: { readOnly: true } })
  read(context: ToolContext<Seen>): never {
    return this.write(context);
  }
}

@AgentConfig({ parallelToolCalls: true })
class ParallelWriterAgent extends WriterAgent {}

test('a tool that may change things is tried once; one that may be repeated is tried again', async () => {
  const deps: Seen = { keys: [] };
  const model = scripted([callTools([['write'], ['rewrite'], ['read']]), say('Done.')]);
  const result = await createTestRunner({ model }).run(WriterAgent, 'Go', { deps });
  expect(result.toolCalls.map(({ name, attempts }) => [name, attempts])).toEqual([
    ['write', 1],
    ['rewrite', 2],
    ['read', 2],
  ]);
});

test.each([
  ['in turn', WriterAgent],
  ['side by side', ParallelWriterAgent],
])('every call of a run has an idempotency key of its own, which its attempts share (%s)', async (_, cls) => {
  const deps: Seen = { keys: [] };
  const batch = () => callTools([['write'], ['rewrite'], ['write']]);
  const { runId } = await createTestRunner({ model: scripted([batch(), batch(), say('Done.')]) }).run(cls, 'Go', { deps });
  // Two batches of three calls, of which one is tried twice.
  expect(deps.keys).toHaveLength(8);
  expect(new Set(deps.keys).size).toBe(6);
  expect(deps.keys.every((key) => key.includes(runId))).toBe(true);
});
