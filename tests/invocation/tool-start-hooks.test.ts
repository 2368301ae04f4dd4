import { runBatch } from '../../src/invocation/gate';
import type { ToolHooks } from '../../src/invocation/hooks';
import { call, pass, scope, textOf, tool } from './scope';

const setting = (hooks: ToolHooks[], over = {}) => {
  const ran: unknown[] = [];
  const act = tool('act', (args) => void ran.push(args), { requiresApproval: true, ...over });
  return { ran, within: scope([act], { hooks, approver: () => ({ edit: { n: 2 } }) }) };
};

describe('onToolStart', () => {
  it('is told when all is decided, with the arguments that are run, once for all attempts', async () => {
    const seen: unknown[] = [];
    const { within } = setting([{ onToolStart: ({ arguments: args }) => void seen.push(args) }]);
    await pass(call('act', { n: 1 }), within);
    expect(seen).toEqual([{ n: 2 }]);
    const attempts = jest.fn(() => {
      throw new Error('no');
    });
    const flaky = scope([tool('act', attempts, { retries: 2 })], { hooks: [{ onToolStart: () => void seen.push('again') }] });
    await pass(call('act'), flaky);
    expect(attempts).toHaveBeenCalledTimes(3);
    expect(seen).toEqual([{ n: 2 }, 'again']);
  });

  it('is not told of calls that are refused', async () => {
    const onToolStart = jest.fn();
    const { within } = setting([{ onToolStart, beforeTool: () => ({ deny: 'no' }) }]);
    await pass(call('act'), within);
    await pass(call('unknown'), within);
    expect(onToolStart).not.toHaveBeenCalled();
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('disk full'))],
  ])('refuses the call when it %s', async (_, onToolStart) => {
    const { ran, within } = setting([{ onToolStart }]);
    const result = await pass(call('act', { n: 1 }), within);
    expect(result.record).toMatchObject({ outcome: 'denied', reason: 'hook', attempts: 0 });
    expect(textOf(result)).not.toContain('disk full');
    expect(within.events.find((event) => event.type === 'tool.end')).toMatchObject({ error: { message: 'disk full' } });
    expect(ran).toEqual([]);
  });

  it('is waited for no longer than the run lasts', async () => {
    const controller = new AbortController();
    const { ran } = setting([]);
    const act = tool('act', (args) => void ran.push(args));
    const within = scope([act], { signal: controller.signal, hooks: [{ onToolStart: () => new Promise(() => undefined) }] });
    const result = pass(call('act'), within);
    setImmediate(() => controller.abort(new Error('enough')));
    expect((await result).record.outcome).toBe('aborted');
    expect(ran).toEqual([]);
  });

  it('cannot change the arguments', async () => {
    const { ran, within } = setting([{ onToolStart: (view: any) => void (view.arguments.n = 99) }]);
    await pass(call('act', { n: 1 }), within);
    expect(ran).toEqual([{ n: 2 }]);
  });

  it('is told of calls side by side as well', async () => {
    const seen: unknown[] = [];
    const within = scope([tool('act', async () => 1)], { hooks: [{ onToolStart: ({ id }) => void seen.push(id) }] });
    const calls = [call('act', {}, { index: 0 }), call('act', {}, { index: 1 })];
    await runBatch(calls, within, { parallel: true, maxConcurrency: 2 });
    expect(seen).toEqual(calls.map(({ id }) => id));
  });
});
