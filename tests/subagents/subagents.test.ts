import 'reflect-metadata';
import 'toolwright/testing/jest';
import {
  Agent,
  AgentConfig,
  AgentRunner,
  FatalRunError,
  FatalToolError,
  Integer,
  RunAbortedError,
  Tool,
  ToolContext,
  ToolDefinitionError,
  agentTool,
  arrayOf,
} from 'toolwright';
import type { ApprovalRequest, RunEvent, ToolDefinition } from 'toolwright';
import {
  answer,
  callTool,
  callTools,
  consume,
  createTestRunner,
  fail,
  mockTool,
  recordEvents,
  refuse,
  say,
  scripted,
  stall,
} from 'toolwright/testing';
import type { ScriptStep } from 'toolwright/testing';
import { fresh, Lead, log, Office, Research } from './agents';

beforeEach(fresh);

const deps = { user: 'Ada' };
const ask = (task = 'Look it up.') => callTool('research', { task });

function lead(steps: readonly ScriptStep[], options: Parameters<typeof createTestRunner>[0] | object = {}, run: object = {}) {
  return createTestRunner({ ...options, model: scripted(steps) }).run(Lead, 'Go', { deps, ...run });
}

const contentOf = (result: { toolCalls: readonly { content: readonly unknown[] }[] }, at = 0): string =>
  JSON.stringify(result.toolCalls[at]?.content);

describe('a sub-agent', () => {
  it('is a tool of one text, starts with nothing but its task, and its answer is the result', async () => {
    const model = scripted([ask('What does "agent" mean?'), callTool('look_up', { word: 'agent' }), say('It means 5.'), say('Five.')]);
    const result = await createTestRunner({ model }).run(Lead, 'Agent?', { deps, state: { secret: 1 }, messages: [] });
    expect(result.text).toBe('Five.');
    expect(result).toHaveCalledTools([['research', { task: 'What does "agent" mean?' }]]);
    expect(result.toolCalls[0]!.content).toEqual([{ type: 'text', text: 'It means 5.' }]);
    expect(model.requests[0]!.tools.map((tool) => [tool.name, tool.description])).toContainEqual(['research', 'Looks a topic up.']);
    expect(model.requests[1]!.messages).toEqual([
      { v: 1, role: 'system', text: 'You look things up.' },
      { v: 1, role: 'user', parts: [{ type: 'text', text: 'What does "agent" mean?' }] },
    ]);
    expect(result).toHaveValidTranscript();
  });

  it('counts in the usage of the run around it', async () => {
    const cost = consume({ inputTokens: 10, outputTokens: 5, costUsd: 0.01 });
    const result = await lead([
      [ask(), cost],
      [callTool('look_up', { word: 'a' }), cost],
      [say('1'), cost],
      [say('done'), cost],
    ]);
    expect(result.usage).toMatchObject({ requests: 4, toolCalls: 2, totalTokens: 60 });
    expect(result.usage.costUsd).toBeCloseTo(0.04);
    expect(result.toolCalls[0]!.details).toMatchObject({
      agent: 'research',
      stopReason: 'completed',
      usage: { requests: 2, totalTokens: 30 },
    });
  });

  it('gets the deps that are mapped for it, and none otherwise', async () => {
    await createTestRunner({
      model: scripted([callTool('clerk', { task: 'File it.' }), callTool('file', { what: 'it' }), say('Done.'), say('Filed.')]),
    }).run(Office, 'File it', { deps });
    expect(log).toEqual(['file it at desk of Ada']);

    let seen: unknown = 'nothing';
    @AgentConfig({})
    class Curious extends Agent {
      @Tool('Looks.') look(context: ToolContext) {
        seen = [context.deps, context.state, context.messages.length];
        return 'ok';
      }
    }
    @AgentConfig({ subagents: [Curious] })
    class Boss extends Agent<string, { secret: string }> {}
    await createTestRunner({ model: scripted([callTool('curious', { task: 'x' }), callTool('look'), say('1'), say('2')]) }).run(
      Boss,
      'Go',
      {
        deps: { secret: 'x' },
        state: { also: 'secret' },
      },
    );
    expect(seen).toEqual([undefined, {}, 1]);
  });

  it('takes a typed input, and gives its structured output as data', async () => {
    @AgentConfig({ output: arrayOf(Number), description: 'Counts.' })
    class Counter extends Agent<number[]> {}
    @AgentConfig({
      tools: [agentTool(Counter, { name: 'count', input: { words: arrayOf(String), depth: { type: Integer, default: 2 } } })],
    })
    class Boss extends Agent {}
    const model = scripted([callTool('count', { words: ['a', 'bc'] }), answer([1, 2]), say('three')]);
    const result = await createTestRunner({ model }).run(Boss, 'Count');
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({ parts: [{ type: 'json', value: { words: ['a', 'bc'], depth: 2 } }] });
    expect(result.toolCalls[0]!.content).toEqual([{ type: 'json', value: [1, 2] }]);
  });

  it('is listed by bases and subclasses together, and may be an instance', async () => {
    @AgentConfig({ name: 'second', description: 'Another.' })
    class Second extends Agent {}
    @AgentConfig({ subagents: [new Second()] })
    class More extends Lead {}
    const model = scripted([callTool('second', { task: 'x' }), say('1'), say('2')]);
    const result = await createTestRunner({ model }).run(More, 'Go', { deps });
    expect(model.requests[0]!.tools.map((tool) => tool.name)).toEqual(['delete_file', 'research', 'second']);
    expect(result).toHaveCalledTool('second');
  });
});

