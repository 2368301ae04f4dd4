import 'reflect-metadata';
import { Agent } from '../../src/agent/agent';
import { AgentConfig } from '../../src/decorators/agent-config';
import { Ctx } from '../../src/decorators/ctx';
import { Param } from '../../src/decorators/param';
import { Tool } from '../../src/decorators/tool';
import { UsageError } from '../../src/errors/usage-error';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, callTools, say, scripted } from '../../src/testing';
import { ContextUpdate } from '../../src/tools/context-update';
import { ToolContext } from '../../src/tools/tool-context';
import { ToolResult } from '../../src/tools/tool-result';
import type { Message } from '../../src/types/message';
import { brief, isValidTranscript, LookupAgent } from './agents';

@AgentConfig({})
class NotesAgent extends Agent {
  @Tool('Notes a text.')
  note(@Param('text', { type: String }) text: string, @Ctx() context: ToolContext): ToolResult {
    const before = (context.state['notes'] as string[] | undefined)?.length ?? 0;
    return ToolResult.success({ before }, { update: ContextUpdate.of().append('notes', text) });
  }
}

test('a run goes on from another: its transcript and state are carried, budgets are fresh, newMessages are its own', async () => {
  const first = await new AgentRunner({ model: scripted([callTool('note', { text: 'a' }), say('Noted.')]) }).run(NotesAgent, 'Note a', {
    state: { notes: [], owner: 'Ada' },
    limits: { maxTurns: 2 },
  });
  expect(first.state).toEqual({ notes: ['a'], owner: 'Ada' });

  const model = scripted([callTool('note', { text: 'b' }), say('Noted too.')]);
  const second = await new AgentRunner({ model }).run(NotesAgent, 'Note b', { continueFrom: first, instructions: 'New ones.' });
  expect(second.state).toEqual({ notes: ['a', 'b'], owner: 'Ada' });
  expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages);
  expect(second.newMessages).toEqual(second.messages.slice(first.messages.length));
  expect(second.usage.requests).toBe(2);
  expect(brief(model.requests[0]!.messages)[0]).toBe('system: New ones.');
  expect(brief(second.messages).filter((line) => line.startsWith('system'))).toEqual([]);
});

test('tools of one turn see the state from before it, and both of two changes are kept', async () => {
  const model = scripted([callTools([callTool('note', { text: 'a' }), callTool('note', { text: 'b' })]), say('Done.')]);
  const state = { notes: [] as string[] };
  const result = await new AgentRunner({ model }).run(NotesAgent, 'Note both', { state });
  expect(result.state).toEqual({ notes: ['a', 'b'] });
  expect(state).toEqual({ notes: [] });
  expect(brief(result.messages).filter((line) => line.includes('"before":0'))).toHaveLength(2);
});

test('the beginning of every request is that of the one before it', async () => {
  const steps = ['a', 'b', 'c'].map((word) => callTool('look_up', { word }));
  const model = scripted([...steps, say('Done.')]);
  await new AgentRunner({ model }).run(LookupAgent, 'Go', {
    hooks: [{ beforeModel: ({ turn }) => ({ append: [{ v: 1, role: 'user', parts: [{ type: 'text', text: `Turn ${turn}.` }] }] }) }],
  });
  const own = model.requests.map(({ messages }) => JSON.stringify(messages.slice(0, -1)).slice(0, -1));
  for (let at = 1; at < own.length; at++) expect(own[at]!.startsWith(own[at - 1]!)).toBe(true);
  expect(model.requests.map(({ messages }) => brief(messages).at(-1))).toEqual([
    'user: Turn 1.',
    'user: Turn 2.',
    'user: Turn 3.',
    'user: Turn 4.',
  ]);
  expect(new Set(model.requests.map((request) => request.tools)).size).toBe(1);
});

