import { types } from 'node:util';
import { errorText } from '../errors/error-facts';
import { UsageError } from '../errors/usage-error';
import { WiringError } from '../errors/wiring-error';
import type { Blueprint, Blueprints, Source } from './blueprint';
import { blueprintNames } from './blueprint-names';
import { BuiltServices } from './built-services';
import { checkGraph, DEEPEST, isRegistered, missing, registration, type ServiceGraph } from './check-wiring';
import type { AnyOverride, ClassToken, Container, ServiceToken } from './container';
import { disposeAll } from './dispose';
import { tokenName, type ClassSupply, type Supply } from './supply';

/** What is being built, and for whom. */
export interface BuildPath {
  readonly supply: ClassSupply;
  readonly from: BuildPath | undefined;
  readonly depth: number;
}

/** Says within a build that a service is wanted which is itself under construction. */
class UnderConstruction {
  constructor(readonly name: string) {}
}

/**
 * A container that builds classes itself, by their checked blueprints: what the adapters and the forks share. Subclasses say
 * how a token is answered (`describe`) and where a new instance is kept (`keep`).
 */
export abstract class BuildingContainer implements Container, ServiceGraph {
  /** What this container built and owns. */
  protected readonly built = new BuiltServices();
  private readonly checked = new WeakSet<object>();
  private readonly perRequest = new WeakMap<Function, boolean>();
  private readonly constructing = new Set<object>();
  private postponed: (() => void)[] = [];
  /** What was kept since the outermost request began. */
  private readonly kept = new Set<ClassSupply>();
  private path: BuildPath | undefined;
  private depth = 0;
  private closing: Promise<void> | undefined;

  abstract readonly blueprints: Blueprints;

  /** How the token is answered; builds nothing. */
  abstract describe(token: ServiceToken): Supply;
  /** As `describe`, for a token under which several services are registered. */
  abstract describeAll(token: ServiceToken): readonly Supply[];
  abstract fork(overrides: readonly AnyOverride[]): Container;

  get<T>(token: ClassToken<T>): T | Promise<T>;
  get(token: ServiceToken): unknown;
  get(token: ServiceToken): unknown {
    return this.obtain(this.describe(token), token, this.path);
  }

  /** All services registered under one token; typedi's `multiple`. */
  getMany(token: ServiceToken): unknown[] {
    return this.describeAll(token).map((supply) => this.obtain(supply, token, this.path));
  }

  /** Whether somebody named the token to this container. A class that it would build unasked does not count. */
  has(token: ServiceToken): boolean {
    return isRegistered(this.describe(token));
  }

  /** Checks whole graphs and builds nothing. @throws WiringError with all their faults */
  check(tokens: readonly ServiceToken[], subject?: string): void {
    for (const key of checkGraph(this, tokens, subject)) this.checked.add(key);
  }

  close(): Promise<void> {
    this.closing ??= disposeAll(this.built.end());
    return this.closing;
  }

  supply(token: ServiceToken): Supply {
    return this.withLifetime(this.describe(token));
  }

  supplies(token: ServiceToken): readonly Supply[] {
    return this.describeAll(token).map((supply) => this.withLifetime(supply));
  }

  blueprint(type: Function): Blueprint {
    return this.blueprints.of(type);
  }

  /** The service that a description of this container means; `path` is who asks. */
  obtain(supply: Supply, token: ServiceToken, path: BuildPath | undefined): unknown {
    if (supply.kind === 'missing') throw this.nothing(token, path);
    const read = supply.read;
    if (read !== undefined) return this.reading(read, token, path);
    const described = supply as ClassSupply;
    if (!described.transient && this.built.has(described.key)) return this.built.get(described.key);
    this.assertOpen();
    if (!this.checked.has(described.key)) this.check([token]);
    return this.session(() => this.construct(this.withLifetime(described) as ClassSupply, path));
  }

  /** Where an instance goes that is to be kept. */
  protected keep(supply: ClassSupply, instance: unknown): void {
    this.built.set(supply.key, instance);
  }

  protected forget(supply: ClassSupply): void {
    this.built.delete(supply.key);
  }

  /** Called when everything that one request needed is built. */
  protected settled(): void {}

