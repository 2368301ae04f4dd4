import { append } from '../../src/metadata/facts';
import { disposeAll, hasEnd } from '../../src/container/dispose';
import { isToolwrightError } from '../../src/errors/toolwright-error';

test('one way of ending is used, the standard one first', async () => {
  const ended: string[] = [];
  const end = (name: string) => () => void ended.push(name);
  await disposeAll([
    { [Symbol.asyncDispose]: end('async'), [Symbol.dispose]: end('no'), destroy: end('no'), dispose: end('no') },
    { [Symbol.dispose]: end('sync'), destroy: end('no') },
    { destroy: end('destroy'), dispose: end('no') },
    { dispose: end('dispose') },
    { close: end('no'), destroy: 'not a function' },
  ]);
  expect(ended).toEqual(['async', 'sync', 'destroy', 'dispose']);
});

test('one that throws, rejects or hangs keeps none from its end; all are named in one error', async () => {
  const ended: string[] = [];
  class Thrower {
    destroy(): void {
      throw new Error('thrown');
    }
  }
  class Rejecter {
    async dispose(): Promise<void> {
      throw null;
    }
  }
  class Hanger {
    destroy(): Promise<void> {
      return new Promise(() => undefined);
    }
  }
  const failure: unknown = await disposeAll([new Thrower(), new Rejecter(), new Hanger(), { destroy: () => ended.push('last') }], 1).catch(
    (error: unknown) => error,
  );
  expect(ended).toEqual(['last']);
  expect(isToolwrightError(failure)).toBe(true);
  expect(failure).toMatchObject({ code: 'DISPOSAL', details: { services: ['Thrower', 'Rejecter', 'Hanger'] } });
  expect((failure as Error).message).toMatch(
    /3 of the services[^]*Thrower: thrown[^]*Rejecter: null[^]*Hanger: it did not end within 1 ms/,
  );
  expect(((failure as Error).cause as AggregateError).errors).toHaveLength(3);
});

test('a tool named destroy is for the model to call, and is not run when the process ends', async () => {
  let ran = false;
  class Servers {
    destroy(): void {
      ran = true;
    }
  }
  append(Servers, 'tools', { method: 'destroy', options: {} });
  class Special extends Servers {}
  class Shows {
    dispose(): void {
      ran = true;
    }
  }
  append(Shows, 'previews', { tool: 'destroy', method: 'dispose' });
  await disposeAll([new Servers(), new Special(), new Shows()]);

  expect(ran).toBe(false);
});

test('whatever stands in the list does no harm', async () => {
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('hands off');
      },
    },
  );
  const thenable = new Proxy({}, { get: () => () => undefined });
  await disposeAll([null, undefined, 1, 'text', Object.create(null), thenable, Promise.reject(new Error('never came'))]);

  await expect(disposeAll([hostile])).rejects.toThrow(/a service: hands off/);
});

test('one that does not tell what it has is taken to have an end', () => {
  const has = (): never => {
    throw new Error('hands off');
  };
  expect([hasEnd(new Proxy({}, { has })), hasEnd({ destroy: true }), hasEnd({ close: true }), hasEnd('text')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
