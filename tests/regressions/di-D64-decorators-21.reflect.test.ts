import 'reflect-metadata';
import { Service } from 'typedi';
import { containerOf } from '../../src/container/container-of';

@Service()
class Dep {}
abstract class AB {
  constructor(readonly d: Dep) {}
}
@Service()
class RT extends AB {}

test('a subclass of an undecorated base is refused; its base never gets the container for a dependency', () => {
  expect(() => containerOf().get(RT)).toThrow(/RT\(d: \?\)[^]*the constructor is that of the base `AB`[^]*put `@Service\(\)` on `AB`/);
});