  protected assertOpen(): void {
    if (this.closing !== undefined)
      throw new UsageError(
        'This container is closed: what it built has been disposed. Make a new runner instead of using one after `close()`.',
      );
  }

  /** Calls what is not ours, and says for whom it failed. */
  protected reading(read: () => unknown, token: ServiceToken, path: BuildPath | undefined): unknown {
    const before = this.path;
    this.path = path;
    try {
      return read();
    } catch (error) {
      throw this.failed(error, [...chainOf(path), tokenName(token)], 'the container or its factory threw', token);
    } finally {
      this.path = before;
    }
  }

  /** A class that nobody registered and that needs something transient is itself made for each request. */
  private withLifetime(supply: Supply): Supply {
    if (supply.kind !== 'class' || supply.registered || supply.transient || !this.needsTransient(supply.type, new Set(), 0)) return supply;
    return { ...supply, transient: true };
  }

  private needsTransient(type: Function, under: Set<Function>, depth: number): boolean {
    const known = this.perRequest.get(type);
    if (known !== undefined) return known;
    if (under.has(type) || depth > DEEPEST) return false;
    under.add(type);
    const { parameters, properties } = this.blueprint(type);
    const found = [...parameters, ...properties.map((property) => property.source)].some((source) => {
      if (source.kind !== 'token' || source.many) return false;
      const supply = this.describe(source.token);
      if (supply.kind !== 'class' || supply.read !== undefined || (source.optional && !supply.registered)) return false;
      return supply.transient || (!supply.registered && this.needsTransient(supply.type, under, depth + 1));
    });
    // Half a circle's answer may be incomplete; only the outermost question's is kept, and every yes.
    if (found || under.values().next().value === type) this.perRequest.set(type, found);
    return found;
  }

  /** Everything that one outermost request builds; properties that had to wait are set at its end. */
  private session(build: () => unknown): unknown {
    this.depth++;
    try {
      const instance = build();
      while (this.depth === 1 && this.postponed.length > 0) this.postponed.shift()!();
      return instance;
    } catch (error) {
      if (error instanceof UnderConstruction && this.depth === 1) throw this.circular(error.name);
      throw error;
    } finally {
      if (--this.depth === 0) {
        this.postponed = [];
        this.kept.clear();
        this.settled();
      }
    }
  }

  private construct(supply: ClassSupply, from: BuildPath | undefined): unknown {
    const { type, key, transient } = supply;
    // A signal between builders, never seen by a caller.
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    if (!transient && this.constructing.has(key)) throw new UnderConstruction(type.name);
    const path: BuildPath = { supply, from, depth: (from?.depth ?? 0) + 1 };
    if (path.depth > DEEPEST) throw this.circular(type.name);
    const blueprint = this.blueprint(type);
    this.constructing.add(key);
    let instance: unknown;
    try {
      const values = blueprint.parameters.map((source, index) => this.value(blueprint, source, index, path));
      // A default or a rest parameter at the end must not see an argument at all.
      while (values.length > 0 && values.at(-1) === undefined) values.pop();
      instance = this.make(type, values, path);
    } finally {
      this.constructing.delete(key);
    }
    if (!transient) {
      this.keep(supply, instance);
      this.kept.add(supply);
    }
    try {
      for (const { name, source } of blueprint.properties) this.inject(instance, blueprint, name, source, path);
    } catch (error) {
      if (!transient) this.forget(supply);
      throw error;
    }
    return instance;
  }

  private make(type: ClassSupply['type'], values: readonly unknown[], path: BuildPath): unknown {
    const before = this.path;
    this.path = path;
    try {
      return new type(...values);
    } catch (error) {
      throw this.failed(error, chainOf(path), 'its constructor threw', type);
    } finally {
      this.path = before;
    }
  }

