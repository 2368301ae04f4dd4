import {
  Agent,
  AgentConfig,
  AgentRunner,
  FatalToolError,
  Integer,
  isToolwrightError,
  Tool,
  Param,
  ToolFailure,
  ToolRetry,
  Ctx,
  type Message,
  type Model,
  type ModelChunk,
  type ModelRequest,
  type RunEvent,
  type ToolContext,
} from 'toolwright';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/testing/random';
import { transcriptFaults } from '../../src/testing/transcript-faults';

/** How many calls are made in all, by how many runs at once, and from which seed on. */
const CALLS = 10_000;
const SIDE_BY_SIDE = 40;
const FIRST_SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const OUTCOMES = ['ok', 'error', 'invalid', 'unknown', 'denied', 'timeout', 'aborted', 'unsettled'];
/** Each outcome is to be seen this often at least. */
const LEAST = 100;
/** Milliseconds after which a run counts as hanging. */
const PATIENCE = 20_000;

interface Chance {
  readonly random: Random;
  abort(): void;
}

const never = (): Promise<never> => new Promise<never>(() => undefined);

/** One tool for each way in which a tool can behave. */
@AgentConfig({ limits: { maxTurns: 8, maxToolCalls: 60 }, parallelToolCalls: false })
class HostileAgent extends Agent<string, Chance> {
  @Tool({ description: 'Adds.', annotations: { readOnly: true } })
  add(@Param('a', { type: Integer }) a: number, @Param('b', { type: Integer, default: 1 }) b: number): number {
    return a + b;
  }

  @Tool({ description: 'Gives something that JSON has no words for.' })
  odd(@Ctx() { deps: { random } }: ToolContext<Chance>): unknown {
    const ring: Record<string, unknown> = {};
    ring['itself'] = ring;
    return random.pick([undefined, null, 10n, new Map([[1, 2]]), ring, '\ud800', Symbol('x'), new Error('inside'), 'x'.repeat(50_000), []]);
  }

  @Tool({ description: 'Comes back a little later.', sequential: true })
  async soon(@Param('text', 'Any text') text: string, @Ctx() { deps: { random } }: ToolContext<Chance>): Promise<string> {
    if (random.chance(0.5)) await sleep(0);
    return text;
  }

  @Tool({ description: 'Never comes back, and only reads.', timeout: 1, retries: 0, annotations: { readOnly: true } })
  stuckReading(): Promise<never> {
    return never();
  }

  @Tool({ description: 'Never comes back, and may have done something.', timeout: 1 })
  stuckWriting(): Promise<never> {
    return never();
  }

  @Tool({ description: 'Comes back when its time is up.', timeout: 1 })
  async late(@Ctx() { deps: { random } }: ToolContext<Chance>): Promise<string> {
    await sleep(2);
    if (random.chance(0.5)) throw new Error('too late to matter');
    return 'too late';
  }

  @Tool({ description: 'Throws whatever there is.' })
  throws(@Ctx() { deps: { random } }: ToolContext<Chance>): never {
    const hostile = {
      get message(): string {
        throw new Error('hostile');
      },
    };
    throw random.pick<unknown>([
      new Error('boom'),
      'a text',
      undefined,
      null,
      7,
      hostile,
      new ToolFailure('on purpose'),
      new ToolRetry('again'),
    ]);
  }

  @Tool('Rejects.')
  async rejects(): Promise<never> {
    await Promise.resolve();
    throw new Error('rejected');
  }

  @Tool({ description: 'Ends the run now and then.' })
  fatal(@Ctx() { deps: { random } }: ToolContext<Chance>): string {
    if (random.chance(0.05)) throw new FatalToolError('that was all');
    return 'went well';
  }

  @Tool({ description: 'Needs approval.', requiresApproval: true })
  guarded(): string {
    return 'approved';
  }

  @Tool({ description: 'May run once.', maxCalls: 1 })
  once(): string {
    return 'once';
  }

  @Tool({ description: 'Has the run aborted while it works.' })
  async pull(@Ctx() { deps: { abort }, signal }: ToolContext<Chance>): Promise<string> {
    queueMicrotask(abort);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return 'pulled';
  }
}

@AgentConfig({ parallelToolCalls: true, maxConcurrency: 3 })
class ParallelAgent extends HostileAgent {}

