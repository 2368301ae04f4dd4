import 'reflect-metadata';
import { Agent } from '../../src/agent/agent';
import { AgentConfig } from '../../src/decorators/agent-config';
import { Field } from '../../src/decorators/field';
import { Tool } from '../../src/decorators/tool';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, callTools, refuse, say, scripted, think, finish } from '../../src/testing';
import type { RunEvent } from '../../src/types/run-event';
import type { RunResult } from '../../src/types/run-result';
import { brief, eventsOf, isValidTranscript, LookupAgent } from './agents';

@AgentConfig({
  guardrails: {
    input: [
      (text) => {
        if (text.includes('bomb')) return { refuse: 'Not that.' };
        if (text.includes('throw')) throw new Error('broken');
        return text.includes('4111') ? { change: text.replace(/4111\d*/g, '[card]') } : undefined;
      },
    ],
    output: [
      (text) => (text.includes('secret') ? { change: text.replaceAll('secret', '[cut]') } : undefined),
      (text) => (text.includes('worse') ? { refuse: 'Too bad to show.' } : undefined),
    ],
  },
})
class CarefulAgent extends Agent {
  @Tool('Does nothing much.')
  nothing(): string {
    return 'nothing';
  }

  @Tool({ description: 'Says a secret.', returnDirect: true })
  tell(): string {
    return 'a secret';
  }
}

test('what an input guardrail changes is what the model and the transcript hold', async () => {
  const model = scripted([say('Thanks.')]);
  const result = await new AgentRunner({ model }).run(CarefulAgent, 'My card is 41111111');
  expect(brief(result.messages)[0]).toBe('user: My card is [card]');
  expect(brief(model.requests[0]!.messages).at(-1)).toBe('user: My card is [card]');
});

test.each([
  ['a bomb', 'Not that.'],
  ['throw', 'A guardrail failed: broken'],
])('a refused input asks no model and stays out of the transcript (%s)', async (text, refusal) => {
  const model = scripted([say('never')], { strict: false });
  const result = await new AgentRunner({ model }).run(CarefulAgent, text);
  expect(result).toMatchObject({ stopReason: 'refused', refusal, messages: [], text: '' });
  expect(model.requests).toHaveLength(0);
});

test('a changed answer is all that anybody sees: events, result and transcript', async () => {
  const model = scripted([think('The secret is 42.', say('The secret is out.'))], { chunkSize: 3 });
  const run = new AgentRunner({ model }).stream(CarefulAgent, 'Tell me');
  const events = await eventsOf(run);
  const result = await run.result;
  expect(JSON.stringify([events.filter((event) => event.type === 'model.delta'), result.text, brief(result.messages)])).not.toContain(
    'secret',
  );
  expect(events.filter((event) => event.type === 'model.delta')).toMatchObject([{ kind: 'text', text: 'The [cut] is out.' }]);
  expect(result.output).toBe('The [cut] is out.');
});

test('a refused answer is nowhere to be seen', async () => {
  const run = new AgentRunner({ model: scripted([say('Even worse.')]) }).stream(CarefulAgent, 'Tell me');
  const events = await eventsOf(run);
  const result = await run.result;
  expect(result).toMatchObject({ stopReason: 'refused', refusal: 'Too bad to show.', text: '' });
  expect(JSON.stringify([events, result])).not.toContain('Even worse');
});

test('text beside calls passed no guardrail and is not shown', async () => {
  const model = scripted([[say('secret plan'), callTool('nothing')], say('Done.')]);
  const run = new AgentRunner({ model }).stream(CarefulAgent, 'Go');
  expect(JSON.stringify(await eventsOf(run))).not.toContain('secret plan');
});

test('messages to a running agent pass the input guardrails too', async () => {
  const model = scripted([callTool('nothing'), say('Done.')]);
  const run = new AgentRunner({ model }).stream(CarefulAgent, 'Go');
  for await (const event of run)
    if (event.type === 'tool.start') {
      run.steer('a bomb');
      run.steer('card 4111222');
    }
  const result = await run.result;
  expect(brief(result.messages).filter((line) => line.startsWith('user'))).toEqual(['user: Go', 'user: card [card]']);
  expect(result.warnings.join()).toContain('Not that.');
});

test("the provider's refusal and its content filter are refusals, and their calls are not run", async () => {
  const refused = await new AgentRunner({ model: scripted([refuse('I must not.')]) }).run(LookupAgent, 'Go');
  expect(refused).toMatchObject({ stopReason: 'refused', refusal: 'I must not.' });
  const filtered = await new AgentRunner({
    model: scripted([[...callTools([['next']]), finish('content_filter')]]),
  }).run(LookupAgent, 'Go');
  expect(filtered).toMatchObject({
    stopReason: 'refused',
    toolCalls: [{ outcome: 'denied', reason: 'content_filter' }],
    usage: { toolCalls: 0 },
  });
});

test("a tool's result that is the answer passes the output guardrails", async () => {
  const result = await new AgentRunner({ model: scripted([callTool('tell')]) }).run(CarefulAgent, 'Tell me');
  expect(result).toMatchObject({ stopReason: 'direct', text: 'a [cut]' });
});

