import 'reflect-metadata';
import { Container, ContainerInstance, Service, Token } from 'typedi';
import { containerOf } from '../../src/container/container-of';

@Service()
class Dep {
  readonly name: string = 'real';
}

test('23: adapters, requests and forks make no child container', () => {
  const { instances } = Container as unknown as { readonly instances: readonly unknown[] };
  for (let run = 0; run < 100; run++)
    void containerOf()
      .fork([{ provide: Dep, useValue: run }])
      .get(Dep);

  expect(instances).toHaveLength(0);
});

test("26: what was set on the default container is what a child's agent gets", () => {
  const TOKEN = new Token<string>('TOKEN');
  Container.set(TOKEN, 'set');
  Container.set(Dep, { name: 'mock' });
  class Tool {
    constructor(readonly dep: Dep) {}
  }
  Reflect.defineMetadata('design:paramtypes', [Dep], Tool);
  const container = containerOf(new ContainerInstance('child'));

  expect((container.get(Tool) as Tool).dep.name).toBe('mock');
  expect(container.get(TOKEN)).toBe('set');
});

test('27: a transient class is new for each request, through a child too', () => {
  @Service({ transient: true })
  class Tool {}
  for (const container of [containerOf(), containerOf(new ContainerInstance('child')), containerOf().fork([])])
    expect(container.get(Tool)).not.toBe(container.get(Tool));
});
