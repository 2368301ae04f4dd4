import { ModelError } from '../../src/errors/run-error';
import { fallbackModel } from '../../src/models/fallback';
import type { Model, ModelChunk, ModelRequest } from '../../src/models/model';
import { withRetries, type RetryEnvironment } from '../../src/models/retry';
import { ask, collect } from './loopback';

const CAPABILITIES = { tools: true, parallelToolCalls: true, jsonSchema: true, strict: true, images: true, reasoning: true };
const HELLO: readonly ModelChunk[] = [{ type: 'text', text: 'Hello' }, { type: 'end', finish: 'stop' }]; // prettier-ignore
const down = (over: object = {}): ModelError => new ModelError('It is down.', { retryable: true, status: 503, ...over });

/** A model that plays one list after the other; an error in a list is thrown. */
function playing(...turns: readonly (readonly (ModelChunk | Error)[])[]): Model & { asked: number } {
  const model = {
    name: 'played:m',
    capabilities: CAPABILITIES,
    asked: 0,
    async *stream(): AsyncGenerator<ModelChunk> {
      for (const chunk of turns[model.asked++] ?? [])
        if (chunk instanceof Error) throw chunk;
        else yield chunk;
    },
  };
  return model;
}

/** Time that passes at once, and is written down. */
function clock(random = 1): RetryEnvironment & { waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    random: () => random,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
    },
  };
}

