import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, ToolResult, defineTool, toolset } from 'toolwright';
import { callTool, callTools, say, scripted } from 'toolwright/testing';
import type { ScriptStep } from 'toolwright/testing';

const tool = (name: string, returnDirect: boolean, result: unknown) =>
  defineTool({ name, description: name, returnDirect, annotations: { readOnly: true }, execute: () => result });
const tools = [tool('fetch', true, 'the page'), tool('list', false, 'the list'), tool('broken', true, ToolResult.error('no disk'))];

@AgentConfig({ tools })
class Static extends Agent {}

@AgentConfig({ toolsets: [() => toolset(tools)] })
class Dynamic extends Agent {}

const result = async (agent: typeof Static, mode: 'run' | 'stream', steps: readonly ScriptStep[]) => {
  const runner = new AgentRunner({ model: scripted(steps) });
  return mode === 'run' ? runner.run(agent, 'Go') : runner.stream(agent, 'Go').result;
};

test.each([
  ['run', Static],
  ['run', Dynamic],
  ['stream', Static],
  ['stream', Dynamic],
] as const)('D39: in a %s of %p a direct result is the answer, and the history ends with it', async (mode, agent) => {
  const direct = await result(agent, mode, [callTool('fetch')]);
  expect(direct).toMatchObject({ stopReason: 'direct', text: 'the page' });
  expect(direct.messages.at(-1)).toMatchObject({ role: 'tool', name: 'fetch', outcome: 'ok' });
});

test.each([
  ['all direct', ['fetch', 'fetch'], 'direct'],
  ['some direct', ['fetch', 'list'], 'completed'],
  ['one failed', ['fetch', 'broken'], 'completed'],
] as const)('D39: of several calls, %s', async (_, names, stopReason) => {
  const calls = callTools(names.map((name) => [name] as const));
  const steps = stopReason === 'direct' ? [calls] : [calls, say('From the model.')];
  expect(await result(Static, 'run', steps)).toMatchObject({
    stopReason,
    text: stopReason === 'direct' ? 'the page\nthe page' : 'From the model.',
  });
});
