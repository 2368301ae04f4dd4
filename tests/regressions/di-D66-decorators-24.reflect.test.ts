import 'reflect-metadata';
import { Container, Service } from 'typedi';
import { containerOf } from '../../src/container/container-of';

@Service({ transient: true })
class Draft {}
@Service({ global: true })
class Audit {}
class Writer {
  constructor(
    readonly draft: Draft,
    readonly audit: Audit,
  ) {}
}
Reflect.defineMetadata('design:paramtypes', [Draft, Audit], Writer);

test("no container is made per run, so no shared service can capture what is one run's: runs share it, and carry their own in deps", () => {
  const { instances } = Container as unknown as { readonly instances: readonly unknown[] };
  const container = containerOf();
  const [alice, bob] = [container.get(Writer) as Writer, container.get(Writer) as Writer];

  expect(alice.audit).toBe(bob.audit);
  expect(alice.draft).not.toBe(bob.draft);
  expect(instances).toHaveLength(0);
});
