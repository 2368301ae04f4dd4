import 'reflect-metadata';
import { inspect } from 'node:util';
import {
  Agent,
  AgentRunner,
  ContextUpdate,
  forgetSecret,
  Param,
  redact,
  RunError,
  secret,
  Tool,
  ToolContext,
  ToolResult,
  UsageError,
} from '../../src/index';
import { callTool, createTestRunner, fail, say, scripted } from '../../src/testing/index';
import { DeltaRedactor } from '../../src/trust/delta-redactor';
import { redactError } from '../../src/trust/redaction';
import type { RunEvent } from '../../src/types/run-event';

const KEY = 'sk-live/"4f9c8e+1';

afterEach(() => forgetSecret(KEY));

describe('registered values', () => {
  beforeEach(() => void secret(KEY));

  it.each([
    ['as it is', `key ${KEY}!`, 'key [redacted]!'],
    ['twice', `${KEY}${KEY}`, '[redacted][redacted]'],
    ['URL-encoded', `https://x.test/?k=${encodeURIComponent(KEY)}&a=1`, 'https://x.test/?k=[redacted]&a=1'],
    ['inside JSON', JSON.stringify({ note: `is ${KEY}` }), '{"note":"is [redacted]"}'],
    ['in base64', `b64 ${Buffer.from(KEY).toString('base64')}`, 'b64 [redacted]'],
    ['in base64url', Buffer.from(KEY).toString('base64url'), '[redacted]'],
  ])('are hidden %s', (_, text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it('are hidden in lists, maps, sets, classes and keys of maps', () => {
    class Config {
      url = `x:${KEY}`;
    }
    const clean = redact({ a: [KEY, 1], b: new Map([[KEY, KEY]]), c: new Set([KEY]), d: new Config() });
    expect(inspect(clean, { depth: 9 })).not.toContain('4f9c8e');
    expect(clean.d).toBeInstanceOf(Config);
    expect(clean.a).toEqual(['[redacted]', 1]);
  });

  it('the longer of two that overlap is hidden whole', () => {
    secret(`${KEY}-and-more`);
    expect(redact(`${KEY}-and-more`)).toBe('[redacted]');
    forgetSecret(`${KEY}-and-more`);
    expect(redact(`${KEY}-and-more`)).toBe('[redacted]-and-more');
  });

  it('a value that is forgotten is shown again', () => {
    forgetSecret(KEY);
    expect(redact(KEY)).toBe(KEY);
  });
});

it.each(['', 'short', '        x', undefined, 5])('secret(%j) is refused', (value) => {
  expect(() => secret(value as string)).toThrow(UsageError);
});

it('more values than a process has are refused, not forgotten', () => {
  const many = Array.from({ length: 1_001 }, (_, at) => `value-number-${at}`);
  try {
    expect(() => many.forEach((value) => secret(value))).toThrow(/forgetSecret/);
    expect(redact(many[0])).toBe('[redacted]');
  } finally {
    many.forEach(forgetSecret);
  }
});

describe('sensitive keys', () => {
  it.each([
    'password',
    'userPassword',
    'x-api-key',
    'API_KEY',
    'clientSecret',
    'access_token',
    'Authorization',
    'Set-Cookie',
    'private_key',
    'dbConnectionString',
    'credentials',
  ])('%s hides what stands under it', (key) => {
    expect(redact({ [key]: 'hunter2' })).toEqual({ [key]: '[redacted]' });
    expect(redact({ [key]: { deep: 'hunter2' } })).toEqual({ [key]: '[redacted]' });
    expect(redact(`{"a": 1, "${key}": "hun\\"ter2"}`)).toBe(`{"a": 1, "${key}": "[redacted]"}`);
  });

  it.each(['maxTokens', 'inputTokens', 'nextPageToken', 'continuation_token', 'author', 'keyboard', 'passenger', 'secretary', 'tokenType'])(
    '%s hides nothing',
    (key) => {
      const value = { [key]: 'plain' };
      expect(redact(value)).toBe(value);
    },
  );

  it('flags and emptiness say no secret', () => {
    const value = { password: '', token: null, secret: true, apiKey: undefined };
    expect(redact(value)).toBe(value);
  });

  it('a change of state under such a key hides its value', () => {
    expect(redact({ op: 'set', path: 'user.password', value: 'hunter2' })).toMatchObject({ value: '[redacted]' });
    expect(redact({ op: 'set', path: ['user', 'apiKey'], value: 'hunter2' })).toMatchObject({ value: '[redacted]' });
  });
});

it('JSON text inside of JSON text is read too', () => {
  const inner = JSON.stringify({ a: 1, password: 'hun"ter\\2', b: 'x' });
  const outer = JSON.stringify({ text: inner });
  for (const text of [outer, JSON.stringify([outer])]) {
    const clean = redact(text);
    expect(clean).not.toMatch(/hun|ter/);
    expect(() => JSON.parse(clean) as unknown).not.toThrow();
  }
  expect(JSON.parse((JSON.parse(redact(outer)) as { text: string }).text)).toEqual({ a: 1, password: '[redacted]', b: 'x' });
});

it.each([
  ['{"password": "cut of', '{"password": "[redacted]"'],
  ['{"otp": 123456, "n": 1}', '{"otp": "[redacted]", "n": 1}'],
  ['{"credentials": {"user": "a", "list": ["}", 1]}, "n": 1}', '{"credentials": "[redacted]", "n": 1}'],
  [
    '{"token": null, "secret": true, "password": "", "n": {"apiKey":"x"}}',
    '{"token": null, "secret": true, "password": "", "n": {"apiKey":"[redacted]"}}',
  ],
  ['{"password": "ends in \\\\", "b": "c"}', '{"password": "[redacted]", "b": "c"}'],
  ['it said {"Authorization":"Bearer abc"} and {"x":"y"}', 'it said {"Authorization":"[redacted]"} and {"x":"y"}'],
])('JSON in a text: %s', (text, clean) => {
  expect(redact(text)).toBe(clean);
});

describe('hostile values', () => {
  it('cycles, accessors, proxies that throw, depth and breadth are survived, and nothing is changed in place', () => {
    secret(KEY);
    const cycle: Record<string, unknown> = { key: KEY };
    cycle['self'] = cycle;
    const touched = jest.fn(() => KEY);
    const withGetter = Object.defineProperty({}, 'lazy', { get: touched, enumerable: true });
    const broken = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    let deep: unknown = KEY;
    for (let at = 0; at < 5_000; at++) deep = { deep };
    const polluting = JSON.parse(`{"__proto__": {"password": "x"}, "constructor": ${JSON.stringify(KEY)}}`) as object;
    const clean = redact({ cycle, withGetter, broken, deep, polluting, nothing: Object.create(null) as object });
    expect(inspect(clean.cycle, { depth: 0 })).not.toContain('4f9c8e');
    expect(touched).not.toHaveBeenCalled();
    expect(clean.broken).toBe('[unreadable]');
    expect(JSON.stringify(clean.deep)).not.toContain('4f9c8e');
    expect(({} as { password?: string }).password).toBeUndefined();
    expect(cycle['key']).toBe(KEY);
    expect(redact(Array.from({ length: 300_000 }, () => ({})))).toHaveLength(300_000);
  });

  it('a text made to be slow is read in time', () => {
    secret(KEY);
    const began = process.cpuUsage();
    redact(`{"password${'": "\\\\'.repeat(100_000)}`);
    redact('"pass'.repeat(100_000));
    redact('\\"pass\\":\\"x'.repeat(50_000));
    redact(`\\"password\\":\\"${'\\\\'.repeat(100_000)}`);
    redact(`"${'a'.repeat(500_000)}token": "`);
    expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
  });

  it('what holds no secret comes back as it is', () => {
    const value = { a: [1, { b: 'text' }], c: new Date(), d: new Map([['x', 1]]) };
    expect(redact(value)).toBe(value);
  });
});

describe('a text that comes in pieces', () => {
  const stream = (...pieces: string[]): string[] => {
    const redactor = new DeltaRedactor();
    return [...pieces.map((piece) => redactor.take('text', piece)), ...redactor.flush().map(([, text]) => text)];
  };

  it('hides a secret wherever it is cut', () => {
    secret(KEY);
    for (let at = 1; at < KEY.length; at++) expect(stream(`a ${KEY.slice(0, at)}`, `${KEY.slice(at)} b`).join('')).toBe('a [redacted] b');
    expect(stream(...`a ${KEY} b`).join('')).toBe('a [redacted] b');
  });

  it('holds back only what could be the beginning of one', () => {
    secret(KEY);
    expect(stream('hello sk', '-nothing', ' more s')).toEqual(['hello ', 'sk-nothing', ' more ', 's']);
  });

  it('passes everything at once while nothing is registered', () => {
    expect(stream('sk', '-live')).toEqual(['sk', '-live']);
  });
});

describe('errors', () => {
  it('and their causes hide secrets in copies of their class; the originals are left alone', () => {
    secret(KEY);
    const cause = new TypeError(`connect ${KEY}`);
    const error = new RunError('X', `failed: ${KEY}`, { cause, advice: `check ${KEY}` });
    const clean = redactError(error);
    expect(inspect(clean)).not.toContain('4f9c8e');
    expect(clean).toBeInstanceOf(RunError);
    expect(RunError.is(clean)).toBe(true);
    expect(clean.cause).toBeInstanceOf(TypeError);
    expect(clean.advice).toBe('check [redacted]');
    expect(error.message).toContain(KEY);
    expect(cause.message).toContain(KEY);
  });

  it('without a secret come back as they are', () => {
    secret(KEY);
    const error = new Error('plain', { cause: new Error('too') });
    expect(redactError(error)).toBe(error);
  });

  it('with a cause that goes round are survived', () => {
    secret(KEY);
    const error = new Error(KEY);
    error.cause = error;
    expect(inspect(redactError(error), { depth: 3 })).not.toContain('4f9c8e');
  });

  it('that are frozen hide them too', () => {
    secret(KEY);
    const clean = redactError(Object.freeze(new RunError('X', `failed: ${KEY}`, { cause: Object.freeze(new Error(KEY)) })));
    expect(inspect(clean)).not.toContain('4f9c8e');
    expect(RunError.is(clean)).toBe(true);
  });

  it('that cannot be looked through are not shown', () => {
    secret(KEY);
    const error = new Error(KEY);
    Object.defineProperty(error, 'advice', {
      get() {
        throw new Error('not for you');
      },
    });
    expect(inspect(redactError(error))).not.toContain('4f9c8e');
  });
});

describe('in a run', () => {
  class Vault extends Agent {
    @Tool({ description: 'Stores a login.', annotations: { readOnly: true } })
    async store(
      @Param('user', { type: String }) user: string,
      @Param('password', { type: String }) _password: string,
      context: ToolContext,
    ) {
      context.update({ progress: `with ${KEY}` });
      return ToolResult.success(
        { user, token: 'abc', note: KEY },
        { details: { apiKey: 'x' }, update: ContextUpdate.of().set('password', 'hunter2') },
      );
    }

    @Tool({ description: 'Fails.', annotations: { readOnly: true }, retries: 0 })
    breakDown(): never {
      throw new Error(`connect postgres://app:${KEY}@db`);
    }
  }

  const eventsOf = async (
    model: ReturnType<typeof scripted>,
  ): Promise<{ events: RunEvent[]; error: unknown; warnings: readonly string[] }> => {
    const events: RunEvent[] = [];
    const runner = createTestRunner({ model });
    let error: unknown;
    let warnings: readonly string[] = [];
    try {
      ({ warnings } = await runner.run(Vault, 'go', {
        onEvent: (event) => events.push(event),
        hooks: [{ afterModel: () => Promise.reject(new Error(KEY)) }],
      }));
    } catch (thrown) {
      error = thrown;
    }
    return { events, error, warnings };
  };

  it('no event and no warning shows a secret, in whatever pieces the model streams it', async () => {
    secret(KEY);
    const { events, warnings } = await eventsOf(
      scripted([callTool('store', { user: 'ada', password: 'hunter2' }), callTool('break_down'), say(`It is ${KEY}, as you know.`)], {
        chunkSize: 3,
      }),
    );
    const all = inspect(events, { depth: 20, maxStringLength: null, maxArrayLength: null });
    expect(all).not.toContain('4f9c8e');
    expect(all).not.toContain('hunter2');
    expect(warnings.join()).not.toContain('4f9c8e');
    const text = events.flatMap((event) => (event.type === 'model.delta' && event.kind === 'text' ? [event.text] : [])).join('');
    expect(text).toBe('It is [redacted], as you know.');
    expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at));
    expect(events.find((event) => event.type === 'tool.start')).toMatchObject({ arguments: { user: 'ada', password: '[redacted]' } });
  });

  it('the tool, the model and the result have the exact values', async () => {
    secret(KEY);
    const model = scripted([callTool('store', { user: 'ada', password: 'hunter2' }), say('ok')]);
    const result = await new AgentRunner().run(Vault, 'go', { model });
    expect(result.toolCalls[0]!.arguments).toEqual({ user: 'ada', password: 'hunter2' });
    expect(result.state).toEqual({ password: 'hunter2' });
    expect(JSON.stringify(model.requests[1]!.messages)).toContain('4f9c8e');
  });

  it('the error that the run rejects with shows none', async () => {
    secret(KEY);
    const { error, events } = await eventsOf(scripted([fail(`401: bad key ${KEY}`)]));
    expect(error).toBeInstanceOf(RunError);
    expect(inspect(error)).not.toContain('4f9c8e');
    expect(inspect(events, { depth: 9 })).not.toContain('4f9c8e');
  });
});
