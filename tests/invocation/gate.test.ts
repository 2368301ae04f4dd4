import { executeCall, prepareCall, settleWithoutRunning } from '../../src/invocation/gate';
import { call, pass, scope, textOf, tool } from './scope';

describe('the gate', () => {
  it('passes a plain call from name to result, with one event for each thing that happened', async () => {
    const run = scope([tool('add', ({ a, b }) => a + b)]);
    const result = await pass(call('add', { a: 1, b: 2 }), run);
    expect(result.message).toMatchObject({
      role: 'tool',
      name: 'add',
      outcome: 'ok',
      trust: 'trusted',
      parts: [{ type: 'text', text: '3' }],
    });
    expect(result.record).toMatchObject({ arguments: { a: 1, b: 2 }, outcome: 'ok', attempts: 1, turn: 1 });
    expect(result).toMatchObject({ executed: true, repair: false, direct: false, operations: [] });
    expect(run.story()).toEqual(['tool.request', 'tool.start 1', 'tool.end ok']);
  });

  it('prepares at once where nobody is to be asked', () => {
    const prepared = prepareCall(call('add', { a: 1 }), scope([tool('add', () => 1)]));
    expect(prepared).not.toBeInstanceOf(Promise);
    expect(prepared).toMatchObject({ kind: 'ready', args: { a: 1 } });
  });

  it('gives a call that is kept from running its one result and its one end', async () => {
    const ran = jest.fn();
    const run = scope([tool('add', ran)]);
    const result = await settleWithoutRunning(call('add'), 'denied', 'limit', 'Not run: the limit is reached.', run);
    expect(result.record).toMatchObject({ outcome: 'denied', reason: 'limit', attempts: 0, name: 'add' });
    expect(textOf(result)).toBe('Not run: the limit is reached.');
    expect(run.story()).toEqual(['tool.request', 'tool.end denied limit']);
    expect(ran).not.toHaveBeenCalled();
  });

  it('gives returnDirect only to a good result', async () => {
    const good = tool('good', () => 'x', { returnDirect: true });
    const bad = tool(
      'bad',
      () => {
        throw new Error('no');
      },
      { returnDirect: true },
    );
    const run = scope([good, bad]);
    expect((await pass(call('good'), run)).direct).toBe(true);
    expect((await pass(call('bad'), run)).direct).toBe(false);
  });

  it('refuses a call of a run that is aborted already, without looking at it', async () => {
    const ran = jest.fn();
    const run = scope([tool('a', ran)], { signal: AbortSignal.abort() });
    const result = await pass(call('a'), run);
    expect(result.record.outcome).toBe('aborted');
    expect(textOf(result)).toContain('not run');
    expect(ran).not.toHaveBeenCalled();
  });

  it('does not enter the method when the run aborts between preparing and executing', async () => {
    const ran = jest.fn();
    const controller = new AbortController();
    const run = scope([tool('a', ran)], { signal: controller.signal });
    const ready = await prepareCall(call('a'), run);
    controller.abort();
    if (ready.kind !== 'ready') throw new Error('not ready');
    expect(await executeCall(ready, run)).toMatchObject({ outcome: 'aborted', attempts: 0 });
    expect(ran).not.toHaveBeenCalled();
  });
});
