import { getEventListeners } from 'node:events';
import {
  Agent,
  AgentConfig,
  AgentRunner,
  Ctx,
  decide,
  Param,
  Preview,
  RunAbortedError,
  Tool,
  type Hooks,
  type Model,
  type ModelChunk,
  type RunEvent,
  type RunResult,
  type ToolCallRecord,
  type ToolContext,
} from 'toolwright';
import { isValidTranscript } from './agents';

/** A place where a run hands control to somebody else: each can be the last thing that happens before an abort. */
let passed = 0;
let stopAt = Infinity;
let controller = new AbortController();

function point(): void {
  if (++passed === stopAt) controller.abort(new Error(`at point ${stopAt}`));
}

/** Before and after a wait. */
async function pause<T>(value: T): Promise<T> {
  point();
  await Promise.resolve();
  point();
  return value;
}

/** The tools at work: their method was entered and has not come back. */
const working = new Map<string, AbortSignal>();

async function work(name: string, { callId, signal }: ToolContext): Promise<string> {
  const key = `${callId} ${name}`;
  working.set(key, signal);
  await pause(undefined);
  working.delete(key);
  return `${name} done`;
}

@AgentConfig({ name: 'helper', instructions: 'You help.' })
class HelperAgent extends Agent {
  @Tool({ description: 'Reads.', annotations: { readOnly: true, openWorld: false } })
  inner(@Ctx() context: ToolContext): Promise<string> {
    return work('inner', context);
  }
}

@AgentConfig({
  name: 'steps',
  instructions: async () => pause('You work step by step.'),
  subagents: [HelperAgent],
  policy: [async () => pause(undefined)],
  guardrails: { input: [async () => pause(undefined)], output: [async () => pause(undefined)] },
})
class StepsAgent extends Agent {
  @Tool({ description: 'Reads.', annotations: { readOnly: true, openWorld: false } })
  read(@Param('at', { type: Number }) at: number, @Ctx() context: ToolContext): Promise<string> {
    return work(`read ${at}`, context);
  }

  @Tool({ description: 'Writes.', lock: () => 'file', annotations: { destructive: false } })
  write(@Param('at', { type: Number }) at: number, @Ctx() context: ToolContext): Promise<string> {
    return work(`write ${at}`, context);
  }

  @Tool({ description: 'Moves money.', atomic: true, timeout: 1_000 })
  transfer(@Ctx() context: ToolContext): Promise<string> {
    return work('transfer', context);
  }

  @Tool({ description: 'Sends.', requiresApproval: async () => pause(true), sequential: true })
  send(@Param('at', { type: Number }) at: number, @Ctx() context: ToolContext): Promise<string> {
    return work(`send ${at}`, context);
  }

  @Preview('send')
  preview(at: number): Promise<string> {
    return pause(`would send ${at}`);
  }

  @Tool({ description: 'Tells how it goes.', annotations: { readOnly: true } })
  async *tell(@Ctx() context: ToolContext): AsyncGenerator<string, string> {
    yield await pause('on the way');
    return work('tell', context);
  }
}

@AgentConfig({ name: 'steps', parallelToolCalls: true })
class ParallelStepsAgent extends StepsAgent {}

/** Ten calls in four answers, and the helper's own. */
const SCRIPT: readonly (readonly [name: string, args: string][])[] = [
  [
    ['read', '{"at":1}'],
    ['write', '{"at":2}'],
    ['write', '{"at":3}'],
  ],
  [
    ['send', '{"at":4}'],
    ['tell', '{}'],
    ['transfer', '{}'],
  ],
  [
    ['nobody_knows', '{}'],
    ['read', '{"at":"x"}'],
    ['helper', '{"task":"Help."}'],
  ],
  [['read', '{"at":10}']],
];

const steps: Model = {
  name: 'steps',
  capabilities: { tools: true, parallelToolCalls: true, jsonSchema: false, strict: false, images: false, reasoning: false },
  async *stream({ messages, tools }): AsyncGenerator<ModelChunk> {
    const inside = tools.some(({ name }) => name === 'inner');
    const answers = messages.filter(({ role }) => role === 'assistant').length;
    const calls = inside ? (answers === 0 ? [['inner', '{}'] as const] : []) : (SCRIPT[answers] ?? []);
    yield { type: 'text', text: await pause(calls.length === 0 ? 'All done.' : 'Next: ') };
    for (const [index, [name, args]] of calls.entries()) {
      yield { type: 'call', index, id: `${inside ? 'in' : 'out'}_${answers}_${index}`, name };
      yield { type: 'call', index, arguments: await pause(args) };
    }
    point();
    yield { type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } };
    point();
    yield { type: 'end', finish: 'stop' };
  },
};

const hooks: Hooks = {
  onRunStart: () => pause(undefined),
  beforeModel: () => pause(undefined),
  afterModel: () => pause(undefined),
  beforeTool: () => pause(undefined),
  onToolStart: () => pause(undefined),
  afterTool: () => pause(undefined),
};

