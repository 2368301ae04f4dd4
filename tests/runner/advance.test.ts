import { advance } from '../../src/runner/loop/advance';
import { withDefaults } from '../../src/runner/loop/limits';
import type { RunOutcome } from '../../src/runner/loop/run-outcome';
import { initialState, type RunState, type RunTerms } from '../../src/runner/loop/run-state';
import { requestUsage } from '../../src/runner/loop/add-usage';

const terms = (limits = {}): RunTerms => ({ limits: withDefaults(limits), toolChoice: 'auto', answer: { by: 'text' } });
const begin = (limits = {}): RunState => initialState(terms(limits), { length: 0, memory: {}, tainted: false });

const answered = (more: Partial<Extract<RunOutcome, { kind: 'answered' }>> = {}): RunOutcome => ({
  kind: 'answered',
  message: { v: 1, role: 'assistant', parts: [{ type: 'text', text: 'Hi' }], calls: [] },
  calls: [],
  outputs: [],
  finish: 'stop',
  refusal: undefined,
  usage: requestUsage({ inputTokens: 10, outputTokens: 5 }),
  elapsed: 10,
  length: 1,
  ...more,
});
const calling = (word: string): RunOutcome =>
  answered({ calls: [{ id: word, name: 'look_up', arguments: word, turn: 1, index: 0 }], finish: 'tool_calls' });
const settled = (says: string): RunOutcome => ({
  kind: 'settled',
  calls: [{ tool: 'look_up', says, polling: false, ok: true, executed: true, repair: false, direct: false }],
  memory: { seen: says },
  tallies: { look_up: { repairs: 0, executions: 1 } },
  tainted: false,
  output: 'none',
  fatal: undefined,
  elapsed: 20,
  length: 3,
});
const STORY: readonly RunOutcome[] = [
  { kind: 'started', elapsed: 0, length: 1 },
  calling('a'),
  settled('a'),
  calling('a'),
  settled('a'),
  calling('a'),
  settled('a'),
  calling('a'),
  settled('a'),
  answered(),
];

test('the effects follow from the outcomes alone', () => {
  let state = begin();
  const effects = STORY.map((outcome) => {
    const step = advance(state, outcome);
    state = step.state;
    return step.effect.kind === 'finish'
      ? `finish ${step.effect.ending.stop}`
      : step.effect.kind === 'ask'
        ? `ask ${JSON.stringify(step.effect.toolChoice)}`
        : 'batch';
  });
  expect(effects).toEqual([
    'ask "auto"',
    'batch',
    'ask "auto"',
    'batch',
    'ask "auto"',
    'batch',
    'ask "auto"',
    'batch',
    'ask "none"',
    'finish loop',
  ]);
});

test('a state that went through JSON at each step takes the same course, and no step changes the state it was given', () => {
  let state = begin();
  let stored = JSON.parse(JSON.stringify(state)) as RunState;
  for (const outcome of STORY) {
    const before = JSON.stringify(state);
    const live = advance(state, outcome);
    const replayed = advance(stored, JSON.parse(JSON.stringify(outcome)) as RunOutcome);
    expect(JSON.stringify(replayed)).toBe(JSON.stringify(live));
    expect(JSON.stringify(state)).toBe(before);
    state = live.state;
    stored = JSON.parse(JSON.stringify(replayed.state)) as RunState;
  }
  expect(state).toMatchObject({ turn: 5, usage: { requests: 5, toolCalls: 4 }, memory: { seen: 'a' } });
});

test('the state does not grow with the turns', () => {
  let state = advance(begin({ maxTurns: 1_000, maxToolCalls: 10_000 }), STORY[0]!).state;
  const sizes: number[] = [];
  for (let turn = 0; turn < 500; turn++) {
    state = advance(state, calling(`w${turn}`)).state;
    state = advance(state, settled(`w${turn}`)).state;
    sizes.push(JSON.stringify(state).length);
  }
  expect(sizes[499]! - sizes[20]!).toBeLessThan(40);
});

test('time that is up in a model call leads to the last request, and in that to the end', () => {
  const asked = advance(begin({ maxDurationMs: 100 }), { kind: 'started', elapsed: 0, length: 1 }).state;
  const cut = advance(asked, { kind: 'expired', elapsed: 75, length: 1 });
  expect(cut.effect).toMatchObject({ kind: 'ask', toolChoice: 'none' });
  expect(advance(cut.state, { kind: 'expired', elapsed: 100, length: 1 }).effect).toEqual({
    kind: 'finish',
    ending: { stop: 'limit', limit: 'maxDurationMs' },
  });
});
