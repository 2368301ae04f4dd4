import { blueprintsOf, type Blueprints } from './blueprint';
import { BuildingContainer } from './building-container';
import type { AnyOverride, Container, ServiceToken } from './container';
import { ForkedContainer } from './fork';
import { unregistered, type ClassSupply, type Constructor, type Supply } from './supply';
import { isTypediClass, loadTypedi, typediIfInstalled, type ServiceRecord, type TypediClass, type TypediInstance } from './typedi-module';

interface Source {
  readonly instance: TypediInstance;
  /** typedi's default container, where the given one is a child of it; else the same. */
  readonly root: TypediInstance;
  readonly blueprints: Blueprints;
}

/**
 * typedi 0.10 behind the port: its registrations, values, factories and lifetimes, with classes built by checked reflection.
 *
 * A `@Service()` is kept in typedi, where all the program sees the same instance. A class that nobody registered (an agent, a
 * toolset, a hook) is built because it was asked for, kept here, and disposed by `close()`; where a service of typedi's
 * takes one, it moves to typedi with it, since it must live as long. No child container is ever made.
 */
export class TypediContainer extends BuildingContainer {
  private loaded: Source | undefined;
  private empty: unknown;
  private fresh: ClassSupply[] = [];

  /** @param given typedi's `Container` or one of its instances; its default container, loaded at first need, when absent */
  constructor(private readonly given?: TypediClass | TypediInstance) {
    super();
  }

  describe(token: ServiceToken): Supply {
    const record = this.record(token);
    return record === undefined ? unregistered(token) : this.supplyOf(record);
  }

  describeAll(token: ServiceToken): readonly Supply[] {
    const first = this.record(token);
    if (first === undefined) return [unregistered(token)];
    if (!first.multiple) return [this.supplyOf(first)];
    const { instance, root } = this.source;
    const own = instance.services.filter((record) => record.id === token);
    return (own.length > 0 ? own : root.services.filter((record) => record.id === token)).map((record) => this.supplyOf(record));
  }

  fork(overrides: readonly AnyOverride[]): Container {
    return new ForkedContainer(this, overrides);
  }

  get blueprints(): Blueprints {
    return this.source.blueprints;
  }

  protected override keep(supply: ClassSupply, instance: unknown): void {
    if (!supply.registered) return super.keep(supply, instance);
    const record = supply.key as ServiceRecord;
    this.empty = record.value;
    record.value = instance;
    this.fresh.push(supply);
  }

  protected override forget(supply: ClassSupply): void {
    if (supply.registered) (supply.key as ServiceRecord).value = this.empty;
    else super.forget(supply);
  }

  protected override settled(): void {
    for (const supply of this.fresh) this.handOver(supply.type, new Set());
    this.fresh = [];
  }

  /** What a service of typedi's was given must not end with this adapter. */
  private handOver(consumer: Function, visited: Set<Function>): void {
    if (visited.has(consumer) || this.built.isEmpty) return;
    visited.add(consumer);
    const { parameters, properties } = this.blueprint(consumer);
    for (const source of [...parameters, ...properties.map((property) => property.source)]) {
      if (source.kind !== 'token' || typeof source.token !== 'function') continue;
      const supply = this.describe(source.token);
      if (supply.kind !== 'class' || supply.registered) continue;
      const { type } = supply;
      if (this.built.has(type)) {
        this.source.instance.set({ id: type, type, value: this.built.get(type) });
        this.built.delete(type);
      }
      this.handOver(type, visited);
    }
  }

  private supplyOf(record: ServiceRecord): Supply {
    const type = record.type as Constructor | null;
    const exists = !isEmpty(record.value);
    // A value that the class did not make was put there on purpose, and stays whatever is overridden around it.
    if (exists && (type === null || !isMadeBy(record.value, type))) return { kind: 'given', read: () => record.value };
    if (!exists && record.factory !== undefined) return { kind: 'given', read: () => this.source.instance.getServiceValue(record) };
    if (type === null) return { kind: 'missing' };
    const supply: ClassSupply = { kind: 'class', type, key: record, transient: record.transient, registered: true };
    return exists && !record.transient ? { ...supply, read: () => record.value } : supply;
  }

  private record(token: ServiceToken): ServiceRecord | undefined {
    const { instance, root } = this.source;
    const own = instance.services.find((record) => record.id === token);
    if (instance === root) return own;
    const shared = root.services.find((record) => record.id === token);
    if (shared === undefined || shared.global) return shared ?? own;
    if (own !== undefined) return own;
    // typedi's child forgets values of the default container, and builds the real class where a stand-in was set.
    if (!isEmpty(shared.value) && (shared.type === null || !isMadeBy(shared.value, shared.type))) return shared;
    const { value: _, ...registration } = shared;
    instance.set({ ...registration, eager: false });
    return instance.services.find((record) => record.id === token);
  }

  private get source(): Source {
    return (this.loaded ??= this.load());
  }

  private load(): Source {
    if (this.given === undefined || isTypediClass(this.given)) {
      const container = this.given ?? loadTypedi().Container;
      const instance = container.of();
      return { instance, root: instance, blueprints: blueprintsOf(container.handlers) };
    }
    const module = typediIfInstalled();
    // An instance of another copy of typedi has a default container that nobody can reach from here.
    const same = module !== undefined && this.given instanceof (module.ContainerInstance as Constructor);
    return { instance: this.given, root: same ? module.Container.of() : this.given, blueprints: blueprintsOf(module?.Container.handlers) };
  }
}

/** typedi marks "not built yet" with a symbol that it does not export. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'symbol' && value.description === 'EMPTY_VALUE';
}

function isMadeBy(value: unknown, type: Function): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === type.prototype;
}