type Way = (agent: typeof StepsAgent, options: { signal: AbortSignal; onEvent: (event: RunEvent) => void }) => Promise<RunResult<unknown>>;

const approve = (): Promise<true> => pause(true as const);

const WAYS: { readonly [name: string]: Way } = {
  run: (agent, options) => new AgentRunner({ model: steps }).run(agent, 'Go.', { ...options, approve, hooks: [hooks] }),
  stream: async (agent, options) => {
    const run = new AgentRunner({ model: steps }).stream(agent, 'Go.', { ...options, approve, hooks: [hooks] });
    try {
      for await (const event of run) void event;
    } catch {
      // The result says the same.
    }
    return run.result;
  },
  resume: async (agent, options) => {
    const runner = new AgentRunner({ model: steps });
    const paused = await runner.run(agent, 'Go.', { ...options, approve: () => pause('defer' as const), hooks: [hooks] });
    if (paused.stopReason !== 'paused') return paused;
    const decisions = paused.pending.map((call) => decide(call, 'approve'));
    return runner.resume(agent, paused.snapshot, { ...options, decisions, approve, hooks: [hooks] });
  },
};

interface Outcome {
  readonly error: unknown;
  readonly events: readonly RunEvent[];
  /** How many points had been passed when the run could not be stopped any more. */
  readonly settledAt: number;
}

async function play(way: Way, agent: typeof StepsAgent, at: number): Promise<Outcome> {
  passed = 0;
  stopAt = at;
  controller = new AbortController();
  working.clear();
  const events: RunEvent[] = [];
  let settledAt = 0;
  const onEvent = (event: RunEvent): void => {
    events.push(event);
    if (event.type === 'run.end' && event.path === undefined) settledAt = passed;
    else point();
  };
  const error: unknown = await way(agent, { signal: controller.signal, onEvent }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, events, settledAt };
}

/** Each call that was asked for has exactly one end, whichever run it belongs to; one that waits may still have none when nobody took over. */
function unpaired(events: readonly RunEvent[]): string[] {
  const open = new Map<string, number>();
  const waiting = new Set<string>();
  for (const event of events) {
    if (event.type === 'tool.request') open.set(event.callId, (open.get(event.callId) ?? 0) + 1);
    if (event.type === 'tool.end') open.set(event.callId, (open.get(event.callId) ?? 0) - 1);
    if (event.type === 'tool.defer') waiting.add(event.callId);
    if (event.type === 'run.restore') waiting.clear();
  }
  const paused = events.some((event) => event.type === 'run.end' && event.stopReason === 'paused');
  return [...open].filter(([id, count]) => count !== 0 && !(paused && count === 1 && waiting.has(id))).map(([id]) => id);
}

/** The calls of the run itself that were begun, and of which its result says nothing. */
function forgotten(events: readonly RunEvent[], told: readonly ToolCallRecord[]): string[] {
  return events
    .flatMap((event) => (event.type === 'tool.start' && event.path === undefined ? [event.callId] : []))
    .filter((id) => !told.some((call) => call.id === id));
}

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', onUnhandled));
afterAll(() => void process.off('unhandledRejection', onUnhandled));

describe.each(Object.keys(WAYS))('an abort at any point of a run of ten calls (%s)', (name) => {
  test.each([
    ['in turn', StepsAgent],
    ['side by side', ParallelStepsAgent],
  ])(
    'leaves a valid transcript, told tools, one rejection and nothing else, %s',
    async (how, agent) => {
      const way = WAYS[name] as Way;
      const whole = await play(way, agent, Infinity);
      expect(whole.error).toBeUndefined();
      const points = whole.settledAt;
      expect(points).toBeGreaterThan(150);

      for (let at = 1; at <= points; at++) {
        const { error, events } = await play(way, agent, at);
        const where = { at, error: String(error) };
        expect({ ...where, aborted: RunAbortedError.is(error) }).toMatchObject({ aborted: true });
        const { partial, cause } = error as RunAbortedError;
        expect(cause).toEqual(new Error(`at point ${at}`));
        expect({ ...where, valid: isValidTranscript(partial!.messages), unpaired: unpaired(events) }).toMatchObject({
          valid: true,
          unpaired: [],
        });
        expect({ ...where, forgotten: forgotten(events, partial!.toolCalls) }).toMatchObject({ forgotten: [] });
        expect({ ...where, untold: [...working].filter(([, signal]) => !signal.aborted).map(([key]) => key) }).toMatchObject({
          untold: [],
        });
        expect({ ...where, listeners: getEventListeners(controller.signal, 'abort').length }).toMatchObject({ listeners: 0 });
        expect(events.filter((event) => event.type === 'run.end' && event.path === undefined && event.error !== undefined)).toHaveLength(1);
      }
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
      process.stdout.write(`${name}, ${how}: ${points} points\n`);
    },
    120_000,
  );
});
