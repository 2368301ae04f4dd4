import 'reflect-metadata';
import { Agent } from '../../src/agent/agent';
import type { Guardrail } from '../../src/agent/guardrails';
import { AgentConfig } from '../../src/decorators/agent-config';
import { handoff } from '../../src/agent/handoff';
import { AgentRunner } from '../../src/runner/agent-runner';
import { UsageError } from '../../src/errors/usage-error';
import { callTool, say, scripted, stall } from '../../src/testing';
import { brief, eventsOf, fresh, isValidTranscript, LookupAgent } from './agents';

beforeEach(fresh);

test('steer is read after the current batch', async () => {
  const model = scripted([callTool('look_up', { word: 'a' }), say('Shorter now.')]);
  const run = new AgentRunner({ model }).stream(LookupAgent, 'Go');
  for await (const event of run) if (event.type === 'tool.start') run.steer('Be brief.');
  const result = await run.result;

  expect(brief(result.messages)).toEqual([
    'user: Go',
    'assistant: look_up({"word":"a"})',
    'tool ok: a means 1',
    'user: Be brief.',
    'assistant: Shorter now.',
  ]);
  expect(brief(model.requests[1]!.messages).at(-1)).toBe('user: Be brief.');
});

test('steer during the last answer keeps the run going', async () => {
  const model = scripted([say('First.'), say('Second.')]);
  const run = new AgentRunner({ model }).stream(LookupAgent, 'Go');
  let steered = false;
  for await (const event of run)
    if (event.type === 'model.delta' && !steered) {
      steered = true;
      run.steer('One more thing.');
    }
  expect(brief((await run.result).messages)).toEqual(['user: Go', 'assistant: First.', 'user: One more thing.', 'assistant: Second.']);
});

test('followUp is read when the run would end, and its events say so', async () => {
  const model = scripted([callTool('look_up', { word: 'a' }), say('First.'), say('Second.')]);
  const run = new AgentRunner({ model }).stream(LookupAgent, 'Go');
  run.followUp('And then?');
  const events = await eventsOf(run);

  expect(brief((await run.result).messages)).toEqual([
    'user: Go',
    'assistant: look_up({"word":"a"})',
    'tool ok: a means 1',
    'assistant: First.',
    'user: And then?',
    'assistant: Second.',
  ]);
  expect(events.filter((event) => event.type === 'steer')).toHaveLength(1);
  expect(events.filter((event) => event.type === 'run.end')).toHaveLength(1);
});

test('redirect cancels the model call in flight', async () => {
  const model = scripted([[say('Going the wrong way'), stall()], say('The right way.')]);
  const run = new AgentRunner({ model }).stream(LookupAgent, 'Go');
  let redirected = false;
  for await (const event of run)
    if (event.type === 'model.delta' && !redirected) {
      redirected = true;
      run.redirect('Turn around.');
    }
  const result = await run.result;

  expect(brief(result.messages)).toEqual(['user: Go', 'user: Turn around.', 'assistant: The right way.']);
  expect(model.requests[0]!.signal.aborted).toBe(true);
  expect(result.usage.requests).toBe(1);
});

test.each(['turn.start', 'steer', 'beforeModel', 'guardrail'])(
  'redirect while a request is made ready keeps it from being made (%s)',
  async (moment) => {
    const model = scripted([say('The right way.')]);
    let redirected = false;
    const redirect = (): void => {
      if (!redirected) run.redirect('Turn around.');
      redirected = true;
    };
    const beforeModel = async (): Promise<void> => {
      await null;
      if (moment === 'beforeModel') redirect();
    };
    const guardrail = async (text: string): Promise<void> => {
      await null;
      if (moment === 'guardrail' && text === 'Wait.') redirect();
    };
    @AgentConfig({ instructions: 'You listen.', guardrails: { input: [guardrail as Guardrail] } })
    class ListeningAgent extends Agent {}
    const run = new AgentRunner({ model }).start(ListeningAgent, 'Go', {
      hooks: [{ beforeModel }],
      onEvent: (event) => event.type === moment && redirect(),
    });
    run.steer('Wait.');
    const result = await run.result;

    expect(brief(result.messages)).toEqual(['user: Go', 'user: Wait.', 'user: Turn around.', 'assistant: The right way.']);
    expect(result.usage.requests).toBe(1);
  },
);

test('the request that takes the place of a cancelled one says and asks the same', async () => {
  @AgentConfig({ name: 'second', instructions: 'You go on.', toolChoice: 'required' })
  class SecondAgent extends LookupAgent {}
  @AgentConfig({ instructions: 'You begin.', tools: [handoff(SecondAgent)] })
  class FirstAgent extends Agent {}
  const again = callTool('look_up', { word: 'a' });
  const wrong = [say('Wrong.'), stall()];
  const model = scripted([callTool('transfer_to_second', {}), wrong, again, again, again, wrong, say('The right way.')]);
  const run = new AgentRunner({ model }).stream(FirstAgent, 'Go');
  for await (const event of run) if (event.type === 'model.delta' && event.text === 'Wrong.') run.redirect('Turn around.');

  expect((await run.result).stopReason).toBe('completed');
  expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'required', 'required', 'auto', 'auto', 'auto', 'auto']);
  const [before, after] = model.requests.slice(-2).map(({ messages }) => brief(messages).at(-1));
  expect(before).toContain('You have made the same calls');
  expect(after).toBe(before);
});

test('redirect while a tool works is said after it', async () => {
  const model = scripted([callTool('look_up', { word: 'a' }), say('Turned.')]);
  const run = new AgentRunner({ model }).stream(LookupAgent, 'Go');
  for await (const event of run) if (event.type === 'tool.start') run.redirect('Turn around.');
  const { messages } = await run.result;
  expect(brief(messages).slice(-2)).toEqual(['user: Turn around.', 'assistant: Turned.']);
  expect(isValidTranscript(messages)).toBe(true);
});

test('a message that comes too late is warned of, not lost in silence', async () => {
  const model = scripted([callTool('look_up', { word: 'a' }), say('Out of turns.')]);
  const run = new AgentRunner({ model }).start(LookupAgent, 'Go', { limits: { maxTurns: 1 } });
  run.followUp('And then?');
  const result = await run.result;
  expect(result).toMatchObject({ stopReason: 'limit', text: 'Out of turns.' });
  expect(result.warnings.join()).toMatch(/before 1 message/);
});

test('a message that is none is refused at once', () => {
  const run = new AgentRunner({ model: scripted([say('Hi')]) }).start(LookupAgent, 'Go');
  expect(() => run.steer(undefined as never)).toThrow(UsageError);
  expect(() => run.followUp([{ type: 'smell' }] as never)).toThrow(/parts\[0\]/);
  return run.result;
});