const NAMES = ['add', 'odd', 'soon', 'stuck_reading', 'stuck_writing', 'late', 'throws', 'rejects', 'fatal', 'guarded', 'once'];
const STRANGE_NAMES = [
  '',
  'constructor',
  '__proto__',
  'Add',
  'functions.add',
  'ad',
  'x'.repeat(300),
  'nope',
  'add<|channel|>json',
  'ödd',
  '\u0000',
];
const STRANGE_ARGUMENTS = [
  '',
  'null',
  '[]',
  '"{\\"a\\": 1}"',
  '{',
  '{"a": }',
  '{"a": "one"}',
  '{"a": 1.5}',
  '{"a": 1, "c": 2}',
  '{"__proto__": {"a": 1}}',
  "{'a': 1}",
  '{"a": 1e999}',
  '```json\n{"a": 1}\n```',
  `{"a": ${'['.repeat(400)}${']'.repeat(400)}}`,
  '\ud800',
  '{"a": 1}{"a": 2}',
  '12',
];

function nameFor(random: Random): string {
  if (random.chance(0.04)) return 'pull';
  return random.chance(0.12) ? random.pick(STRANGE_NAMES) : random.pick(NAMES);
}

function argumentsFor(name: string, random: Random): string {
  if (random.chance(0.12)) return random.pick(STRANGE_ARGUMENTS);
  if (name === 'add') return JSON.stringify(random.chance(0.5) ? { a: random.between(-9, 9) } : { a: 1, b: random.between(0, 99) });
  return name === 'soon' ? JSON.stringify({ text: random.pick(['a', '', '\u{1f600}', 'ß\n"']) }) : '{}';
}

/** A text in pieces, cut anywhere. */
function piecesOf(text: string, random: Random): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const next = random.chance(0.5) ? text.length : at + random.between(1, 5);
    pieces.push(text.slice(at, next));
    at = next;
  }
  return pieces.length === 0 ? [''] : pieces;
}

/** The fragments of an answer's calls: ids may be missing or used before, and the fragments of several calls come mixed. */
function callChunks(count: number, turn: number, random: Random): ModelChunk[] {
  const queues = Array.from({ length: count }, (_, index) => {
    const name = nameFor(random);
    const id = random.chance(0.1) ? undefined : random.chance(0.1) ? 'again' : `c${turn}_${index}`;
    const place = random.chance(0.1) ? index + 7 : index;
    const queue: ModelChunk[] = piecesOf(name, random).map((piece) => ({ type: 'call', index: place, name: piece }));
    for (const piece of piecesOf(argumentsFor(name, random), random)) queue.push({ type: 'call', index: place, arguments: piece });
    const at = random.between(0, queue.length - 1);
    if (id !== undefined) queue[at] = { ...(queue[at] as ModelChunk & { readonly type: 'call' }), id };
    return queue;
  });
  const chunks: ModelChunk[] = [];
  const mixed = random.chance(0.3);
  while (queues.some((queue) => queue.length > 0)) {
    const left = queues.filter((queue) => queue.length > 0);
    chunks.push((mixed ? random.pick(left) : left[0])?.shift() as ModelChunk);
  }
  return chunks;
}

/** Plays one run: calls in some turns, then an answer, or an end that no model should make. */
class HostileModel implements Model {
  readonly name = 'hostile';
  readonly capabilities = { tools: true, parallelToolCalls: true, jsonSchema: false, strict: false, images: false, reasoning: false };
  /** What was wrong with the requests. */
  readonly faults: string[] = [];
  private turn = 0;

  constructor(
    private readonly random: Random,
    private readonly abort: () => void,
  ) {}

  async *stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    const { random } = this;
    this.faults.push(...transcriptFaults(request.messages).map((fault) => `in a request: ${fault}`));
    this.turn++;
    const isCalling = request.toolChoice !== 'none' ? random.chance(0.85) : random.chance(0.05);
    const chunks: ModelChunk[] = [];
    if (random.chance(0.3)) chunks.push({ type: 'text', text: 'Let me see.' });
    if (isCalling) chunks.push(...callChunks(random.between(1, 5), this.turn, random));
    else chunks.push({ type: 'text', text: 'Done.' });
    if (random.chance(0.5)) chunks.push({ type: 'usage', usage: { inputTokens: 10, outputTokens: random.pick([3, NaN, -1]) } });
    const finish = random.chance(0.02) ? random.pick(['length', 'content_filter', 'other'] as const) : isCalling ? 'tool_calls' : 'stop';
    chunks.push({ type: 'end', finish });
    const abortAt = random.chance(0.01) ? random.between(0, chunks.length) : -1;
    const failAt = random.chance(0.01) ? random.between(0, chunks.length) : -1;
    for (const [at, chunk] of chunks.entries()) {
      if (at === abortAt) this.abort();
      if (at === failAt) throw new Error('the model broke');
      if (random.chance(0.05)) await sleep(0);
      yield chunk;
    }
  }
}

