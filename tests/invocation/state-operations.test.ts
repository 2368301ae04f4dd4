import { applyOperations } from '../../src/invocation/state-operations';
import type { StateOperation } from '../../src/types/state-operation';

const after = (state: Record<string, unknown>, ...operations: StateOperation[]) => applyOperations(state, operations);

describe('a change of the state', () => {
  it.each<[string, Record<string, unknown>, StateOperation, unknown]>([
    ['sets, making what is on the way', {}, { op: 'set', path: 'a.b', value: 1 }, { a: { b: 1 } }],
    ['sets null as null', { a: 1 }, { op: 'set', path: 'a', value: null }, { a: null }],
    ['sets a path with dots in its keys', {}, { op: 'set', path: ['a.b', 'c'], value: 1 }, { 'a.b': { c: 1 } }],
    ['sets an item', { xs: [1, 2] }, { op: 'set', path: 'xs.1', value: 9 }, { xs: [1, 9] }],
    ['sets the item after the last', { xs: [1] }, { op: 'set', path: ['xs', 1], value: 2 }, { xs: [1, 2] }],
    ['sets the whole', { a: 1 }, { op: 'set', path: '', value: { b: 2 } }, { b: 2 }],
    [
      'merges deeply, replacing lists',
      { a: { b: { c: 1 }, xs: [1] } },
      { op: 'merge', path: 'a', value: { b: { d: 2 }, xs: [] } },
      { a: { b: { c: 1, d: 2 }, xs: [] } },
    ],
    ['merges into the whole', { a: 1 }, { op: 'merge', path: [], value: { b: 2 } }, { a: 1, b: 2 }],
    ['merges into nothing', {}, { op: 'merge', path: 'a', value: { b: 2 } }, { a: { b: 2 } }],
    ['appends', { xs: [1] }, { op: 'append', path: 'xs', value: 2 }, { xs: [1, 2] }],
    ['appends to nothing', {}, { op: 'append', path: 'xs', value: 2 }, { xs: [2] }],
    ['deletes', { a: 1, b: 2 }, { op: 'delete', path: 'a' }, { b: 2 }],
    ['deletes an item', { xs: [1, 2, 3] }, { op: 'delete', path: 'xs.0' }, { xs: [2, 3] }],
    ['deletes nothing, making nothing', {}, { op: 'delete', path: 'a.b.c' }, {}],
    [
      'merges an item by key',
      { xs: [{ id: 1, a: 1 }, { id: 2 }] },
      { op: 'mergeItem', path: 'xs', key: 'id', id: 1, value: { a: 5 } },
      { xs: [{ id: 1, a: 5 }, { id: 2 }] },
    ],
    ['adds the item that is not there', {}, { op: 'mergeItem', path: 'xs', key: 'id', id: 1, value: { a: 5 } }, { xs: [{ id: 1, a: 5 }] }],
    ['removes an item by key', { xs: [{ id: 1 }, { id: 2 }] }, { op: 'removeItem', path: 'xs', key: 'id', id: 1 }, { xs: [{ id: 2 }] }],
    ['removes nothing', {}, { op: 'removeItem', path: 'xs', key: 'id', id: 1 }, {}],
  ])('%s', (_, state, operation, expected) => {
    expect(after(state, operation)).toEqual({ state: expected, warnings: [] });
  });

  it('keeps both of two appends and of two changes of items', () => {
    const { state } = after(
      {},
      { op: 'append', path: 'log', value: 'a' },
      { op: 'append', path: 'log', value: 'b' },
      { op: 'mergeItem', path: 'xs', key: 'id', id: 1, value: { a: 1 } },
      { op: 'mergeItem', path: 'xs', key: 'id', id: 1, value: { b: 2 } },
    );
    expect(state).toEqual({ log: ['a', 'b'], xs: [{ id: 1, a: 1, b: 2 }] });
  });

  it('leaves the state before as it was, shares what it does not touch, and takes a copy of the value', () => {
    const before = Object.freeze({ a: Object.freeze({ b: 1 }), c: Object.freeze({}) });
    const value = { list: [1] };
    const { state } = after(before, { op: 'set', path: 'a.d', value });
    value.list.push(2);
    expect(before).toEqual({ a: { b: 1 }, c: {} });
    expect(state['c']).toBe(before.c);
    expect(state).toEqual({ a: { b: 1, d: { list: [1] } }, c: {} });
    expect(Object.isFrozen((state as any).a.d.list)).toBe(true);
  });

  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  let deep: unknown = 1;
  for (let depth = 0; depth < 50_000; depth++) deep = [deep];

  it.each<[string, any]>([
    ['append to no list', { op: 'append', path: 'a', value: 1 }],
    ['merge into no object', { op: 'merge', path: 'a', value: {} }],
    ['go through a number', { op: 'set', path: 'a.b', value: 1 }],
    ['skip items', { op: 'set', path: 'xs.5', value: 1 }],
    ['use a name for an item', { op: 'set', path: 'xs.first', value: 1 }],
    ['delete the whole', { op: 'delete', path: '' }],
    ['make the whole a list', { op: 'set', path: '', value: [] }],
    ['reach a prototype', { op: 'set', path: '__proto__.admin', value: true }],
    ['reach a prototype by list', { op: 'set', path: ['a', 'constructor', 'prototype'], value: true }],
    ['bring a prototype', { op: 'merge', path: 'o', value: JSON.parse('{"__proto__":{"admin":true}}') }],
    ['use a prototype as an item’s key', { op: 'mergeItem', path: 'ys', key: '__proto__', id: 1, value: {} }],
    ['hold a function', { op: 'set', path: 'b', value: () => 1 }],
    ['hold a date', { op: 'set', path: 'b', value: { at: new Date() } }],
    ['hold a big integer', { op: 'set', path: 'b', value: 1n }],
    ['hold no number', { op: 'set', path: 'b', value: NaN }],
    ['hold a cycle', { op: 'set', path: 'b', value: cycle }],
    ['nest without end', { op: 'set', path: 'b', value: deep }],
    ['have no path', { op: 'set', value: 1 }],
    ['be unknown', { op: 'explode', path: 'a' }],
    ['be nothing', null],
    [
      'throw when they are read',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('x');
          },
        },
      ),
    ],
  ])('that would %s is left out with a warning, and the next is applied', (_, operation) => {
    const state = { a: 1, xs: [1], o: {} };
    const applied = after(state, operation, { op: 'set', path: 'ok', value: true });
    expect(applied.state).toEqual({ ...state, ok: true });
    expect(applied.warnings).toHaveLength(1);
    expect(({} as any).admin).toBeUndefined();
  });
});