  private inject(instance: unknown, blueprint: Blueprint, name: string | symbol, source: Source, path: BuildPath): void {
    let value: unknown;
    try {
      value = this.value(blueprint, source, name, path);
    } catch (error) {
      if (!(error instanceof UnderConstruction)) throw error;
      // It is there once the classes above it are built.
      this.postponed.push(() => {
        try {
          this.inject(instance, blueprint, name, source, path);
        } catch (failure) {
          // Those above it were given it, and would go on with half of it.
          for (let at: BuildPath | undefined = path; at !== undefined; at = at.from) if (this.kept.has(at.supply)) this.forget(at.supply);
          throw failure;
        }
      });
      return;
    }
    try {
      (instance as { [name: string | symbol]: unknown })[name] = value;
    } catch (error) {
      throw this.failed(error, [...chainOf(path), String(name)], 'the property could not be set');
    }
  }

  private value(blueprint: Blueprint, source: Source, at: number | string | symbol, path: BuildPath): unknown {
    if (source.kind === 'default') return undefined;
    if (source.kind === 'fault') throw this.fault(blueprint, at, source.what, source.fix, path);
    const value = source.kind === 'custom' ? this.decorated(blueprint, source.read, at, path) : this.service(source, path);
    if (!types.isPromise(value)) return value;
    // Nobody will wait for it any more.
    value.catch(() => undefined);
    const what = `${source.kind === 'token' ? tokenName(source.token) : 'its decorator'} gives a promise, and nothing can wait for it here`;
    const name = source.kind === 'token' && typeof source.token === 'string' ? source.token : 'TOKEN';
    throw this.fault(
      blueprint,
      at,
      what,
      `wait before the run: \`Container.set(${name === 'TOKEN' ? name : `'${name}'`}, await create())\``,
      path,
    );
  }

  private service(source: Extract<Source, { kind: 'token' }>, path: BuildPath): unknown {
    const { token, read } = source;
    if (source.optional && !isRegistered(this.describe(token))) return undefined;
    if (read !== undefined) return this.reading(() => read(this), token, path);
    return this.obtain(this.describe(token), token, path);
  }

  private decorated(blueprint: Blueprint, read: (container: this) => unknown, at: number | string | symbol, path: BuildPath): unknown {
    const before = this.path;
    this.path = path;
    try {
      return read(this);
    } catch (error) {
      const place = typeof at === 'number' ? `#${at}` : String(at);
      throw this.failed(error, [...chainOf(path), place], `the decorator on ${blueprintNames(blueprint, at).position} threw`);
    } finally {
      this.path = before;
    }
  }

  private nothing(token: ServiceToken, path: BuildPath | undefined): WiringError {
    const where = [...chainOf(path), tokenName(token)];
    return new WiringError(where[0]!, [{ where: where.join(' -> '), what: missing(token), fix: registration(token) }]);
  }

  private fault(blueprint: Blueprint, at: number | string | symbol, what: string, fix: string, path: BuildPath): WiringError {
    const { place, position } = blueprintNames(blueprint, at);
    const chain = chainOf(path);
    const needed = chain.length > 1 ? `. Needed by ${chain.join(' -> ')}` : '';
    return new WiringError(chain[0]!, [{ where: place, what: `${position}: ${what}${needed}`, fix }]);
  }

  private circular(name: string): WiringError {
    return new WiringError(name, [
      {
        where: `${name} -> ... -> ${name}`,
        what: 'while it was being built, something that it needs asked for it again',
        fix: `inject it as a property of what asks: \`@Inject(() => ${name})\``,
      },
    ]);
  }

  private failed(error: unknown, chain: readonly string[], what: string, provide?: ServiceToken): unknown {
    if (WiringError.is(error) || error instanceof UnderConstruction) return error;
    const token = typeof provide === 'object' ? 'TOKEN' : tokenName(provide);
    const instead =
      provide === undefined ? '' : `; in a test, put something in its place: \`withOverrides([{ provide: ${token}, useValue: ... }])\``;
    const fault = {
      where: chain.join(' -> '),
      what: `${what}: ${errorText(error)}`,
      fix: `see \`cause\` of this error${instead}`,
    };
    return new WiringError(chain[0]!, [fault], { cause: error });
  }
}

/** From what was asked for to what is being built. */
function chainOf(path: BuildPath | undefined): string[] {
  const names: string[] = [];
  for (let at = path; at !== undefined; at = at.from) names.unshift(at.supply.type.name);
  return names;
}
