import 'reflect-metadata';
import { Container, Inject, Service } from 'typedi';
import { containerOf } from '../../src/container/container-of';

class Late {}

@Service()
class A {
  constructor(@Inject(() => B) readonly b: Late) {}
}
@Service()
class B {
  constructor(readonly a: A) {}
}

test('19: a circle of constructors is printed, not run into', () => {
  expect(() => containerOf().get(A)).toThrow('A -> B -> A');
});

test("22: a subclass's parameter is its own, not what its base's parameter was given", () => {
  Container.set('parent', 'parent');
  Container.set('child', 'child');
  @Service()
  class Parent {
    constructor(@Inject('parent') readonly value: string) {}
  }
  @Service()
  class Child extends Parent {
    constructor(@Inject('child') value: string) {
      super(value);
    }
  }
  expect((containerOf().get(Child) as Child).value).toBe('child');
  expect((containerOf().get(Parent) as Parent).value).toBe('parent');
});
