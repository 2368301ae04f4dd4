import 'reflect-metadata';
import 'toolwright/testing/jest';
import {
  Agent,
  AgentConfig,
  AgentRunner,
  ContextUpdate,
  FatalRunError,
  FatalToolError,
  ModelError,
  Param,
  ReplayError,
  RunAbortedError,
  Tool,
  ToolResult,
} from 'toolwright';
import type { ChangedAnswer, Model, RunEvent, RunOptions, RunRecord, RunResult } from 'toolwright';
import { answer, callTool, callTools, createTestRunner, cutStream, fail, say, scripted, stall, think } from 'toolwright/testing';
import type { ScriptStep } from 'toolwright/testing';
import { fresh, log } from '../subagents/agents';
import { Lead } from '../subagents/agents';

beforeEach(fresh);

@AgentConfig({ instructions: 'You do things.' })
class Doer extends Agent {
  @Tool({ description: 'Looks a word up.', annotations: { readOnly: true, openWorld: false } })
  lookUp(@Param('word') word: string) {
    log.push(`look_up ${word}`);
    return ToolResult.success(word.length, { details: { seen: word }, update: ContextUpdate.of().append('words', word) });
  }

  @Tool({ description: 'Reads a page.', annotations: { readOnly: true, openWorld: false }, trust: 'untrusted' })
  read() {
    log.push('read');
    return 'foreign words';
  }

  @Tool({ description: 'Sends.', requiresApproval: true })
  send(@Param('to') to: string) {
    log.push(`send ${to}`);
    return `sent ${Date.now() > 0 ? to : ''}`;
  }

  @Tool('Breaks everything.') crash() {
    throw new FatalToolError('the disk is gone');
  }
}

type Told = {
  readonly record: RunRecord;
  readonly events: readonly RunEvent[];
  readonly result?: RunResult<unknown>;
  readonly error?: Error;
};

/** A run with the system's own clock and ids. */
async function recorded(
  steps: readonly ScriptStep[],
  options: RunOptions<never> = {},
  agent: new () => Agent<unknown> = Doer,
  onEvent: (event: RunEvent) => void = () => undefined,
): Promise<Told> {
  const events: RunEvent[] = [];
  let record: RunRecord | undefined;
  const told = { onEvent: (event: RunEvent) => (events.push(event), onEvent(event)), record: (whole: RunRecord) => (record = whole) };
  const run = new AgentRunner({ model: scripted(steps, { strict: options.signal === undefined }) }).run(agent, 'Go', {
    ...options,
    ...told,
  } as object);
  const settled = await run.then(
    (result) => ({ result }),
    (error: Error) => ({ error }),
  );
  return { ...settled, events, record: JSON.parse(JSON.stringify(record)) as RunRecord };
}

async function replayed(record: RunRecord, options: object = {}, agent: new () => Agent<unknown> = Doer): Promise<Omit<Told, 'record'>> {
  const events: RunEvent[] = [];
  const run = new AgentRunner().replay(agent, record, { ...options, onEvent: (event: RunEvent) => void events.push(event) });
  const settled = await run.then(
    (result) => ({ result }),
    (error: Error) => ({ error }),
  );
  return { ...settled, events };
}

const bytes = (value: unknown): string => JSON.stringify(value);

