import { AgentRunner } from '../../src/runner/agent-runner';
import { repeats, traced } from '../../src/runner/loop/loop-guard';
import { callTool, say, scripted } from '../../src/testing';
import { brief, fresh, LookupAgent } from './agents';

beforeEach(fresh);

const word = (text: string) => callTool('look_up', { word: text });
const lastUser = (messages: Parameters<typeof brief>[0]) => brief(messages).at(-1);

test('the same call with the same result is corrected once, and then ends the run with an answer', async () => {
  const model = scripted([word('a'), word('a'), word('a'), word('a'), say('I am stuck.')]);
  const result = await new AgentRunner({ model }).run(LookupAgent, 'Go');

  expect(result).toMatchObject({ stopReason: 'loop', text: 'I am stuck.', usage: { toolCalls: 4 } });
  expect(lastUser(model.requests[3]!.messages)).toMatch(/user: You have made the same calls/);
  expect(model.requests[4]!.toolChoice).toBe('none');
  // The correction was said in one request and is no part of the transcript.
  expect(brief(result.messages).filter((line) => line.startsWith('user'))).toEqual(['user: Go']);
});

test('a cycle of two calls is a loop as well', async () => {
  const steps = ['a', 'b', 'a', 'b', 'a', 'b', 'a'].map(word);
  const result = await new AgentRunner({ model: scripted([...steps, say('Stuck.')]) }).run(LookupAgent, 'Go');
  expect(result).toMatchObject({ stopReason: 'loop', text: 'Stuck.' });
});

test('a model that heeds the correction goes on as usual', async () => {
  const model = scripted([word('a'), word('a'), word('a'), word('b'), say('Found it.')]);
  await expect(new AgentRunner({ model }).run(LookupAgent, 'Go')).resolves.toMatchObject({ stopReason: 'completed', text: 'Found it.' });
});

test('equal calls with other results are no loop, and polling never is', async () => {
  const counting = scripted([...Array.from({ length: 8 }, () => callTool('next')), say('Eight.')]);
  await expect(new AgentRunner({ model: counting }).run(LookupAgent, 'Count')).resolves.toMatchObject({ stopReason: 'completed' });
  const polling = scripted([...Array.from({ length: 8 }, () => callTool('poll')), say('Given up.')]);
  await expect(new AgentRunner({ model: polling }).run(LookupAgent, 'Wait')).resolves.toMatchObject({ stopReason: 'completed' });
});

test.each([
  ['aaa', true],
  ['aa', false],
  ['ababab', true],
  ['babab', false],
  ['abcabcabc', true],
  ['aabaab', false],
  ['xaaa', true],
  ['aabaa', false],
])('turns %s repeat: %s', (turns, expected) => {
  const trace = [...turns].reduce<readonly string[]>((before, turn) => traced(before, turn), []);
  expect(repeats(trace)).toBe(expected);
});

test('what a person asks for again after an answer is no loop', async () => {
  const rounds = Array.from({ length: 5 }, () => [callTool('look_up', { word: 'a' }), say('It means 1.')]).flat();
  const run = new AgentRunner({ model: scripted(rounds) }).stream(LookupAgent, 'Look it up.');
  let answers = 0;
  const seen: string[] = [];
  for await (const event of run) {
    seen.push(event.type);
    if (event.type === 'model.end' && event.message.calls.length === 0 && ++answers < 5) run.followUp('Look again.');
  }
  expect((await run.result).stopReason).toBe('completed');
  expect(seen).not.toContain('loop');
});

test('the trace keeps only what the guard looks at', () => {
  const trace = Array.from({ length: 100 }, (_, at) => String(at)).reduce<readonly string[]>(traced, []);
  expect(trace).toEqual(['91', '92', '93', '94', '95', '96', '97', '98', '99']);
});