describe('retries', () => {
  test('a failure that may pass is tried again, with doubled and jittered waits, and told', async () => {
    const time = clock();
    const model = playing([down()], [down()], HELLO);
    const answer = await collect(withRetries(model, {}, time).stream(ask()));
    expect(answer).toMatchObject({ text: 'Hello', finish: 'stop', error: undefined });
    expect(time.waits).toEqual([500, 1_000]);
    expect(answer.warnings).toHaveLength(2);
    expect(answer.warnings[0]).toContain('It is down.');
    const low = clock(0);
    await collect(withRetries(playing([down()], HELLO), {}, low).stream(ask()));
    expect(low.waits).toEqual([250]);
  });

  test('not more often than allowed', async () => {
    const model = playing([down()], [down()], [down()], HELLO);
    expect((await collect(withRetries(model, {}, clock()).stream(ask()))).error).toMatchObject({ status: 503 });
    expect(model.asked).toBe(3);
  });

  test.each<[string, readonly (ModelChunk | Error)[]]>([
    ['a failure that will not pass', [down({ retryable: false })]],
    ['an error of another kind', [new TypeError('bug')]],
    ['text was seen', [{ type: 'text', text: 'We ' }, down()]],
    ['reasoning was seen', [{ type: 'reasoning', text: 'We ' }, down()]],
    ['a call was seen', [{ type: 'call', index: 0, name: 'x' }, down()]],
  ])('not when %s', async (_title, turn) => {
    const model = playing(turn, HELLO);
    const { error } = await collect(withRetries(model, {}, clock()).stream(ask()));
    expect(error).toBe(turn.at(-1));
    expect(model.asked).toBe(1);
  });

  test('the wait that the provider asks for is honoured, unless it is too long', async () => {
    const time = clock();
    await collect(withRetries(playing([down({ retryAfter: 7_000 })], HELLO), {}, time).stream(ask()));
    expect(time.waits).toEqual([7_000]);
    const model = playing([down({ retryAfter: 61_000 })], HELLO);
    expect((await collect(withRetries(model, {}, time).stream(ask()))).error).toMatchObject({ retryAfter: 61_000 });
    expect(model.asked).toBe(1);
  });

  test('all waits together are bounded', async () => {
    const time = clock();
    const turns = Array.from({ length: 9 }, () => [down({ retryAfter: 20_000 })]);
    await collect(withRetries(playing(...turns), { attempts: 9 }, time).stream(ask()));
    expect(time.waits).toEqual([20_000, 20_000, 20_000]);
  });

  test('an abort ends the wait with its reason, and leaves no listener and no timer', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const removed = jest.spyOn(controller.signal, 'removeEventListener');
    const added = jest.spyOn(controller.signal, 'addEventListener');
    const model = playing([down({ retryAfter: 50_000 })], HELLO);
    const chunks: ModelChunk[] = [];
    const reading = (async () => {
      for await (const chunk of withRetries(model).stream(ask('Hi', { signal: controller.signal }))) {
        chunks.push(chunk);
        setImmediate(() => controller.abort(reason));
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(model.asked).toBe(1);
    expect(chunks.map(({ type }) => type)).toEqual(['warning']);
    // A listener that was called once is gone; the others were taken away.
    expect(added.mock.calls.length - removed.mock.calls.length).toBeLessThanOrEqual(1);
  });

  test('a wait that is longer than a timer can be does not end at once', async () => {
    const controller = new AbortController();
    const model = playing([down({ retryAfter: 3_000_000_000 })], HELLO);
    setTimeout(() => controller.abort(new Error('enough')), 30);
    const { error } = await collect(withRetries(model, { maxWait: 4_000_000_000 }).stream(ask('Hi', { signal: controller.signal })));
    expect(error).toMatchObject({ message: 'enough' });
    expect(model.asked).toBe(1);
  });

  test('an answer that has ended is not asked for again', async () => {
    const model = playing([{ type: 'end', finish: 'stop' }, down()], HELLO);
    const { error } = await collect(withRetries(model, {}, clock()).stream(ask()));
    expect(error).toMatchObject({ status: 503 });
    expect(model.asked).toBe(1);
  });

  test('a silent model is given up, and tried again; one that does not listen is left behind', async () => {
    const signals: AbortSignal[] = [];
    let asked = 0;
    const model: Model = {
      name: 'silent:m',
      capabilities: CAPABILITIES,
      async *stream(request: ModelRequest) {
        signals.push(request.signal);
        if (++asked === 1) await new Promise(() => undefined);
        yield* HELLO;
      },
    };
    const answer = await collect(withRetries(model, { stallTimeout: 20 }, clock()).stream(ask()));
    expect(answer).toMatchObject({ text: 'Hello', finish: 'stop' });
    expect(answer.warnings[0]).toContain('sent nothing for 20 ms');
    expect(signals[0]!.aborted).toBe(true);
  });

  test('the time that the reader takes is not the model silence', async () => {
    const answer: ModelChunk[] = [];
    for await (const chunk of withRetries(playing(HELLO), { stallTimeout: 15 }, clock()).stream(ask())) {
      answer.push(chunk);
      const until = performance.now() + 40;
      while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(answer).toEqual(HELLO);
  });

  test('numbers out of range and unknown options are refused', () => {
    expect(() => withRetries(playing(), { attempts: 0 })).toThrow(/`attempts` must be a whole number, 1 or more, not 0/);
    expect(() => withRetries(playing(), { maxWait: Number.NaN })).toThrow(/maxWait/);
    expect(() => withRetries(playing(), { retries: 3 } as never)).toThrow(/no option `retries`/);
  });
});

describe('a chain of models', () => {
  test('goes on to the next when one fails, and tells', async () => {
    const [first, second] = [playing([down({ retryable: false })]), playing(HELLO)];
    const answer = await collect(fallbackModel([first, second]).stream(ask()));
    expect(answer).toMatchObject({ text: 'Hello', finish: 'stop' });
    expect(answer.warnings[0]).toMatch(/It is down\. Asking played:m instead/);
  });

  test('never when something was seen, on an error of another kind, or after an abort', async () => {
    for (const turn of [[{ type: 'text', text: 'We ' } as const, down()], [new TypeError('bug')]]) {
      const second = playing(HELLO);
      expect((await collect(fallbackModel([playing(turn), second]).stream(ask()))).error).toBe(turn.at(-1));
      expect(second.asked).toBe(0);
    }
    const second = playing(HELLO);
    const signal = AbortSignal.abort(new Error('enough'));
    await collect(fallbackModel([playing([down()]), second]).stream(ask('Hi', { signal })));
    expect(second.asked).toBe(0);
  });

  test('tells all failures when none answers', async () => {
    const { error } = await collect(fallbackModel([playing([down()]), playing([new ModelError('No key.')])]).stream(ask()));
    expect((error as Error).message).toMatch(/All 2 models failed[^]*It is down[^]*No key/);
    expect(error).toMatchObject({ name: 'ModelError', retryable: false });
  });

  test('can do what all of them can', () => {
    const blind = { ...playing(), capabilities: { ...CAPABILITIES, images: false } };
    expect(fallbackModel([playing(), blind]).capabilities).toEqual({ ...CAPABILITIES, images: false });
    expect(() => fallbackModel([])).toThrow(/is empty/);
  });
});