const user = (text: string): Message => ({ v: 1, role: 'user', parts: [{ type: 'text', text }] });
const calling = (...ids: string[]): Message => ({
  v: 1,
  role: 'assistant',
  parts: [],
  calls: ids.map((id) => ({ id, name: 'look_up', arguments: '{}' })),
});
const result = (callId: string): Message => ({
  v: 1,
  role: 'tool',
  callId,
  name: 'look_up',
  parts: [{ type: 'text', text: callId }],
  outcome: 'ok',
  trust: 'trusted',
});

test.each([
  ['a call without a result', [user('q'), calling('a', 'b'), result('a')], ['a', 'b']],
  ['a result without a call', [user('q'), result('x'), calling('a'), result('a'), result('y')], ['a']],
  ['results in another order', [user('q'), calling('a', 'b'), result('b'), result('a')], ['a', 'b']],
  ['a message between calls and results', [user('q'), calling('a', 'b'), result('a'), user('wait'), result('b')], ['a', 'b']],
  ['equal ids in one message', [user('q'), calling('a', 'a'), result('a'), result('a')], ['a', 'a']],
  ['only results', [result('a')], []],
])("a given transcript with %s is mended, and the caller's list is left alone", async (_, messages, answered) => {
  const before = JSON.stringify(messages);
  const run = await new AgentRunner({ model: scripted([say('Fine.')]) }).run(LookupAgent, 'And?', { messages });
  expect(isValidTranscript(run.messages)).toBe(true);
  expect(run.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))).toEqual(answered);
  expect(JSON.stringify(messages)).toBe(before);
});

test.each([
  ['a call without a result', [user('q'), calling('a', 'b'), result('a'), user('And?')], ['a', 'b']],
  ['a result without a call', [result('x'), user('q'), calling('a'), result('a'), result('y'), user('And?')], ['a']],
  ['only a call', [calling('a')], ['a']],
])('messages that are the input, with %s, are mended too', async (_, input, answered) => {
  const before = JSON.stringify(input);
  const model = scripted([say('Fine.')]);
  const run = await new AgentRunner({ model }).run(LookupAgent, input);
  expect(isValidTranscript(model.requests[0]!.messages)).toBe(true);
  expect(isValidTranscript(run.newMessages)).toBe(true);
  expect(run.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))).toEqual(answered);
  expect(run.warnings.join()).toMatch(/mended/);
  expect(JSON.stringify(input)).toBe(before);
});

test('a valid transcript comes back as it was, without a warning', async () => {
  const messages = [user('q'), calling('a', 'b'), result('a'), result('b'), user('r')];
  const run = await new AgentRunner({ model: scripted([say('Fine.')]) }).run(LookupAgent, [], { messages });
  expect(run.messages.slice(0, 5)).toEqual(messages);
  expect(run.warnings).toEqual([]);
});

test('input may be parts or messages', async () => {
  const parts = await new AgentRunner({ model: scripted([say('A cat.')]) }).run(LookupAgent, [
    { type: 'text', text: 'What is this?' },
    { type: 'image', url: 'https://example.org/cat.png' },
  ]);
  expect(parts.newMessages[0]).toMatchObject({ role: 'user', parts: [{ type: 'text' }, { type: 'image' }] });
  const messages = await new AgentRunner({ model: scripted([say('Yes.')]) }).run(LookupAgent, [user('a'), user('b')]);
  expect(messages.newMessages).toHaveLength(3);
});

