import 'reflect-metadata';
import { Container, Service } from 'typedi';
import { containerOf } from '../../src/container/container-of';

@Service()
class Real {
  readonly name: string = 'real';
}
@Service()
class User {
  constructor(readonly r: Real) {}
}

test('an override holds for a consumer that was built before, and only inside', () => {
  const before = Container.get(User);
  const fork = containerOf().fork([{ provide: Real, useValue: { name: 'mock' } }]);

  expect((fork.get(User) as User).r.name).toBe('mock');
  expect((containerOf().get(User) as User).r.name).toBe('real');
  expect(Container.get(User)).toBe(before);
});