interface Played {
  readonly calls: number;
  readonly ending: string;
  readonly faults: readonly string[];
}

const outcomes = new Map<string, number>();
const endings = new Map<string, number>();
const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
const runner = new AgentRunner();

async function play(seed: number): Promise<Played> {
  const random = new Random(seed);
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Error('enough'));
  const open = new Map<string, number>();
  const faults: string[] = [];
  let calls = 0;
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'tool.request') {
      calls++;
      open.set(event.callId, (open.get(event.callId) ?? 0) + 1);
    } else if (event.type === 'tool.end') {
      count(outcomes, event.outcome);
      const left = (open.get(event.callId) ?? 0) - 1;
      if (left < 0) faults.push(`a second end of ${event.callId}`);
      open.set(event.callId, left);
    }
  };
  const model = new HostileModel(random, abort);
  const options = {
    model,
    deps: { random, abort },
    signal: controller.signal,
    onEvent,
    ...(random.chance(0.4) && { approve: () => random.pick(['approve', 'deny', 'deny'] as const) }),
  };
  const agent = random.chance(0.5) ? HostileAgent : ParallelAgent;
  let messages: readonly Message[];
  let ending: string;
  try {
    const result = await (random.chance(0.5) ? runner.run(agent, 'Go.', options) : read(runner.stream(agent, 'Go.', options)));
    messages = result.messages;
    ending = result.stopReason;
  } catch (error) {
    if (!isToolwrightError(error)) throw error;
    messages = (error as { readonly partial?: { readonly messages: readonly Message[] } }).partial?.messages ?? [];
    ending = error.code;
  }
  for (const [id, left] of open) if (left !== 0) faults.push(`${id} has no end`);
  faults.push(...model.faults, ...transcriptFaults(messages));
  return { calls, ending, faults };
}

/** Reads every event, as an interface would, and then the result. */
async function read<T>(handle: AsyncIterable<RunEvent> & { readonly result: Promise<T> }): Promise<T> {
  let last = -1;
  for await (const { seq } of handle) {
    if (seq <= last) throw new Error('The events are out of order.');
    last = seq;
  }
  return handle.result;
}

const escaped: unknown[] = [];
const onEscape = (reason: unknown): void => void escaped.push(reason);
beforeAll(() => void process.on('unhandledRejection', onEscape));
afterAll(() => void process.off('unhandledRejection', onEscape));

test('whatever a model calls, and whatever tools do, every run ends with a valid transcript and every call with one result', async () => {
  let calls = 0;
  let seed = FIRST_SEED;
  const broken: string[] = [];
  const worker = async (): Promise<void> => {
    while (calls < CALLS) {
      const own = seed++;
      const timer = new AbortController();
      const hung = sleep(PATIENCE, undefined, { signal: timer.signal }).then(
        () => 'hangs',
        () => 'hangs',
      );
      const played = await Promise.race([play(own).catch((error: unknown) => `failed: ${String(error)}`), hung]);
      timer.abort();
      if (typeof played === 'string') {
        broken.push(`seed ${own} ${played}`);
        continue;
      }
      calls += played.calls;
      count(endings, played.ending);
      for (const fault of played.faults) broken.push(`seed ${own}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  // What tools left behind may still fail.
  await sleep(10);
  const table = (counts: Map<string, number>): string =>
    [...counts]
      .map(([key, times]) => `${key} ${times}`)
      .sort()
      .join(', ');
  process.stdout.write(`fuzzed ${calls} calls, seeds ${FIRST_SEED} to ${seed - 1}: ${table(outcomes)}; runs: ${table(endings)}\n`);

  expect(broken).toEqual([]);
  expect(escaped).toEqual([]);
  expect(OUTCOMES.filter((outcome) => (outcomes.get(outcome) ?? 0) < LEAST)).toEqual([]);
}, 120_000);
