import 'reflect-metadata';
import { Container, Service } from 'typedi';
import { containerOf } from '../../src/container/container-of';

@Service()
class Base {}

test('scopes are freed, and what they built is ended once, last built first, also after a failure', async () => {
  const { instances } = Container as unknown as { readonly instances: readonly unknown[] };
  const open = new Set<object>();
  const order: string[] = [];
  class Timer {
    constructor(readonly base: unknown) {
      open.add(this);
    }
    destroy(): void {
      open.delete(this);
      order.push('timer');
    }
  }
  class Poller {
    constructor(readonly timer: Timer) {
      open.add(this);
    }
    async dispose(): Promise<void> {
      open.delete(this);
      order.push('poller');
      throw new Error('already gone');
    }
  }
  Reflect.defineMetadata('design:paramtypes', [Base], Timer);
  Reflect.defineMetadata('design:paramtypes', [Timer], Poller);
  for (let run = 0; run < 100; run++) {
    const scope = containerOf().fork([{ provide: Base, useValue: run }]);
    scope.get(Poller);
    await expect(scope.close!()).rejects.toThrow('Poller: already gone');
  }
  expect(open.size).toBe(0);
  expect(order.slice(0, 2)).toEqual(['poller', 'timer']);
  expect(order).toHaveLength(200);
  expect(instances).toHaveLength(0);
});
