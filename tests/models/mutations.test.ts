import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelError } from '../../src/errors/run-error';
import { OpenAIChatModel } from '../../src/models/openai-chat-model';
import { OpenAIResponsesModel } from '../../src/models/openai-responses-model';
import { ask, collect, sse } from './loopback';

interface Case {
  readonly chunks?: readonly unknown[];
  readonly done?: boolean;
  readonly raw?: string;
  readonly body?: unknown;
}
const { cases } = JSON.parse(readFileSync(join(__dirname, '../fixtures/cases/streams.json'), 'utf8')) as { cases: readonly Case[] };
const bodies = cases.map((it) =>
  Buffer.from(it.chunks === undefined ? (it.raw ?? JSON.stringify(it.body)) : sse(it.chunks, it.done ?? false)),
);
const SPLICES = [
  'null',
  '{}',
  '[]',
  '"',
  '\n\n',
  'data: ',
  '[DONE]',
  '-1',
  '1e999',
  '"__proto__":',
  '\u0000',
  '\\u',
  ': ',
  '<think>',
  '<tool_call>',
];

/** Random numbers that are the same in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** A few bytes changed, cut out, doubled or put in. */
function mutated(bytes: Buffer, random: (below: number) => number): Buffer {
  let out = bytes;
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const at = random(out.length + 1);
    const length = random(40);
    const piece = out.subarray(at, at + length);
    const [before, after] = [out.subarray(0, at), out.subarray(at + length)];
    const kind = random(4);
    if (kind === 0) out = Buffer.concat([before, after]);
    else if (kind === 1) out = Buffer.concat([before, piece, piece, after]);
    else if (kind === 2) out = Buffer.concat([before, Buffer.from(SPLICES[random(SPLICES.length)]!), out.subarray(at)]);
    else out = Buffer.concat([before, Buffer.from(piece.map((byte) => (random(3) === 0 ? random(256) : byte))), after]);
  }
  return out;
}

const served =
  (bytes: Buffer): typeof fetch =>
  () =>
    Promise.resolve(new Response(new Uint8Array(bytes), { headers: { 'content-type': 'text/event-stream' } }));

test('a thousand mutated answers are each read to an end or a typed error', async () => {
  const random = randomFrom(20_260);
  let answered = 0;
  for (let at = 0; at < 1_000; at += 1) {
    const fetch = served(mutated(bodies[at % bodies.length]!, random));
    const options = { model: 'm', apiKey: 'k', fetch };
    const model =
      at % 10 === 9
        ? new OpenAIResponsesModel(options)
        : new OpenAIChatModel({ ...options, quirks: { writtenCalls: true, thinkTags: true } });
    const { error, finish, calls } = await collect(model.stream(ask()));
    if (error !== undefined) {
      if (!ModelError.is(error)) throw error;
      expect(finish).toBeUndefined();
    } else {
      answered += 1;
      expect(finish).toEqual(expect.any(String));
      for (const call of calls) expect(call).toMatchObject({ name: expect.any(String) as string, arguments: expect.any(String) as string });
    }
  }
  expect(answered).toBeGreaterThan(50);
  expect(({} as Record<string, unknown>)['choices']).toBeUndefined();
});
