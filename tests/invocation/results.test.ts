import { runInNewContext } from 'node:vm';
import { redact } from '../../src/trust/redaction';
import { ContextUpdate } from '../../src/tools/context-update';
import { ToolResult } from '../../src/tools/tool-result';
import { call, pass, scope, textOf, tool, type ToolFacts } from './scope';

const returned = async (value: unknown, facts: ToolFacts = {}) => pass(call('t'), scope([tool('t', () => value, facts)]));
const said = async (value: unknown, facts: ToolFacts = {}) => textOf(await returned(value, facts));

class Order {
  readonly id = 7;
  secret = () => 'x';
  get total() {
    return 5;
  }
}

describe('what a tool returns', () => {
  const cycle: Record<string, unknown> = { name: 'a' };
  cycle['self'] = cycle;
  const deep: unknown[] = [];
  let at = deep;
  for (let depth = 0; depth < 100_000; depth++) at.push((at = []));

  it.each<[string, unknown, string]>([
    ['a text', 'x', 'x'],
    ['an empty text', '', '(an empty text)'],
    ['nothing', undefined, 'Done. The tool returned nothing.'],
    ['null', null, 'null'],
    ['false', false, 'false'],
    ['zero', 0, '0'],
    ['an empty list', [], '[]'],
    ['an object', { a: 1, b: 'x' }, '{"a":1,"b":"x"}'],
    ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['a date that is none', [new Date(NaN)], '["Invalid Date"]'],
    ['a map', new Map([['a', 1]]), '{"a":1}'],
    ['a map with other keys', new Map([[{ k: 1 }, 1]]), '[[{"k":1},1]]'],
    ['a set', new Set([1, 2]), '[1,2]'],
    ['a big integer', { n: 9007199254740993n }, '{"n":"9007199254740993"}'],
    ['numbers that JSON has not', [NaN, Infinity, -0], '["NaN","Infinity",0]'],
    ['binary data', { file: Buffer.from('abc') }, '{"file":"[binary data, 3 bytes]"}'],
    ['numbers in an array buffer', new Float32Array([1, 2]), '[1,2]'],
    ['an error', new TypeError('bad'), '{"name":"TypeError","message":"bad"}'],
    ['a cycle', cycle, '{"name":"a","self":"[circular]"}'],
    ['an instance', new Order(), '{"id":7}'],
    ['a function', () => 1, '"[function]"'],
    ['a symbol', Symbol('s'), '"Symbol(s)"'],
    ['holes', [undefined, () => 1], '[null,"[function]"]'],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('x');
        },
        b: 1,
      },
      '{"a":"[unreadable]","b":1}',
    ],
    [
      'a toJSON that throws',
      {
        a: 1,
        toJSON() {
          throw new Error('x');
        },
      },
      '{"a":1}',
    ],
    [
      'a toJSON that gives itself',
      {
        a: 1,
        toJSON() {
          return this;
        },
      },
      '{"a":1}',
    ],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('x');
          },
        },
      ),
      '"[unreadable]"',
    ],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
    ['a key named __proto__', JSON.parse('{"__proto__":{"x":1}}'), '{"__proto__":{"x":1}}'],
    ['a map of another realm', runInNewContext('new Map([["a", new Set([1])]])'), '{"a":[1]}'],
    ['an error of another realm', { failed: runInNewContext('new TypeError("no")') }, '{"failed":{"name":"TypeError","message":"no"}}'],
    ['headers', new Headers({ etag: 'x' }), '[["etag","x"]]'],
    ['an address', { url: new URL('https://a.test/') }, '{"url":"https://a.test/"}'],
  ])('%s is told truly', async (_, value, text) => {
    const result = await returned(value);
    expect(result.record.outcome).toBe('ok');
    expect(textOf(result)).toBe(text);
  });

  it('nested without end, wide without end, or shared without end is told in bounds', async () => {
    expect(await said(deep)).toContain('[nested too deeply]');
    // Of the processor: how long it takes beside others' work says nothing.
    const began = process.cpuUsage();
    let bomb: unknown = 'x';
    for (let level = 0; level < 30; level++) bomb = [bomb, bomb];
    expect((await said(bomb)).length).toBeLessThanOrEqual(20_000);
    expect((await said(Array.from({ length: 1_000_000 }, (_, n) => n))).length).toBeLessThanOrEqual(20_000);
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000);
  });

  it('with more places than anybody could count is not counted', async () => {
    expect((await said(new Array(2 ** 32 - 1))).length).toBeLessThanOrEqual(20_000);
    expect(redact({ list: new Array(2 ** 32 - 1) })).toEqual({ list: '[redacted]' });
  });
});