test('a refusal of the model passes them too, and what was said beside it is not shown', async () => {
  for (const [refusal, shown] of [
    ['I keep secrets.', 'I keep [cut]s.'],
    ['That is even worse.', 'Too bad to show.'],
  ] as const) {
    const run = new AgentRunner({ model: scripted([[say('The secret plan is'), refuse(refusal)]]) }).stream(CarefulAgent, 'Tell me');
    const events = await eventsOf(run);
    const result = await run.result;
    expect(result).toMatchObject({ stopReason: 'refused', refusal: shown });
    expect(JSON.stringify([events, result])).not.toMatch(/secret|worse/);
  }
});

class Story {
  @Field({ type: String, description: 'What happened' })
  text!: string;

  @Field({ type: Number, description: 'How long ago' })
  days!: number;
}

@AgentConfig({
  output: Story,
  guardrails: {
    output: [
      (text) => (text.includes('worse') ? { refuse: 'Too bad to show.' } : undefined),
      (text) => (text.includes('secret') ? { change: text.replaceAll('secret', '[cut]') } : undefined),
      (text) => (text.includes('unsay') ? { change: 'Nothing.' } : undefined),
    ],
  },
})
class StoryAgent extends Agent<Story> {
  @Tool('Does nothing much.')
  nothing(): string {
    return 'nothing';
  }
}

interface Told {
  readonly events: readonly RunEvent[];
  readonly result: RunResult<Story>;
}

const WAYS: readonly [string, (model: ReturnType<typeof scripted>) => Promise<Told>][] = [
  [
    'run',
    async (model) => {
      const events: RunEvent[] = [];
      return { result: await new AgentRunner({ model }).run(StoryAgent, 'Tell', { onEvent: (event) => void events.push(event) }), events };
    },
  ],
  [
    'stream',
    async (model) => {
      const run = new AgentRunner({ model }).stream(StoryAgent, 'Tell');
      return { events: await eventsOf(run), result: await run.result };
    },
  ],
];

describe.each(WAYS)('an answer that is given by the output tool (%s)', (_, way) => {
  const byTool = { capabilities: { jsonSchema: false } };
  const story = (text: string, days: unknown = 1) => ['final_answer', { text, days }] as [string, object];

  test.each([
    ['alone', [story('even worse')]],
    ['beside a call', [['nothing', {}], story('even worse')] as [string, object][]],
    ['behind another answer', [story('fine'), story('even worse')]],
    ['behind an answer that a guardrail made invalid', [story('unsay'), story('even worse')]],
    ['which is not valid', [story('even worse', 'long ago')]],
  ])('is nowhere to be seen once it is refused, %s', async (_how, calls) => {
    const { events, result } = await way(scripted([callTools(calls)], byTool));
    expect(result).toMatchObject({ stopReason: 'refused', refusal: 'Too bad to show.', text: '', usage: { toolCalls: 0 } });
    expect(JSON.stringify([events, result])).not.toContain('worse');
    expect(isValidTranscript(result.messages)).toBe(true);
  });

  test('is nowhere to be seen once it is refused, also where the provider cut it off', async () => {
    const { events, result } = await way(scripted([[callTool(...story('even worse')), finish('length')]], byTool));
    expect(result).toMatchObject({ stopReason: 'refused' });
    expect(JSON.stringify([events, result])).not.toContain('worse');
  });

  test.each([
    ['the first one is taken', [story('a secret'), story('another secret')]],
    ['the second one is taken', [story('a secret', 'long ago'), story('a secret')]],
  ])('is changed wherever it is shown, when %s', async (_how, calls) => {
    const { events, result } = await way(scripted([callTools(calls)], byTool));
    expect(result).toMatchObject({ stopReason: 'completed', output: { text: 'a [cut]', days: 1 } });
    expect(JSON.stringify([events, result])).not.toContain('secret');
  });

  test('that a guardrail changed into something else goes back to the model, in a transcript of JSON', async () => {
    const { result } = await way(scripted([callTools([story('unsay')]), callTools([story('fine')])], byTool));
    expect(result).toMatchObject({ stopReason: 'completed', output: { text: 'fine' } });
    for (const message of result.messages)
      if (message.role === 'assistant') for (const call of message.calls) expect(() => JSON.parse(call.arguments) as unknown).not.toThrow();
  });
});

test.each(['guarded', 'followed up'])('a direct answer is in no partial result before a guardrail has seen it (%s)', async (when) => {
  const abort = new AbortController();
  const hooks = [{ afterTool: () => when === 'followed up' && handle.followUp('And?') }] as never;
  @AgentConfig({ guardrails: { output: [() => (abort.abort(new Error('enough')), new Promise<never>(() => undefined))] } })
  class Slow extends CarefulAgent {}
  const model = scripted([callTool('tell'), () => (abort.abort(new Error('enough')), say('Late.'))], { strict: false });
  const handle = new AgentRunner({ model }).stream(Slow, 'Go', { signal: abort.signal, hooks });
  const error: unknown = await handle.result.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'RUN_ABORTED', partial: { text: '' } });
});