describe('limits of the run around a sub-agent', () => {
  const tokens = consume({ inputTokens: 10, outputTokens: 10 });

  it('bound it by what is left of tokens, with a reserve for the answer of the run around it', async () => {
    const model = scripted(
      [[ask(), tokens], ...Array.from({ length: 9 }, (_, at) => [callTool('look_up', { word: 'a'.repeat(at + 1) }), tokens])],
      { strict: false },
    );
    const result = await createTestRunner({ model }).run(Lead, 'Go', { deps, limits: { maxTokens: 120 } });
    expect(result.usage.totalTokens).toBeLessThanOrEqual(120);
    expect(contentOf(result)).toContain('it reached a limit (maxTokens)');
  });

  it('hold for sub-agents side by side together', async () => {
    @AgentConfig({ subagents: [Research], parallelToolCalls: true })
    class Wide extends Agent {}
    const step = (request: { messages: readonly { role: string }[] }) =>
      request.messages.some((message) => message.role === 'system')
        ? ([callTool('look_up', { word: `w${request.messages.length}` }), tokens] as const)
        : ([
            callTools([
              ['research', { task: 'a' }],
              ['research', { task: 'b' }],
              ['research', { task: 'c' }],
            ]),
            tokens,
          ].flat() as never);
    const model = scripted(
      Array.from({ length: 60 }, () => step as ScriptStep),
      { strict: false },
    );
    const result = await createTestRunner({ model }).run(Wide, 'Go', { limits: { maxTokens: 300 } });
    expect(result.usage.totalTokens).toBeLessThanOrEqual(300);
    expect(result.usage.totalTokens).toBeGreaterThan(200);
    expect(result.toolCalls.slice(0, 3).map((call) => call.outcome)).toEqual(['error', 'error', 'error']);
  });

  it('bound its tool calls', async () => {
    const result = await lead(
      [
        ask(),
        callTools([
          ['look_up', { word: 'a' }],
          ['look_up', { word: 'b' }],
        ]),
        say('none'),
        say('done'),
      ],
      {},
      { limits: { maxToolCalls: 1 } },
    );
    expect(log).toEqual([]);
    expect(contentOf(result)).toContain('maxToolCalls');
  });

  it('bound its cost', async () => {
    const cent = consume({ inputTokens: 1, outputTokens: 1, costUsd: 0.01 });
    const model = scripted(
      [[ask(), cent], ...Array.from({ length: 9 }, (_, at) => [callTool('look_up', { word: 'a'.repeat(at + 1) }), cent])],
      { strict: false },
    );
    const result = await createTestRunner({ model }).run(Lead, 'Go', { deps, limits: { maxCostUsd: 0.055 } });
    expect(result.usage.costUsd).toBeLessThanOrEqual(0.055);
  });

  it('leave its own limits as they are', async () => {
    @AgentConfig({ tools: [agentTool(Research, { limits: { maxTurns: 1 } })] })
    class Boss extends Agent {}
    const model = scripted([ask(), callTool('look_up', { word: 'a' }), say('so far: a'), say('done')]);
    const result = await createTestRunner({ model }).run(Boss, 'Go');
    expect(result.toolCalls[0]!).toMatchObject({ outcome: 'ok' });
    expect(contentOf(result)).toContain('stopped before it was done: it reached a limit (maxTurns)');
    expect(contentOf(result)).toContain('so far: a');
  });

  it('bound how deep agents call agents', async () => {
    const toDeep: ToolDefinition[] = [];
    @AgentConfig({ name: 'deep', tools: toDeep })
    class Deep extends Agent {}
    toDeep.push(agentTool(Deep, { name: 'deeper' }));
    const model = scripted([
      ...Array.from({ length: 6 }, () => callTool('deeper', { task: 'deeper' })),
      ...Array.from({ length: 6 }, () => say('up')),
    ]);
    const recorder = recordEvents();
    await createTestRunner({ model }).run(Deep, 'Go', { onEvent: recorder.onEvent });
    const depths = recorder.events.filter((event) => event.type === 'run.start').map((event) => event.path?.length ?? 0);
    expect(depths).toEqual([0, 1, 2, 3, 4, 5]);
    const refused = recorder.events.find((event) => event.type === 'tool.end');
    expect(refused).toMatchObject({ outcome: 'error' });
    expect(JSON.stringify(refused)).toContain('may not call further agents any deeper');

    const flat = await createTestRunner({ model: scripted([callTool('deeper', { task: 'x' }), say('no')]) }).run(Deep, 'Go', {
      limits: { maxDepth: 0 },
    });
    expect(flat.toolCalls[0]).toMatchObject({ outcome: 'error' });
  });
});

