import { types } from 'node:util';
import { hasEnd } from './dispose';

/**
 * What a container built, by what it was asked for. Services that have to be ended are held until then; all others only as long as
 * their class is there, so that a class made for one request goes with it.
 */
export class BuiltServices {
  private services = new WeakMap<object, unknown>();
  /** Those to be ended, in order of construction. */
  private readonly held = new Map<object, unknown>();
  private any = false;

  get isEmpty(): boolean {
    return !this.any;
  }

  has(key: object): boolean {
    return this.services.has(key);
  }

  get(key: object): unknown {
    return this.services.get(key);
  }

  set(key: object, service: unknown): void {
    this.any = true;
    this.services.set(key, service);
    if (types.isPromise(service) || hasEnd(service)) this.held.set(key, service);
  }

  delete(key: object): void {
    this.services.delete(key);
    this.held.delete(key);
  }

  /** Lets go of all. @returns those to be ended, consumers first */
  end(): unknown[] {
    const ending = [...this.held.values()].reverse();
    this.held.clear();
    this.services = new WeakMap();
    this.any = false;
    return ending;
  }
}
