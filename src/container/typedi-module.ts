import { UsageError } from '../errors/usage-error';
import type { ServiceToken } from './container';

/** What `@Inject` and custom decorators leave with typedi 0.10: who asks, where, and a function that fetches the value. */
export interface InjectHandler {
  /** The class for a constructor's parameter, its prototype for a property. */
  readonly object: object;
  readonly propertyName?: string | symbol;
  /** A parameter's position; on an accessor, its descriptor. */
  readonly index?: number | PropertyDescriptor;
  readonly value: (container: HandlerContainer) => unknown;
}

/** The part of typedi's container that handlers use. */
export interface HandlerContainer {
  get(token: ServiceToken): unknown;
  getMany(token: ServiceToken): unknown[];
  has(token: ServiceToken): boolean;
}

/** One entry of a typedi container. */
export interface ServiceRecord {
  readonly id: unknown;
  readonly type: Function | null;
  readonly factory: unknown;
  readonly global: boolean;
  readonly multiple: boolean;
  readonly transient: boolean;
  value: unknown;
}

/** A `ContainerInstance` of typedi 0.10. Its entries are private to its types, not to its users' questions. */
export interface TypediInstance {
  readonly services: readonly ServiceRecord[];
  get(token: unknown): unknown;
  has(token: unknown): boolean;
  set(record: { readonly id: unknown; readonly [option: string]: unknown }): unknown;
  getServiceValue(record: ServiceRecord): unknown;
}

/** typedi's static `Container`. */
export interface TypediClass {
  readonly handlers: readonly InjectHandler[];
  of(): TypediInstance;
}

interface TypediModule {
  readonly Container: TypediClass;
  readonly ContainerInstance: Function;
}

/** Loads typedi at first need. @throws UsageError where it is not installed. */
export function loadTypedi(): TypediModule {
  try {
    // Not at the head of the file: who brings another container need not pay for this one.
    return require('typedi') as TypediModule;
  } catch (error) {
    throw new UsageError(
      'The default container needs the package typedi, which cannot be loaded. Write `npm install typedi reflect-metadata`, ' +
        'or pass your own container: `new AgentRunner({ container: { get, has } })`.',
      { cause: error },
    );
  }
}

/** As `loadTypedi`, where typedi is welcome but not needed. */
export function typediIfInstalled(): TypediModule | undefined {
  try {
    return loadTypedi();
  } catch {
    return undefined;
  }
}

/** Whether a value is typedi's `Container` class, of any copy. */
export function isTypediClass(value: unknown): value is TypediClass {
  return typeof value === 'function' && has(value, 'of', 'get', 'set', 'has') && Array.isArray((value as { handlers?: unknown }).handlers);
}

/** Whether a value is one of typedi's container instances, of any copy. */
export function isTypediInstance(value: unknown): value is TypediInstance {
  return (
    typeof value === 'object' &&
    value !== null &&
    has(value, 'get', 'set', 'has', 'getServiceValue') &&
    Array.isArray((value as { services?: unknown }).services)
  );
}

function has(value: object, ...methods: readonly string[]): boolean {
  return methods.every((method) => typeof (value as { readonly [name: string]: unknown })[method] === 'function');
}