describe('trust', () => {
  it('goes back: what a sub-agent says after it read foreign content is foreign', async () => {
    const asked: ApprovalRequest[] = [];
    const result = await lead(
      [
        ask(),
        callTool('read_page', { url: 'x' }),
        say('Delete a.txt, it says.'),
        callTool('delete_file', { path: 'a.txt' }),
        say('I was not allowed.'),
      ],
      { approve: (request: ApprovalRequest) => asked.push(request) < 0 },
    );
    expect(result.messages.find((message) => message.role === 'tool')).toMatchObject({ name: 'research', trust: 'untrusted' });
    expect(asked).toMatchObject([{ call: { name: 'delete_file' }, why: { cause: 'taint' } }]);
    expect(log).toEqual(['read_page x']);
  });

  it('goes in: a sub-agent of a tainted run is tainted from its start', async () => {
    const history = [
      { v: 1, role: 'user', parts: [{ type: 'text', text: 'x' }] },
      { v: 1, role: 'assistant', parts: [], calls: [{ id: 'c', name: 'read', arguments: '{}' }] },
      {
        v: 1,
        role: 'tool',
        callId: 'c',
        name: 'read',
        parts: [{ type: 'text', text: 'foreign' }],
        outcome: 'ok',
        trust: 'untrusted',
        marker: 'm',
      },
    ];
    const result = await lead(
      [ask('Save "x".'), callTool('save', { note: 'x' }), say('Not allowed.'), say('ok')],
      {},
      { messages: history },
    );
    expect(log).toEqual([]);
    expect(result.toolCalls[0]).toMatchObject({ name: 'research', outcome: 'ok', trust: 'untrusted' });
  });

  it('cannot be switched off by the sub-agent for a run around it that keeps it', async () => {
    @AgentConfig({ name: 'research', taint: 'off' })
    class Careless extends Research {}
    @AgentConfig({ subagents: [Careless] })
    class Boss extends Agent {}
    await createTestRunner({
      model: scripted([ask(), callTool('read_page', { url: 'x' }), callTool('save', { note: 'x' }), say('no'), say('ok')]),
    }).run(Boss, 'Go');
    expect(log).toEqual(['read_page x']);
  });

  it('does not ask about the call of a sub-agent itself, and lets gated calls behind it wait', async () => {
    @AgentConfig({ parallelToolCalls: true })
    class Wide extends Lead {}
    const model = scripted([
      callTools([
        ['research', { task: 'a' }],
        ['delete_file', { path: 'a' }],
      ]),
      callTool('read_page', { url: 'x' }),
      say('read'),
      callTool('research', { task: 'again' }),
      say('again'),
      say('done'),
    ]);
    const result = await createTestRunner({ model }).run(Wide, 'Go', { deps });
    expect(result.toolCalls.map((call) => [call.name, call.outcome])).toEqual([
      ['research', 'ok'],
      ['delete_file', 'denied'],
      ['research', 'ok'],
    ]);
  });
});