describe('a replay', () => {
  const hook = {
    beforeModel: ({ turn }: { turn: number }) => ({
      append: [{ v: 1 as const, role: 'user' as const, parts: [{ type: 'text' as const, text: `turn ${turn}` }] }],
    }),
  };

  it.each<[string, ScriptStep[], RunOptions<never>]>([
    ['answers', [say('Hello there, how are you today?')], {}],
    [
      'reasons and calls',
      [
        think('Hm.', callTool('look_up', { word: 'ox' })),
        callTools([
          ['look_up', { word: 'a' }],
          ['look_up', { word: 5 }],
          ['nothing', {}],
        ]),
        say('Done.'),
      ],
      {},
    ],
    [
      'is tainted and asks',
      [callTool('read'), callTool('send', { to: 'a' }), callTool('send', { to: 'b' }), say('Done.')],
      { approve: ({ call }) => (bytes(call.arguments).includes('a') ? { edit: { to: 'c' } } : { deny: 'no' }) },
    ],
    ['has hooks', [callTool('look_up', { word: 'ox' }), say('Done.')], { hooks: [hook] }],
    ['ends at a limit', [callTool('look_up', { word: 'ox' }), say('Enough.')], { limits: { maxTurns: 1 }, state: { words: ['x'] } }],
    ['loops', [...Array.from({ length: 4 }, () => callTool('look_up', { word: 'ox' })), say('Well.')], {}],
  ])('of a run that %s gives the same result and events, byte for byte, without model or tools', async (_, steps, options) => {
    const first = await recorded(steps, options);
    log.length = 0;
    const again = await replayed(first.record, { ...(options.hooks && { hooks: [{ beforeModel: () => undefined }] }) });
    expect(again.error).toBeUndefined();
    expect(bytes(again.result)).toBe(bytes(first.result));
    expect(bytes(again.events)).toBe(bytes(first.events));
    expect(log).toEqual([]);
  });

  it.each<[string, ScriptStep[], new (...args: never[]) => Error]>([
    ['its model failed', [callTool('look_up', { word: 'a' }), fail('down')], ModelError],
    ['its model broke off', [[say('Hello there, how are you today?'), cutStream()]], ModelError],
    ['a tool ended it', [callTool('crash')], FatalRunError],
  ])('of a run that failed since %s fails in the same way', async (_, steps, error) => {
    const first = await recorded(steps);
    const again = await replayed(first.record);
    expect(again.error).toBeInstanceOf(error);
    expect(again.error!.message).toBe(first.error!.message);
    expect(bytes((again.error as ModelError).partial)).toBe(bytes((first.error as ModelError).partial));
    expect(bytes(again.events)).toBe(bytes(first.events));
  });

  it('of an aborted run is aborted at the same place', async () => {
    const controller = new AbortController();
    const first = await recorded(
      [callTool('look_up', { word: 'a' }), () => (setImmediate(() => controller.abort(new Error('enough'))), stall())],
      { signal: controller.signal },
    );
    const again = await replayed(first.record);
    expect(again.error).toBeInstanceOf(RunAbortedError);
    expect(again.error!.message).toBe(first.error!.message);
    expect(bytes(again.events)).toBe(bytes(first.events));
  });

  it.each([
    'run.start',
    'turn.start',
    'model.delta',
    'model.end',
    'tool.request',
    'tool.end',
    'state.update',
    'limit',
    'loop',
    'run.end',
  ] as const)('of a run that was aborted at its last %s is aborted there', async (type) => {
    const steps = [...Array.from({ length: 3 }, () => callTool('look_up', { word: 'ox' })), say('Well, that is all that I know.')];
    const hooks = [{ onRunStart: async () => undefined, beforeModel: async () => undefined, onRunEnd: async () => undefined }];
    const options = { limits: { maxTurns: 3 }, hooks };
    const whole = await recorded(steps, options);
    const last = whole.events.filter((event) => event.type === type).length;
    expect(last).toBeGreaterThan(0);

    const controller = new AbortController();
    let seen = 0;
    const aborting = ({ type: heard }: RunEvent): void => void (heard === type && ++seen === last && controller.abort(new Error('enough')));
    const first = await recorded(steps, { ...options, signal: controller.signal }, Doer, aborting);
    const again = await replayed(first.record, { hooks });
    expect(again.error?.message).toBe(first.error?.message);
    expect(bytes(again.result ?? (again.error as RunAbortedError).partial)).toBe(
      bytes(first.result ?? (first.error as RunAbortedError).partial),
    );
    expect(bytes(again.events)).toBe(bytes(first.events));
    if (type !== 'run.end') expect(again.error).toBeInstanceOf(RunAbortedError);
  });

  it.each(['onRunStart', 'beforeModel', 'afterModel', 'input', 'output'] as const)(
    'of a run that was aborted while its host was stuck (%s) is aborted there',
    async (where) => {
      const controller = new AbortController();
      const stuck = (): Promise<never> => {
        setImmediate(() => controller.abort(new Error('enough')));
        return new Promise(() => undefined);
      };
      const isGuardrail = where === 'input' || where === 'output';
      @AgentConfig({ name: 'stuck', guardrails: isGuardrail ? { [where]: [stuck] } : {} })
      class StuckAgent extends Agent {}
      const hooks = [{ onRunEnd: async () => undefined }, ...(isGuardrail ? [] : [{ [where]: stuck }])];

      const first = await recorded([say('Hello there.')], { signal: controller.signal, hooks }, StuckAgent);
      const again = await replayed(first.record, { hooks }, StuckAgent);
      expect(again.error).toBeInstanceOf(RunAbortedError);
      expect(bytes((again.error as RunAbortedError).partial)).toBe(bytes((first.error as RunAbortedError).partial));
      expect(bytes(again.events)).toBe(bytes(first.events));
    },
  );

  it('of a run with sub-agents runs none of them', async () => {
    const deps = { user: 'Ada' };
    const steps = [
      callTool('research', { task: 'x' }),
      callTool('read_page', { url: 'y' }),
      say('found'),
      callTool('delete_file', { path: 'z' }),
      say('no'),
    ];
    const first = await recorded(steps, { deps } as never, Lead as never);
    log.length = 0;
    const again = await replayed(first.record, { deps }, Lead as never);
    expect(bytes(again.result)).toBe(bytes(first.result));
    expect(bytes(again.events)).toBe(bytes(first.events));
    expect(log).toEqual([]);
    expect(again.result!.usage.requests).toBe(5);
  });

  it('hears what people said to the run again', async () => {
    const events: RunEvent[] = [];
    let record!: RunRecord;
    const handle = new AgentRunner({ model: scripted([callTool('look_up', { word: 'a' }), say('One.'), say('Two.')]) }).start(Doer, 'Go', {
      onEvent: (event) => void events.push(event),
      record: (whole) => (record = whole),
    });
    handle.steer('Be short.');
    handle.followUp('And then?');
    const result = await handle.result;
    const again = await replayed(record);
    expect(bytes(again.result)).toBe(bytes(result));
    expect(bytes(again.events)).toBe(bytes(events));
  });

  it('stops with what differs where the code parts from the record', async () => {
    const { record } = await recorded([callTool('look_up', { word: 'ox' }), say('Done.')]);
    @AgentConfig({ name: 'doer', instructions: 'You do other things.' })
    class Changed extends Doer {}
    const { error } = await replayed(record, {}, Changed);
    expect(error).toBeInstanceOf(ReplayError);
    expect(error!.message).toBe(
      'The run and its record part at step 2 (model): `instructions` was "You do things.", and is "You do other things." now.',
    );

    class MoreTools extends Doer {
      @Tool('New.') another() {
        return 1;
      }
    }
    AgentConfig({ name: 'doer', instructions: 'You do things.' })(MoreTools);
    const more = await replayed(record, {}, MoreTools);
    expect(more.error!.message).toMatch(/part at step 2 \(model\): `tools\[4\]` was not there/);

    const withHooks = await replayed(record, { hooks: [{ onRunStart: () => undefined }] });
    expect(withHooks.error!.message).toMatch(/now `onRunStart` is asked for/);
  });

  it('refuses what is no record', async () => {
    await expect(new AgentRunner().replay(Doer, {} as never)).rejects.toThrow(/no record of a run/);
    const { record } = await recorded([say('Hi')]);
    await expect(new AgentRunner().replay(Doer, { ...record, v: 2 } as never)).rejects.toThrow(/version 2/);
  });
});

