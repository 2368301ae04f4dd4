import { lineage, ownFacts } from '../metadata/facts';

/**
 * The classes whose facts count for a class, bases first.
 *
 * Beside the constructors' own chain, the one of their prototypes is walked: a class decorator may have put a function in
 * front that shares the prototype of the class it wraps but does not extend it.
 */
export function classChain(cls: Function): readonly Function[] {
  const chain: Function[] = [];
  const seen = new Set<unknown>();
  const add = (found: Function): void => {
    const facts = ownFacts(found);
    const isNew = !seen.has(found) && !(hasFacts(found) && seen.has(facts));
    seen.add(found).add(facts);
    if (isNew) chain.push(found);
  };
  for (const found of constructorsOf(prototypeOf(cls))) add(found);
  for (const found of lineage(cls)) add(found);
  return chain;
}

// Classes without facts share one empty record, so only real facts tell that a proxy and its class are the same.
const hasFacts = (cls: Function): boolean => {
  const facts = ownFacts(cls);
  return (
    facts.tools.length + facts.parameters.length + facts.fields.length + facts.previews.length > 0 ||
    facts.agent !== undefined ||
    facts.toolset !== undefined
  );
};

/** The class that an instance comes from: by its prototype, since an own property may hide `constructor`. */
export function classOf(instance: object): Function | undefined {
  return constructorsOf(Object.getPrototypeOf(instance)).at(-1);
}

/** A class's name for people and messages: the nearest one in its chain that has any. */
export function className(cls: Function): string {
  for (let at: unknown = cls; typeof at === 'function' && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    const name: unknown = at.name;
    if (typeof name === 'string' && name !== '') return name;
  }
  const behind = constructorsOf(prototypeOf(cls)).at(-1);
  return behind === undefined || behind === cls || behind.name === '' ? 'an anonymous class' : behind.name;
}

/** A method as it stands on a class or on one of its bases; accessors are not called. */
export function methodOf(cls: Function, name: string): Function | undefined {
  for (let at: unknown = prototypeOf(cls); typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name);
    if (descriptor !== undefined) return typeof descriptor.value === 'function' ? (descriptor.value as Function) : undefined;
  }
  return undefined;
}

/** Whether a function is a class, as opposed to a factory or another plain function. */
export function isClass(value: unknown): value is abstract new (...args: never[]) => object {
  if (typeof value !== 'function') return false;
  const prototype = prototypeOf(value);
  if (prototype === undefined) return false;
  return (
    /^class\b/.test(Function.prototype.toString.call(value)) ||
    Object.getOwnPropertyNames(prototype).length > 1 ||
    Object.getPrototypeOf(prototype) !== Object.prototype ||
    hasFacts(value)
  );
}

function prototypeOf(cls: Function): object | undefined {
  const prototype: unknown = cls.prototype;
  return typeof prototype === 'object' && prototype !== null ? prototype : undefined;
}

function constructorsOf(prototype: unknown): Function[] {
  const found: Function[] = [];
  for (let at = prototype; typeof at === 'object' && at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    const own: unknown = Object.getOwnPropertyDescriptor(at, 'constructor')?.value;
    if (typeof own === 'function') found.unshift(own);
  }
  return found;
}