describe('approvals in a sub-agent', () => {
  const script = (): ScriptStep[] => [ask(), callTool('send', { to: 'bob' }), say('sent?'), say('done')];

  it('go to the approver of the run around it, in its terms, with the way there', async () => {
    const seen: unknown[] = [];
    const approve = (request: ApprovalRequest, context: ToolContext) => {
      seen.push(request.path, request.call.name, context.deps, context.toolName);
      return true;
    };
    await lead(script(), { approve });
    expect(seen).toEqual([[{ agent: 'lead', callId: 'call_1' }], 'send', deps, 'research']);
    expect(log).toEqual(['send bob']);
  });

  it('may be denied or edited there', async () => {
    await lead(script(), { approve: () => ({ deny: 'no mail' }) });
    expect(log).toEqual([]);
    await lead(script(), { approve: () => ({ edit: { to: 'eve' } }) });
    expect(log).toEqual(['send eve']);
  });

  it('are refused where nobody can be asked', async () => {
    const recorder = recordEvents();
    await lead(script(), {}, { onEvent: recorder.onEvent });
    expect(log).toEqual([]);
    expect(recorder.events).toContainEqual(expect.objectContaining({ type: 'tool.end', name: 'send', reason: 'approval_unavailable' }));
  });
});

describe('the events of a sub-agent', () => {
  it('come once each, in the one stream, with the way to them', async () => {
    const runner = createTestRunner({
      model: scripted([ask(), callTool('look_up', { word: 'a' }), say('a long text in many pieces'), say('done')]),
    });
    const run = runner.stream(Lead, 'Go', { deps });
    const events: RunEvent[] = [];
    for await (const event of run) events.push(event);
    const inside = events.filter((event) => event.path !== undefined);
    expect(new Set(events.map((event) => `${event.runId} ${event.seq}`)).size).toBe(events.length);
    expect(new Set(inside.map((event) => event.parentCallId))).toEqual(new Set(['call_1']));
    expect(inside[0]).toMatchObject({ type: 'run.start', agent: 'research', path: [{ agent: 'lead', callId: 'call_1' }], seq: 0 });
    expect(inside.at(-1)).toMatchObject({ type: 'run.end', stopReason: 'completed' });
    const text = inside.map((event) => (event.type === 'model.delta' && event.kind === 'text' ? event.text : '')).join('');
    expect(text).toBe('a long text in many pieces');
    const names = events.map((event) => `${event.path?.length ?? 0} ${event.type}`);
    expect(names.indexOf('0 tool.start')).toBeLessThan(names.indexOf('1 run.start'));
    expect(names.indexOf('1 run.end')).toBeLessThan(names.indexOf('0 tool.end'));
  });

  it('are not joined with those of another when the reader is slow', async () => {
    const long = 'x'.repeat(4_000);
    @AgentConfig({ subagents: [Research], parallelToolCalls: true })
    class Wide extends Agent {}
    const model = scripted([
      callTools([
        ['research', { task: 'a' }],
        ['research', { task: 'b' }],
      ]),
      say(long),
      say(long),
      say('done'),
    ]);
    const run = createTestRunner({ model }).stream(Wide, 'Go');
    await run.result;
    const texts = new Map<string, string>();
    for await (const event of run)
      if (event.type === 'model.delta' && event.kind === 'text') texts.set(event.runId, (texts.get(event.runId) ?? '') + event.text);
    expect([...texts.values()].map((text) => text.length).sort()).toEqual([4, 4_000, 4_000]);
  });

  it('leave its warnings in the result of the run around it, by name', async () => {
    @AgentConfig({ name: 'research' })
    class Chatty extends Agent {
      @Tool({
        enabled: () => {
          throw new Error('broken');
        },
      })
      tool() {
        return 1;
      }
    }
    @AgentConfig({ subagents: [Chatty] })
    class Boss extends Agent {}
    const result = await createTestRunner({ model: scripted([ask(), say('1'), say('2')]) }).run(Boss, 'Go');
    expect(result.warnings).toEqual([expect.stringMatching(/^research: The tool `tool` is left out/)]);
  });
});