describe('a branch', () => {
  const script = (): ScriptStep[] => [callTool('look_up', { word: 'ox' }), callTool('look_up', { word: 'hen' }), say('Done.')];
  const change = (turn: number, changed: ChangedAnswer | string, model: Model, record: RunRecord) =>
    createTestRunner({ model }).branch(Doer, record, { turn, answer: changed });

  it('is the recorded run up to one answer, and a run of its own from there on', async () => {
    const first = await recorded(script());
    log.length = 0;
    const model = scripted([say('A cow, then.')]);
    const result = await change(2, { calls: [{ name: 'look_up', arguments: { word: 'cow' } }] }, model, first.record);
    expect(result.text).toBe('A cow, then.');
    expect(log).toEqual(['look_up cow']);
    expect(result.messages.slice(0, 3)).toEqual(first.result!.messages.slice(0, 3));
    expect(result.state).toEqual({ words: ['ox', 'cow'] });
    expect(result.runId).not.toBe(first.record.runId);
    expect(result).toHaveValidTranscript();
    expect(model.requests).toHaveLength(1);
  });

  it('may end at once, or leave at the first turn', async () => {
    const first = await recorded(script());
    log.length = 0;
    const ended = await change(2, 'That is all.', scripted([]), first.record);
    expect(ended).toMatchObject({ stopReason: 'completed', text: 'That is all.' });
    const early = await change(1, { text: 'No.' }, scripted([]), first.record);
    expect(early.messages).toHaveLength(2);
    expect(log).toEqual([]);
  });

  it('keeps the gate: a call that it brings is judged as any', async () => {
    const first = await recorded(script());
    const result = await change(2, { calls: [{ name: 'send', arguments: { to: 'eve' } }] }, scripted([say('Not allowed.')]), first.record);
    expect(result.toolCalls.at(-1)).toMatchObject({ name: 'send', outcome: 'denied', reason: 'approval_unavailable' });
    expect(log.filter((line) => line.startsWith('send'))).toEqual([]);
  });

  it('counts limits on', async () => {
    const first = await recorded(script());
    const runner = createTestRunner({ model: scripted([say('Over.')]) });
    const result = await runner.branch(Doer, first.record, {
      turn: 2,
      answer: { calls: [{ name: 'look_up', arguments: { word: 'x' } }] },
      limits: { maxTurns: 2 },
    });
    expect(result).toMatchObject({ stopReason: 'limit', limit: 'maxTurns' });
  });

  it('refuses a turn that is not there, and an answer that is none', async () => {
    const first = await recorded(script());
    await expect(change(9, 'x', scripted([]), first.record)).rejects.toThrow('no answer in turn 9 that could be another. It has: 1, 2, 3.');
    await expect(change(1, { test: 'x' } as never, scripted([]), first.record)).rejects.toThrow(/`answer` of a branch/);
  });
});

test('a run with structured output is replayed to an instance', async () => {
  @AgentConfig({ output: Number })
  class Counter extends Agent<number> {}
  const first = await recorded([answer(7)], {}, Counter);
  const again = await replayed(first.record, {}, Counter);
  expect(again.result).toMatchObject({ output: 7 });
});

test('what takes a record may fail without harm', async () => {
  const result = await new AgentRunner({ model: scripted([say('Hi')]) }).run(Doer, 'Go', {
    record: () => {
      throw new Error('no disk');
    },
  });
  expect(result.text).toBe('Hi');
});
