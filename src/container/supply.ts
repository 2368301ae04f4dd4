import { classBehind } from '../metadata/facts';
import type { ServiceToken } from './container';

/** A class that can be built; its arguments come from the container. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- constructor parameters are checked contravariantly
export type Constructor = new (...args: any[]) => object;

/** How a container answers a token. A description only: nothing is built by asking for it. */
export type Supply =
  /** Nothing is known of it. */
  | { readonly kind: 'missing' }
  /** A value, or what a factory or somebody else's container gives. */
  | { readonly kind: 'given'; readonly read: () => unknown }
  | ClassSupply;

/** An instance of a class. */
export interface ClassSupply {
  readonly kind: 'class';
  readonly type: Constructor;
  /** What its one instance is kept under. */
  readonly key: object;
  /** A new one each time. */
  readonly transient: boolean;
  /** Whether somebody named it to the container; else it is built because it was asked for. */
  readonly registered: boolean;
  /** Where it exists already, or where its own container builds it. */
  readonly read?: () => unknown;
}

const constructors = new WeakMap<Function, boolean>();
const unknown = new WeakMap<Function, ClassSupply>();

/** Whether a value can be called with `new`: no arrow function, no method, and no class of the language, which is data. */
export function isConstructor(value: unknown): value is Constructor {
  if (typeof value !== 'function') return false;
  let known = constructors.get(value);
  if (known === undefined) {
    known = typeof value.prototype === 'object' && value.prototype !== null && !isNative(value);
    constructors.set(value, known);
  }
  return known;
}

/** `Date`, `Map`, `String` and their like, and bound functions. */
export function isNative(value: Function): boolean {
  return /\{\s*\[native code\]\s*\}\s*$/.test(Function.prototype.toString.call(classBehind(value)).slice(-40));
}

/** What nobody registered: a class can still be built. */
export function unregistered(token: ServiceToken): Supply {
  if (!isConstructor(token)) return MISSING;
  let supply = unknown.get(token);
  if (supply === undefined) {
    supply = { kind: 'class', type: token, key: token, transient: false, registered: false };
    unknown.set(token, supply);
  }
  return supply;
}

const MISSING: Supply = { kind: 'missing' };

/** A token as people write it. */
export function tokenName(token: unknown): string {
  if (typeof token === 'string') return `'${token}'`;
  if (typeof token === 'function') return token.name === '' ? '(anonymous class)' : token.name;
  if (typeof token === 'symbol') return token.toString();
  if (typeof token !== 'object' || token === null) return String(token);
  const name: unknown = (token as { name?: unknown }).name;
  return typeof name === 'string' && name !== '' ? `Token<${name}>` : 'a token without a name';
}