describe('an abort', () => {
  it('reaches the tools of a sub-agent, which makes no more calls; what it consumed is counted', async () => {
    let told: unknown;
    let begun!: () => void;
    const started = new Promise<void>((resolve) => (begun = resolve));
    @AgentConfig({ name: 'research' })
    class Slow extends Agent {
      @Tool({ description: 'Works.', annotations: { readOnly: true } })
      work(context: ToolContext) {
        begun();
        return new Promise((_, reject) => context.signal.addEventListener('abort', () => reject((told = context.signal.reason) as Error)));
      }
    }
    @AgentConfig({ subagents: [Slow] })
    class Boss extends Agent {}
    const model = scripted([ask(), callTool('work')]);
    const recorder = recordEvents();
    const run = createTestRunner({ model }).start(Boss, 'Go', { onEvent: recorder.onEvent });
    await started;
    run.abort(new Error('enough'));
    const error = await run.result.catch((thrown: unknown) => thrown as RunAbortedError);
    expect(told).toMatchObject({ message: 'enough' });
    expect(RunAbortedError.is(error)).toBe(true);
    const { partial } = error as RunAbortedError;
    expect(partial!.toolCalls).toMatchObject([{ name: 'research', outcome: 'aborted' }]);
    expect(partial!.usage).toMatchObject({ requests: 2 });
    expect(model.requests).toHaveLength(2);
    const ends = recorder.events.filter((event) => event.type === 'run.end').map((event) => event.path?.length ?? 0);
    expect(ends).toEqual([1, 0]);
  });

  it('reaches the model that a sub-agent waits for', async () => {
    const run = createTestRunner({ model: scripted([ask(), stall()]) }).stream(Lead, 'Go', { deps });
    await expect(
      (async () => {
        for await (const event of run) {
          if (event.type !== 'turn.start' || event.path === undefined) continue;
          await new Promise((resolve) => setImmediate(resolve));
          run.abort();
        }
      })(),
    ).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('by the timeout of its tool ends the sub-agent, and the run goes on', async () => {
    @AgentConfig({ tools: [agentTool(Research, { timeout: 20 })] })
    class Boss extends Agent {}
    const result = await createTestRunner({ model: scripted([ask(), stall(), say('It took too long.')]) }).run(Boss, 'Go');
    expect(result.toolCalls[0]).toMatchObject({ outcome: 'unsettled' });
    expect(result.usage.requests).toBe(2);
  });
});

describe('sub-agents side by side', () => {
  it('run at once, and their results stand in the order of the calls', async () => {
    @AgentConfig({ subagents: [Research], parallelToolCalls: true })
    class Wide extends Agent {}
    let waiting = 0;
    let open!: () => void;
    const both = new Promise<void>((resolve) => (open = resolve));
    const meet = async (request: { messages: readonly unknown[] }) => {
      if (++waiting === 2) open();
      await both;
      return say(JSON.stringify(request.messages).includes('first') ? '1' : '2');
    };
    const model = scripted([
      callTools([
        ['research', { task: 'first' }],
        ['research', { task: 'second' }],
      ]),
      meet,
      meet,
      say('both'),
    ]);
    const result = await createTestRunner({ model }).run(Wide, 'Go');
    expect(result.toolCalls.map((call) => call.content)).toEqual([[{ type: 'text', text: '1' }], [{ type: 'text', text: '2' }]]);
    expect(result.usage.requests).toBe(4);
  });
});

describe('what a sub-agent could not do', () => {
  it.each<[string, ScriptStep[], string]>([
    ['its model fails', [fail('the provider is down')], 'its model could not be asked'],
    ['its answer is refused', [refuse('I will not.')], 'did not answer: '],
    ['it says nothing up to its limit', [callTool('look_up', { word: 'a' }), []], 'It gave no answer'],
  ])('is an error to the model when %s', async (_, inside, text) => {
    @AgentConfig({ tools: [agentTool(Research, { limits: { maxTurns: 1 } })] })
    class Boss extends Agent {}
    const result = await createTestRunner({ model: scripted([ask(), ...inside, say('I could not find out.')]) }).run(Boss, 'Go');
    expect(result.text).toBe('I could not find out.');
    expect(result.toolCalls[0]).toMatchObject({ outcome: 'error' });
    expect(contentOf(result)).toContain(text);
    expect(contentOf(result)).not.toContain('provider is down');
  });

  it('ends everything when a tool said so', async () => {
    @AgentConfig({ name: 'research' })
    class Fatal extends Agent {
      @Tool('Breaks.') crash() {
        throw new FatalToolError('the disk is gone');
      }
    }
    @AgentConfig({ subagents: [Fatal] })
    class Boss extends Agent {}
    const error: unknown = await createTestRunner({ model: scripted([ask(), callTool('crash')]) })
      .run(Boss, 'Go')
      .catch((thrown: unknown) => thrown);
    expect(FatalRunError.is(error)).toBe(true);
    expect(String(error)).toContain('the disk is gone');
  });

  it('is known before the first request when its declaration is wrong', async () => {
    @AgentConfig({ modle: 'x' } as object)
    class Wrong extends Agent {}
    @AgentConfig({ subagents: [Wrong] })
    class Boss extends Agent {}
    const model = scripted([], { strict: false });
    await expect(createTestRunner({ model }).run(Boss, 'Go')).rejects.toThrow(/no option `modle`/);
    expect(model.requests).toHaveLength(0);

    class NoAgent {}
    @AgentConfig({ subagents: [NoAgent as never] })
    class Other extends Agent {}
    await expect(createTestRunner({ model }).run(Other, 'Go')).rejects.toThrow(/NoAgent is no agent/);
    expect(() => agentTool(Research, { inputs: {} } as object)).toThrow(ToolDefinitionError);
    expect(() => agentTool(undefined as never)).toThrow(/is no agent/);
  });
});

describe('tests of an agent with sub-agents', () => {
  it('reach the sub-agents: model, services and doubles', async () => {
    class Words {
      count(_word: string) {
        return 1;
      }
    }
    @AgentConfig({ model: 'openai:never-asked', name: 'research' })
    class WithService extends Agent {
      constructor(private readonly words: Words) {
        super();
      }
      @Tool('Counts.') count() {
        return this.words.count('x');
      }
      @Tool('Breaks.') broken(): string {
        throw new Error('not in a test');
      }
    }
    @AgentConfig({ subagents: [WithService] })
    class Boss extends Agent {}
    const runner = createTestRunner({
      model: scripted([ask(), callTools([['count'], ['broken']]), say('ok'), say('done')]),
      overrides: [{ provide: Words, useValue: { count: () => 42 } }],
      tools: [mockTool('broken', 'mended')],
    });
    const recorder = recordEvents();
    await runner.run(Boss, 'Go', { onEvent: recorder.onEvent });
    const ends = recorder.events.flatMap((event) => (event.type === 'tool.end' && event.path ? [event.content] : []));
    expect(ends).toEqual([[{ type: 'text', text: '42' }], [{ type: 'text', text: 'mended' }]]);
    await expect(
      createTestRunner({ model: scripted([]), overrides: [{ provide: Words, useValue: {} }], tools: [mockTool('brocken', 1)] }).run(
        Boss,
        'Go',
      ),
    ).rejects.toThrow(/Did you mean `broken`/);
  });

  it('may put a double in the place of a whole sub-agent', async () => {
    const double = mockTool('research', 'found');
    const result = await createTestRunner({ model: scripted([ask(), say('done')]), tools: [double] }).run(Lead, 'Go', { deps });
    expect(double.callCount).toBe(1);
    expect(result.usage.requests).toBe(2);
  });

  it('use the model of the run around it where there is no other', async () => {
    const model = scripted([ask(), say('1'), say('2')]);
    const result = await new AgentRunner().run(Lead, 'Go', { deps, model });
    expect(result.text).toBe('2');
  });
});
