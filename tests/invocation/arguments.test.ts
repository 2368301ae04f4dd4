import { tallied } from '../../src/invocation/tool-tally';
import type { Contract } from '../../src/schema/contract';
import { contractOf } from '../schema/contracts';
import { anything, call, pass, scope, textOf, tool } from './scope';

const refusing: Contract = { ...anything, decode: () => ({ ok: false, faults: [{ path: 'city', expected: 'a string', got: 'nothing' }] }) };

describe('arguments', () => {
  it('that do not fit are told by path, are not run, and spend a repair', async () => {
    const ran = jest.fn();
    const run = scope([tool('weather', ran, { contract: refusing })]);
    const result = await pass(call('weather', { days: 3 }), run);
    expect(result).toMatchObject({ repair: true, executed: false, record: { outcome: 'invalid', arguments: { days: 3 } } });
    expect(textOf(result)).toContain('city: expected a string, got nothing');
    expect(textOf(result)).toContain('2 attempts are left');
    expect(ran).not.toHaveBeenCalled();
  });

  it.each([
    ['unknown keys', Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${'k'.repeat(40)}${at}`, at]))],
    ['a text that breaks', `{"city": ${'x'.repeat(10_000)}`],
    ['long values', { city: { deep: ['x'.repeat(10_000)] }, [`long${'y'.repeat(10_000)}`]: 'z' }],
  ])('that are wrong in many places are told in 2 000 characters: %s', async (_, args) => {
    const name = 't'.repeat(64);
    const result = await pass(call(name, args), scope([tool(name, jest.fn(), { contract: contractOf({ city: { type: String } }) })]));
    expect(result.record.outcome).toBe('invalid');
    expect(textOf(result).length).toBeLessThanOrEqual(2_000);
    expect(textOf(result)).toMatch(/2 attempts are left\.$/);
  });

  it('that cannot be read stay in the record as the model wrote them', async () => {
    const result = await pass(call('weather', '{"city":'), scope([tool('weather', jest.fn())]));
    expect(result.record).toMatchObject({ outcome: 'invalid', arguments: '{"city":' });
    expect(textOf(result)).toContain('JSON');
  });

  it('that were wrong three times close the tool for the rest of the run', async () => {
    let tally = { repairs: 0, executions: 0 };
    const run = scope([tool('weather', jest.fn(), { contract: refusing })], { tally: () => tally });
    const outcomes: string[] = [];
    for (let round = 0; round < 5; round++) {
      const result = await pass(call('weather'), run);
      tally = tallied(tally, result);
      outcomes.push(`${result.record.outcome} ${result.record.reason ?? ''}`.trim());
    }
    expect(outcomes).toEqual(['invalid', 'invalid', 'invalid', 'denied repairs', 'denied repairs']);
  });

  it('that are right win the repairs back', async () => {
    const result = await pass(call('weather'), scope([tool('weather', () => 1)]));
    expect(tallied({ repairs: 2, executions: 0 }, result)).toEqual({ repairs: 0, executions: 1 });
  });

  it('of a validator that throws or rejects are refused, not a crash', async () => {
    const throwing: Contract = {
      ...anything,
      decode: () => {
        throw new TypeError('secret inside');
      },
    };
    const rejecting: Contract = { ...anything, decode: () => Promise.reject(new Error('later')) };
    for (const contract of [throwing, rejecting])
      expect((await pass(call('t'), scope([tool('t', jest.fn(), { contract })]))).record.outcome).toBe('invalid');
    const run = scope([tool('t', jest.fn(), { contract: throwing })]);
    expect(textOf(await pass(call('t'), run))).not.toContain('secret inside');
    expect(run.events).toContainEqual(
      expect.objectContaining({ type: 'tool.end', error: expect.objectContaining({ message: 'secret inside' }) }),
    );
    const exposed = await pass(call('t'), scope([tool('t', jest.fn(), { contract: throwing })], { exposeErrors: true }));
    expect(textOf(exposed)).toContain('secret inside');
  });

  it('of a validator that never answers are waited for no longer than a call may take, and only until an abort', async () => {
    const silent: Contract = { ...anything, decode: () => new Promise(() => undefined) };
    const late = await pass(call('t'), scope([tool('t', jest.fn(), { contract: silent })], { ceiling: 5 }));
    expect(late.record.outcome).toBe('invalid');
    const controller = new AbortController();
    const run = scope([tool('t', jest.fn(), { contract: silent })], { signal: controller.signal });
    const waiting = pass(call('t'), run);
    controller.abort(new Error('enough'));
    expect((await waiting).record.outcome).toBe('aborted');
  });

  it('of an asynchronous validator are waited for', async () => {
    const contract: Contract = { ...anything, decode: async () => ({ ok: true, value: { a: 2 } }) };
    const result = await pass(call('t', { a: 1 }), scope([tool('t', (args) => args.a, { contract })]));
    expect(textOf(result)).toBe('2');
  });

  it('that the method changes stay in the record as they were', async () => {
    const run = scope([
      tool('t', (args) => {
        args.list.push('mine');
        return 'x';
      }),
    ]);
    expect((await pass(call('t', { list: [1] }), run)).record.arguments).toEqual({ list: [1] });
  });
});
