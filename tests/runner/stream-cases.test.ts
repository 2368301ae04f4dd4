import 'reflect-metadata';
import 'toolwright/testing/jest';
import { Agent, AgentConfig, AgentRunner, defineTool, ModelError, OpenAIChatModel, type RunResult } from 'toolwright';
import { HELLO, Loopback, type Reply, type SeenRequest } from '../models/loopback';
import { bodyOf, isStreamed, replyOf, streamCases, type Expectation, type StreamCase } from '../models/stream-case';

const run: { name: string; arguments: unknown }[] = [];

/** The tools that the cases take for registered. */
const TOOLS: Record<string, Record<string, StringConstructor | { type: NumberConstructor; optional: true }>> = {
  get_weather: { city: String },
  read_file: { path: String },
  write_file: { path: String, text: String },
  delete_file: { path: String },
  list_files: {},
  search: { query: String },
  search_weather: { query: String },
  quote: { stock: String },
  bash: { command: String },
  patch: { input: String },
  say: { t: String },
  eval_expr: { e: String },
  memory_save: { content: String },
  transfer: { query: String, limit: { type: Number, optional: true } },
  send_mail: { to: String },
  get_item: { name: String },
};
const tools = Object.entries(TOOLS).map(([name, parameters]) =>
  defineTool({
    name,
    description: `The tool ${name}.`,
    parameters: Object.fromEntries(Object.entries(parameters).map(([key, type]) => [key, typeof type === 'function' ? { type } : type])),
    execute: (args) => {
      run.push({ name, arguments: args });
      return 'Done.';
    },
  }),
);

@AgentConfig({ tools })
class Registered extends Agent {}

let server: Loopback;
beforeAll(async () => void (server = await Loopback.start()));
afterAll(() => server.stop());
beforeEach(() => void run.splice(0));

const GOING_ON: Reply = { pieces: [HELLO] };
const GOING_ON_WHOLE: Reply = {
  headers: { 'content-type': 'application/json' },
  pieces: [JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }] })],
};

async function play(it: StreamCase): Promise<{ readonly result?: RunResult<string>; readonly error?: unknown }> {
  server.reply(replyOf(it, [Buffer.from(bodyOf(it), 'utf8')]), isStreamed(it) ? GOING_ON : GOING_ON_WHOLE);
  const model = new OpenAIChatModel({
    model: 'probe-1',
    apiKey: 'k',
    baseURL: server.baseURL,
    quirks: { reasoningField: 'reasoning_content' },
  });
  const modelSettings = isStreamed(it) ? {} : { extraBody: { stream: false } };
  try {
    return { result: await new AgentRunner({ model }).run(Registered, 'Hi', { modelSettings }) };
  } catch (error) {
    return { error };
  }
}

type Played = Awaited<ReturnType<typeof play>>;

function check({ result, error }: Played, expected: Expectation, requests: readonly SeenRequest[]): void {
  if (expected.outcome === 'error') {
    expect(run).toEqual([]);
    if (expected.retryable === true && error === undefined) expect(requests[1]!.body).toEqual(requests[0]!.body);
    else expect(ModelError.is(error)).toBe(true);
    return;
  }
  expect(error).toBeUndefined();
  if (expected.outcome === 'final') {
    expect(run).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(result!.text).toContain(expected.text ?? expected.textContains);
    return;
  }
  expect(result).toHaveValidTranscript();
  expect(result!.text).toBe('Hello');
  const next = requests[1]!.body.messages!;
  if (expected.outcome === 'tool_calls') {
    expect(run).toEqual(expected.toolCalls!.map(({ name, arguments: args }) => ({ name, arguments: args })));
    expected.toolCalls!.forEach(({ id }, at) => {
      if (typeof id === 'string') expect(result!.toolCalls[at]!.id).toBe(id);
    });
    const reasoning = expected.reasoning;
    if (reasoning !== undefined) expect(next).toContainEqual(expect.objectContaining({ role: 'assistant', reasoning_content: reasoning }));
    return;
  }
  // Nothing was run; the model reads what was wrong, and goes on.
  expect(run).toEqual([]);
  const told = next.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
  expect(told.length).toBeGreaterThan(0);
  for (const word of expected.tell ?? ['JSON']) expect(told.join('\n')).toContain(word);
}

function checkEither(played: Played, { expect: expected }: StreamCase): void {
  const allowed = (expected.anyOf ?? [expected]).filter(({ onlyIf }) => onlyIf === undefined);
  const faults = allowed.map((one) => {
    try {
      return void check(played, one, server.requests);
    } catch (fault) {
      return fault;
    }
  });
  if (!faults.includes(undefined)) throw faults[0];
}

interface SentCall {
  readonly id: unknown;
  readonly function: { readonly name: string; readonly arguments: unknown };
}

/** Whatever came in: what goes out is something that each provider takes. */
function checkReplay(messages: readonly { readonly [key: string]: unknown }[]): void {
  const calls = messages.flatMap((message) => (message['tool_calls'] as readonly SentCall[] | undefined) ?? []);
  const ids = calls.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(messages.flatMap(({ role, tool_call_id: id }) => (role === 'tool' ? [id] : []))).toEqual(ids);
  for (const call of calls) {
    expect(call.id).toEqual(expect.stringMatching(/./));
    expect(call.function.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(typeof call.function.arguments).toBe('string');
    expect(JSON.parse(call.function.arguments as string)).toEqual(expect.any(Object));
  }
}

test.each(streamCases.map((it) => [it.id, it.quirk, it] as const))('%s: a run carries out what it should (%s)', async (_id, _quirk, it) => {
  const played = await play(it);
  checkEither(played, it);
  for (const { body } of server.requests) checkReplay(body.messages!);
});
