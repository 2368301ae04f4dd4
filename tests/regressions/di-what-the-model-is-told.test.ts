import 'reflect-metadata';
import { Agent, AgentRunner, Args, Ctx, Field, Integer, Tool, arrayOf, recordOf, type ToolContext } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';
import { readArgumentText } from '../../src/invocation/argument-text';
import { call, idle, pass, scope, textOf, tool } from '../invocation/scope';

test.each([['{city: Paris'], ['not json']])('D26: %j is told to the model, not thrown at the application', async (text) => {
  const result = await pass(call('t', text), scope([tool('t', () => 1)]));
  expect(result).toMatchObject({ repair: true, record: { outcome: 'invalid' } });
  expect(textOf(result)).toContain('JSON');
});

test('D26: an empty text is no arguments', async () => {
  expect((await pass(call('t', ''), scope([tool('t', (args) => args)]))).record).toMatchObject({ outcome: 'ok', arguments: {} });
});

test('D30: valid JSON passes as it is, however broken its strings look', () => {
  for (const value of [{ code: 'if(a){b}}' }, { text: 'a\n"b" {c: \'d\'} // e' }]) {
    expect(readArgumentText(JSON.stringify(value))).toEqual({ ok: true, value, repaired: false });
  }
});

test('D50: the text of an unexpected error stays with the host', async () => {
  const run = scope([
    tool('t', () => {
      throw new Error('connect postgres://u:p4ss@h');
    }),
  ]);
  expect(textOf(await pass(call('t'), run))).not.toMatch(/p4ss|postgres/);
});

test('D60: two calls at once have each their own signal', async () => {
  const signals: AbortSignal[] = [];
  const slow = tool(
    't',
    (_, context) => {
      signals.push(context.signal);
      return new Promise(() => undefined);
    },
    { timeout: null },
  );
  const first = new AbortController();
  const second = new AbortController();
  const one = pass(call('t'), scope([slow], { signal: first.signal, ceiling: 60_000 }));
  const two = pass(call('t'), scope([slow], { signal: second.signal, ceiling: 60_000 }));
  await idle();
  first.abort();
  await one;
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
  second.abort();
  await two;
});

test('D60: two runs of one agent have each their own signal, and what is done to one is not seen by the other', async () => {
  const signals: AbortSignal[] = [];
  class Waits extends Agent {
    @Tool('x') wait(@Ctx() context: ToolContext) {
      signals.push(context.signal);
      return new Promise((resolve) => {
        context.signal.addEventListener('abort', () => resolve('late'));
        if (signals.length === 2) first.abort();
      });
    }
  }
  const agent = new Waits();
  const first = new AbortController();
  const second = new AbortController();
  const run = (signal: AbortSignal) => new AgentRunner({ model: scripted([callTool('wait')]) }).run(agent, 'Go', { signal });
  const [one, two] = [run(first.signal), run(second.signal)];
  await expect(one).rejects.toMatchObject({ name: 'AbortError' });
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
  second.abort();
  await expect(two).rejects.toMatchObject({ name: 'AbortError' });
});

test('D73: a timeout of the tool’s own client is not the framework’s deadline', async () => {
  const own = Object.assign(new Error('socket timed out'), { name: 'TimeoutError' });
  const result = await pass(call('t'), scope([tool('t', async () => Promise.reject(own), { timeout: 1_000 })]));
  expect(result.record.outcome).toBe('error');
});

test('D75: a key that names the prototype changes none', async () => {
  let seen: any;
  await pass(call('t', '{"__proto__":{"admin":true},"q":"x"}'), scope([tool('t', (args) => void (seen = args))]));
  expect(seen?.admin).toBeUndefined();
  expect(({} as any).admin).toBeUndefined();
});

class Inner {
  @Field({ type: Integer, optional: true }) n?: number;
}
class Deep {
  @Field({ type: Inner, optional: true }) inner?: Inner;
  @Field({ type: arrayOf(Inner), optional: true }) list?: Inner[];
  @Field({ type: recordOf(Inner), optional: true }) by?: Record<string, Inner>;
}

test.each([
  '{"__proto__":{"admin":true}}',
  '{"inner":{"__proto__":{"admin":true}}}',
  '{"inner":{"n":1,"constructor":{"prototype":{"admin":true}}}}',
  '{"list":[{"__proto__":{"admin":true}}]}',
  '{"by":{"__proto__":{"n":1}}}',
  '{"by":{"a":{"__proto__":{"admin":true}}}}',
  '{"inner":"{\\"__proto__\\":{\\"admin\\":true}}"}',
])('D75: at no depth does a key reach a prototype: %s', async (args) => {
  const seen: unknown[] = [];
  class Takes extends Agent {
    @Tool('x') take(@Args() deep: Deep): void {
      seen.push(deep);
    }
  }
  const { toolCalls } = await new AgentRunner({ model: scripted([callTool('take', args), say('Done.')]) }).run(Takes, 'Go');
  expect(toolCalls).toMatchObject([{ outcome: 'invalid' }]);
  expect(seen).toEqual([]);
  expect(({} as { admin?: unknown }).admin).toBeUndefined();
});

test('D28: the method gets what was read, the transcript keeps what was sent', async () => {
  const seen: unknown[] = [];
  class Takes extends Agent {
    @Tool('x') take(@Args() deep: Deep): void {
      seen.push(deep);
    }
  }
  const sent = '{"inner": {"n":"42"}, "list":"[{\\"n\\":\\"7\\"}]"}';
  const result = await new AgentRunner({ model: scripted([callTool('take', sent), say('Done.')]) }).run(Takes, 'Go');
  expect(seen).toEqual([{ inner: { n: 42 }, list: [{ n: 7 }] }]);
  expect(result.messages[1]).toMatchObject({ calls: [{ arguments: sent }] });
  expect(result.toolCalls).toMatchObject([{ arguments: { inner: { n: 42 }, list: [{ n: 7 }] } }]);
});

test('D76: a near miss of a name is understood only where one tool can be meant', async () => {
  const run = scope([tool('a_b', () => 1), tool('c_d', () => 1), tool('c-d', () => 1)]);
  expect((await pass(call('a.b'), run)).record).toMatchObject({ name: 'a_b', outcome: 'ok' });
  expect((await pass(call('c.d'), run)).record.outcome).toBe('unknown');
});