describe('a ToolResult', () => {
  it('sends the envelope’s set fields in their order, and never the details', async () => {
    const result = await returned(
      ToolResult.success({ id: 1 }, { instruction: 'Say it.', message: 'Placed.', details: { secret: 1 }, effects: ['order'] }),
    );
    expect(textOf(result)).toBe('{"status":"success","message":"Placed.","data":{"id":1},"instruction":"Say it."}');
    expect(result.record).toMatchObject({ details: { secret: 1 }, effects: ['order'] });
  });

  it('of an error makes the outcome an error', async () => {
    const result = await returned(ToolResult.error({ code: 'NO_STOCK' }, { suggestion: 'Try later.' }), { returnDirect: true });
    expect(result).toMatchObject({ direct: false, repair: false, record: { outcome: 'error' } });
    expect(textOf(result)).toBe('{"status":"error","error":{"code":"NO_STOCK"},"suggestion":"Try later."}');
  });

  it.each([{ operations: 5 }, { operations: 'set' }, {}, 'set'])('with an update that is none changes nothing (%j)', async (update) => {
    const result = await returned(ToolResult.content('Done.', { update: update as never }));
    expect(result).toMatchObject({ operations: [], record: { outcome: 'ok' } });
  });

  it('carries changes of the state, as a plain ContextUpdate does', async () => {
    const update = ContextUpdate.of().set('a', 1);
    expect((await returned(ToolResult.update(update))).operations).toEqual(update.operations);
    expect((await returned(update)).operations).toEqual(update.operations);
  });

  it('says whom to believe, over what the tool says', async () => {
    const foreign = await returned(ToolResult.content('x', { trust: 'untrusted' }));
    expect(foreign.message).toMatchObject({ trust: 'untrusted', marker: expect.stringMatching(/^marker_/) });
    expect((await returned(ToolResult.content('x', { trust: 'trusted' }), { trust: 'untrusted' })).message).toMatchObject({
      trust: 'trusted',
    });
    expect((await returned('x')).message).not.toHaveProperty('marker');
  });

  it('keeps parts as parts', async () => {
    const image = { type: 'image', data: 'AAAA', mediaType: 'image/png' } as const;
    const result = await returned(
      ToolResult.content([{ type: 'text', text: 'Here:' }, image, { type: 'json', value: { at: new Date(0) } }]),
    );
    expect(result.message.parts).toEqual([
      { type: 'text', text: 'Here:' },
      image,
      { type: 'json', value: { at: '1970-01-01T00:00:00.000Z' } },
    ]);
    expect(textOf(await returned(ToolResult.content([])))).toContain('no content');
  });
});

describe('plain values that look like more', () => {
  it('a plain envelope is read as one from a trusted tool only', async () => {
    const envelope = { status: 'error', error: 'no' };
    expect((await returned(envelope)).record.outcome).toBe('error');
    expect((await returned(envelope, { trust: 'untrusted' })).record.outcome).toBe('ok');
    expect((await returned({ ...envelope, extra: 1 })).record.outcome).toBe('ok');
    expect((await returned({ status: 'shipped' })).record.outcome).toBe('ok');
  });

  it('a plain list of parts is content from a trusted tool only; a directory’s list is data', async () => {
    const parts = [{ type: 'text', text: 'a' }];
    expect((await returned(parts)).message.parts).toEqual(parts);
    expect(await said(parts, { trust: 'untrusted' })).toBe('[{"type":"text","text":"a"}]');
    expect(await said([{ type: 'file', name: 'a.txt' }])).toBe('[{"type":"file","name":"a.txt"}]');
  });
});

describe('a result that is too long', () => {
  it('of text keeps its beginning and its end, and says how much is gone', async () => {
    const text = `start${'x'.repeat(5_000_000)}end`;
    const result = await returned(text, { maxResultChars: 1_000 });
    expect(textOf(result).length).toBeLessThanOrEqual(1_000);
    expect(textOf(result)).toMatch(/^start.*characters left out.*end$/s);
    expect(result.overflow).toBe(text);
    expect((await returned('short', { maxResultChars: 1_000 })).overflow).toBeUndefined();
  });

  it('never splits a character', async () => {
    for (let max = 200; max < 210; max++) {
      const text = await said('😀'.repeat(1_000), { maxResultChars: max });
      expect((text as any).isWellFormed()).toBe(true);
      expect(text.length).toBeLessThanOrEqual(max);
    }
  });

  it('of a list drops whole items with their count, and stays JSON', async () => {
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, name: `row ${id}` }));
    const result = await returned({ total: 1_000, rows, note: 'n' }, { maxResultChars: 2_000 });
    const text = textOf(result);
    const read = JSON.parse(text) as { total: number; rows: unknown[]; note: string };
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text.length).toBeGreaterThan(1_000);
    expect(read).toMatchObject({ total: 1_000, note: 'n' });
    expect(read.rows[0]).toEqual(rows[0]);
    const kept = read.rows.length - 1;
    expect(read.rows.at(-1)).toBe(`[${1_000 - kept} of 1000 items left out here.]`);
    expect(result.overflow).toBe(JSON.stringify({ total: 1_000, rows, note: 'n' }));
  });

  it('of one large item in a list goes on inside it', async () => {
    const text = await said([{ rows: Array.from({ length: 1_000 }, (_, n) => n) }], { maxResultChars: 500 });
    expect(JSON.parse(text)[0].rows[0]).toBe(0);
    expect(text).toMatch(/of 1000 items left out/);
  });

  it('of one long text in an object stays JSON', async () => {
    const text = await said({ id: 1, body: 'y'.repeat(50_000), end: true }, { maxResultChars: 1_000 });
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(JSON.parse(text)).toMatchObject({ id: 1, end: true, body: expect.stringContaining('characters left out') });
  });

  it('of many keys is cut like text', async () => {
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key${n}`, n]));
    const text = await said(wide, { maxResultChars: 1_000 });
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text).toContain('left out');
  });

  it('says how to read on, where there is a way', async () => {
    const run = scope([tool('t', () => 'x'.repeat(1_000), { maxResultChars: 300 })], {
      readOn: (id) => `Read on with read_output("${id}").`,
    });
    const requested = call('t');
    expect(textOf(await pass(requested, run))).toContain(`read_output("${requested.id}")`);
  });

  it('of several parts shares one budget', async () => {
    const part = { type: 'text', text: 'z'.repeat(400) } as const;
    const text = await said(ToolResult.content([part, part, part]), { maxResultChars: 600 });
    expect(text.length).toBeLessThanOrEqual(610);
  });
});
