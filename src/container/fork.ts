import { types } from 'node:util';
import { WiringError } from '../errors/wiring-error';
import type { Blueprints } from './blueprint';
import { BuildingContainer, type BuildPath } from './building-container';
import { DEEPEST } from './check-wiring';
import { checkedOverrides } from './checked-overrides';
import type { AnyOverride, Container, ServiceToken } from './container';
import { isConstructor, tokenName, type ClassSupply, type Supply } from './supply';

/** A factory at work: the overrides it asked for, and all that it was lent. */
interface Order {
  readonly asked: Set<AnyOverride>;
  readonly lent: Set<unknown>;
}

/**
 * A container in which overrides hold: every class between what is asked for and an overridden token is built anew here, once,
 * and all else comes from the base, which never hears of it.
 *
 * Nothing is registered anywhere, so nothing needs undoing: a fork that is dropped is gone. A value or factory that the base was
 * given and that reaches an overridden token on its own is beyond its reach.
 */
export class ForkedContainer extends BuildingContainer {
  private readonly overrides: ReadonlyMap<unknown, AnyOverride>;
  private readonly replacements = new Map<AnyOverride, Supply>();
  private readonly affected = new WeakMap<object, boolean>();
  private readonly rebuilt = new WeakMap<object, ClassSupply>();
  /** Descriptions that mean an instance of this fork's, not of the base's. */
  private readonly mine = new WeakSet<Supply>();
  private readonly waiting = new Map<AnyOverride, Order>();
  private readonly products = new Map<AnyOverride, unknown>();

  /** @throws UsageError for an override that cannot be right */
  constructor(
    private readonly base: BuildingContainer,
    overrides: readonly AnyOverride[],
  ) {
    super();
    this.overrides = checkedOverrides(overrides);
  }

  describe(token: ServiceToken): Supply {
    const override = this.overrides.get(token);
    return override === undefined ? this.seen(this.base.describe(token)) : this.replacement(override);
  }

  describeAll(token: ServiceToken): readonly Supply[] {
    const override = this.overrides.get(token);
    return override === undefined ? this.base.describeAll(token).map((supply) => this.seen(supply)) : [this.replacement(override)];
  }

  override obtain(supply: Supply, token: ServiceToken, path: BuildPath | undefined): unknown {
    if (supply.kind === 'missing' || this.mine.has(supply)) return super.obtain(supply, token, path);
    return this.base.obtain(supply, token, path);
  }

  fork(overrides: readonly AnyOverride[]): Container {
    return new ForkedContainer(this, overrides);
  }

  get blueprints(): Blueprints {
    return this.base.blueprints;
  }

  private seen(supply: Supply): Supply {
    if (supply.kind !== 'class' || !this.isAffected(supply)) return supply;
    let rebuilt = this.rebuilt.get(supply.key);
    if (rebuilt === undefined) {
      const { read: _, ...description } = supply;
      this.rebuilt.set(supply.key, (rebuilt = description));
      this.mine.add(rebuilt);
    }
    return rebuilt;
  }

  private isAffected(supply: ClassSupply): boolean {
    let known = this.affected.get(supply.key);
    if (known === undefined) this.affected.set(supply.key, (known = this.reaches(supply, new Set(), 0)));
    return known;
  }

  private reaches(supply: ClassSupply, visited: Set<object>, depth: number): boolean {
    const known = this.affected.get(supply.key);
    if (known !== undefined || visited.has(supply.key) || depth > DEEPEST) return known ?? false;
    visited.add(supply.key);
    const { parameters, properties } = this.blueprint(supply.type);
    return [...parameters, ...properties.map((property) => property.source)].some((source) => {
      if (source.kind === 'custom') return source.reaches.some((token) => this.leadsToOverride(token, visited, depth + 1));
      return source.kind === 'token' && this.leadsToOverride(source.token, visited, depth + 1, source.optional);
    });
  }

  private leadsToOverride(token: ServiceToken, visited: Set<object>, depth: number, optional = false): boolean {
    if (this.overrides.has(token)) return true;
    return this.base
      .describeAll(token)
      .some((supply) => supply.kind === 'class' && (supply.registered || !optional) && this.reaches(supply, visited, depth));
  }

  private replacement(override: AnyOverride): Supply {
    let supply = this.replacements.get(override);
    if (supply === undefined) this.replacements.set(override, (supply = this.replace(override)));
    this.mine.add(supply);
    return supply;
  }

  private replace(override: AnyOverride): Supply {
    const { useClass, useFactory } = override;
    if (useFactory !== undefined) return { kind: 'given', read: () => this.produced(override, useFactory) };
    if (!isConstructor(useClass)) return { kind: 'given', read: () => override.useValue };
    const known = this.base.describe(useClass);
    return { kind: 'class', type: useClass, key: override, transient: known.kind === 'class' && known.transient, registered: true };
  }

  /** A factory runs once per fork; one that failed may be tried again. */
  private produced(override: AnyOverride, factory: (container: Container) => unknown): unknown {
    if (this.products.has(override)) return this.products.get(override);
    this.assertOpen();
    if (this.waiting.has(override)) throw this.circle([override, override]);
    const order: Order = { asked: new Set(), lent: new Set() };
    this.waiting.set(override, order);
    let pending = false;
    try {
      const value = factory(this.viewOf(override, order));
      this.products.set(override, value);
      pending = types.isPromise(value);
      if (types.isPromise(value)) {
        value.then(
          (service) => this.delivered(override, service, order),
          () => {
            this.products.delete(override);
            this.delivered(override, undefined, order);
          },
        );
        this.built.set(override, value);
      } else if (!order.lent.has(value)) this.built.set(override, value);
      return value;
    } finally {
      if (!pending) this.waiting.delete(override);
    }
  }

  /** What a factory only passed on belongs to whoever made it, and is not ours to dispose. */
  private delivered(override: AnyOverride, service: unknown, order: Order): void {
    this.waiting.delete(override);
    if (service === undefined || order.lent.has(service)) this.built.delete(override);
  }

  /**
   * What a factory works with: this fork, but its own token is the original, so that it can wrap it. Two factories that ask for
   * each other's service are told, since async ones would wait for ever.
   */
  private viewOf(override: AnyOverride, order: Order): Container {
    const lend = (service: unknown): unknown => {
      order.lent.add(service);
      if (types.isPromise(service)) service.then(lend, () => undefined);
      return service;
    };
    const get = (token: ServiceToken): unknown => {
      if (token === override.provide) return lend(this.base.get(token));
      const other = this.overrides.get(token);
      if (other !== undefined) {
        order.asked.add(other);
        const circle = this.waitingFor(other, override, []);
        if (circle !== undefined) throw this.circle([override, ...circle]);
      }
      return lend(this.get(token));
    };
    return { get, has: (token) => this.has(token), fork: (overrides) => this.fork(overrides) };
  }

  private waitingFor(from: AnyOverride, goal: AnyOverride, path: readonly AnyOverride[]): readonly AnyOverride[] | undefined {
    if (path.includes(from)) return undefined;
    const here = [...path, from];
    if (from === goal) return here;
    for (const next of this.waiting.get(from)?.asked ?? []) {
      const found = this.waitingFor(next, goal, here);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private circle(overrides: readonly AnyOverride[]): WiringError {
    const names = overrides.map((override) => tokenName(override.provide));
    return new WiringError(names[0]!, [
      {
        where: names.join(' -> '),
        what: 'the factories of these overrides need each other, so none can finish',
        fix: 'give one of them a value: `{ provide, useValue }`',
      },
    ]);
  }
}