test.each([
  ['nothing', [undefined], /text, a list of parts/],
  ['an empty list', [[]], /asked nothing/],
  ['a part of no kind', [[{ type: 'smell' }]], /parts\[0\]/],
  ['a broken message', [[{ role: 'assistant', parts: [] }]], /calls/],
  ['a message of another version', [[{ v: 2, role: 'user', parts: [] }]], /\[0\] is of version 2.*version 1/],
  ['only results, which are answers to nothing', [[result('a')]], /asked nothing/],
  ['an unknown option', ['Go', { aprove: () => true }], /`aprove`.*`approve`/],
  ['a signal that is none', ['Go', { signal: {} }], /AbortSignal/],
  ['messages that are none', ['Go', { messages: [{ role: 'wizard' }] }], /`messages`\[0\]/],
  ['state that is not plain', ['Go', { state: { at: { now: () => 1 } } }], /state\.at\.now/],
  ['state that holds itself', ['Go', { state: cyclic() }], /state/],
  ['two transcripts', ['Go', { messages: [], continueFrom: { messages: [] } }], /not both/],
])('%s is refused with what to write', async (_, args, message) => {
  const runner = new AgentRunner({ model: scripted([], { strict: false }) });
  const error: unknown = await (runner.run as (...given: unknown[]) => Promise<unknown>)
    .call(runner, LookupAgent, ...args)
    .catch((thrown: unknown) => thrown);
  expect(UsageError.is(error)).toBe(true);
  expect((error as UsageError).message).toMatch(message);
});

function cyclic(): object {
  const state: { self?: unknown } = {};
  state.self = state;
  return state;
}

test('returnDirect ends the run when all calls are direct and none failed', async () => {
  const direct = await new AgentRunner({ model: scripted([callTool('direct')]) }).run(LookupAgent, 'Go');
  expect(direct).toMatchObject({ stopReason: 'direct', text: 'straight from the tool', usage: { requests: 1 } });
  expect(isValidTranscript(direct.messages)).toBe(true);
  const mixed = scripted([callTools([['direct'], ['look_up', { word: 'a' }]]), say('Both.')]);
  await expect(new AgentRunner({ model: mixed }).run(LookupAgent, 'Go')).resolves.toMatchObject({ stopReason: 'completed', text: 'Both.' });
});

test('the tool choice holds for the first request only', async () => {
  @AgentConfig({ toolChoice: { tool: 'note' } })
  class EagerAgent extends NotesAgent {}
  const model = scripted([callTool('note', { text: 'a' }), say('Done.')]);
  await new AgentRunner({ model }).run(EagerAgent, 'Go');
  expect(model.requests.map((request) => request.toolChoice)).toEqual([{ tool: 'note' }, 'auto']);
});

test('a cut result can be read on by page, by search and by path', async () => {
  @AgentConfig({ paging: true })
  class BigAgent extends Agent {
    @Tool({ description: 'A long list.', maxResultChars: 500, trust: 'untrusted', annotations: { readOnly: true } })
    list(): object {
      return { items: Array.from({ length: 2_000 }, (_, at) => ({ name: `item ${at}` })) };
    }
  }
  const read = (args: object) => callTool('read_output', { call_id: 'c1', ...args });
  const model = scripted([
    callTool('list', {}, { id: 'c1' }),
    read({ page: 2 }),
    read({ search: 'ITEM 1999' }),
    read({ path: 'items[7].name' }),
    read({ path: 'items[7].nose' }),
    callTool('read_output', { call_id: 'constructor' }),
    say('Done.'),
  ]);
  const run = await new AgentRunner({ model }).run(BigAgent, 'Go');
  const [cut, page, search, path, wrong, unknown] = brief(run.messages).filter((line) => line.startsWith('tool'));
  expect(model.requests[0]!.tools.map((tool) => tool.name)).toEqual(['list', 'read_output']);
  expect(cut).toContain('read_output({\\"call_id\\": \\"c1\\"})');
  expect(page).toMatch(/^tool ok: \[page 2 of \d+\]/);
  expect(search).toMatch(/\[1 matches\](.|\n)*item 1999/);
  expect(path).toBe('tool ok: item 7');
  expect(wrong).toMatch(/^tool error: .*no .*nose/);
  expect(unknown).toMatch(/^tool error: .*No cut result/);
  const trusts = run.messages.flatMap((message) => (message.role === 'tool' ? [message.trust] : []));
  expect(trusts.slice(0, 4)).toEqual(['untrusted', 'untrusted', 'untrusted', 'untrusted']);
});
