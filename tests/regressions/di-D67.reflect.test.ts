import 'reflect-metadata';
import { ContainerInstance, Inject, Service } from 'typedi';
import { containerOf } from '../../src/container/container-of';

interface IThing {
  readonly thing: string;
}
@Service()
class Inner {
  constructor(readonly t: IThing) {}
}
@Service()
class Outer {
  constructor(
    readonly inner: Inner,
    readonly n: string,
  ) {}
}

test('all parameters of all classes that nothing can fill are listed at once', () => {
  expect(() => containerOf().get(Outer)).toThrow(/1\. Inner\(t: \?\)[^]*2\. Outer\(inner: Inner, n: \?\)/);
});

test('a factory that gives null is legal, and closing does not fail on it', async () => {
  const typedi = new ContainerInstance('null');
  typedi.set({ id: 'nothing', factory: () => null });
  class Asker {
    declare nothing: unknown;
  }
  (Inject('nothing') as PropertyDecorator)(Asker.prototype, 'nothing');
  const container = containerOf(typedi);

  expect((container.get(Asker) as Asker).nothing).toBeNull();
  await container.fork([{ provide: 'other', useFactory: () => null }]).close!();
  await container.close();
});
