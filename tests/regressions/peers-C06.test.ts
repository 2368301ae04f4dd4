import 'reflect-metadata';
import { Service } from 'typedi';
import { containerOf } from '../../src/container/container-of';
import { WiringError } from '../../src/errors/wiring-error';

test('a service without constructor metadata is refused; typedi would pass itself for its first argument', () => {
  let built = false;
  class Svc {
    constructor(readonly svc: object) {
      built = true;
    }
  }
  (Service() as ClassDecorator)(Svc);

  expect(() => containerOf().get(Svc)).toThrow(WiringError);
  expect(() => containerOf().get(Svc)).toThrow(/Svc\(svc: \?\)[^]*emitDecoratorMetadata/);
  expect(built).toBe(false);
});
