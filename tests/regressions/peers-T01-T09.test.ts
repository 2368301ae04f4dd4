import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, Field, Tool, ToolContext } from 'toolwright';
import type { Message } from 'toolwright';
import { answer, callTool, expectRequest, say, scripted, think } from 'toolwright/testing';

class Report {
  @Field() summary!: string;
  @Field() count!: number;
}

interface Deps {
  readonly db: () => string;
}

@AgentConfig({ output: Report })
class Reporter extends Agent<Report, Deps> {
  @Tool({ description: 'Asks the database.', annotations: { readOnly: true } })
  ask(context: ToolContext<Deps>): string {
    return context.deps.db();
  }
}

/** As a store keeps it. */
const saved = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const deps = (said: string): Deps => ({ db: () => said });

test('T01: what a run works with is not saved; the next run brings its own', async () => {
  const first = await new AgentRunner({ model: scripted([callTool('ask'), answer({ summary: 'One.', count: 1 })]) }).run(Reporter, 'Go', {
    deps: deps('first'),
  });
  expect(JSON.stringify(first)).not.toContain('"db"');
  const model = scripted([callTool('ask'), answer({ summary: 'Two.', count: 2 })]);
  const second = await new AgentRunner({ model }).run(Reporter, 'Again', { continueFrom: saved(first), deps: deps('second') });
  expect(second.toolCalls[0]!.content).toEqual([{ type: 'text', text: 'second' }]);
});

test('T04: structured output is the same after being saved', async () => {
  const result = await new AgentRunner({ model: scripted([answer({ summary: 'One.', count: 1 })]) }).run(Reporter, 'Go', {
    deps: deps(''),
  });
  expect(result.stopReason === 'completed' && result.output).toBeInstanceOf(Report);
  expect(saved(result)).toMatchObject({ output: { summary: 'One.', count: 1 } });
});

test('T06: reasoning, calls and results are kept through being saved, and are what the next request shows', async () => {
  const first = await new AgentRunner({
    model: scripted([think('They ask the database.', callTool('ask')), answer({ summary: 'One.', count: 1 })]),
  }).run(Reporter, 'Go', { deps: deps('found') });
  expect(saved(first.messages)).toEqual(first.messages);
  expect(first.messages[1]).toMatchObject({ role: 'assistant', reasoning: 'They ask the database.', calls: [{ name: 'ask' }] });
  const model = scripted([[expectRequest({ messages: first.messages.length + 1 }), answer({ summary: 'Two.', count: 2 })]]);
  await new AgentRunner({ model }).run(Reporter, 'Again', { continueFrom: saved(first), deps: deps('') });
  expect(model.requests[0]!.messages.slice(0, -1)).toEqual(first.messages);
});

test('T09: messages with no parts can be loaded', async () => {
  const messages: Message[] = [
    { v: 1, role: 'user', parts: [] },
    { v: 1, role: 'assistant', parts: [], calls: [] },
  ];
  class Plain extends Agent {}
  const result = await new AgentRunner({ model: scripted([say('Hello.')]) }).run(Plain, 'Hi', { messages });
  expect(result).toMatchObject({ text: 'Hello.', warnings: [] });
  expect(result.messages.slice(0, 2)).toEqual(messages);
});
