import { blueprintsOf, type Blueprints } from './blueprint';
import { BuildingContainer } from './building-container';
import type { AnyOverride, Container, ServiceToken } from './container';
import { ForkedContainer } from './fork';
import { isConstructor, unregistered, type Supply } from './supply';
import { typediIfInstalled } from './typedi-module';

/**
 * Any container with `get` and `has`: what it has, it gives; a class that it does not have is built here, from its reflected
 * constructor, and disposed by `close()`.
 */
export class PortContainer extends BuildingContainer {
  private drafts: Blueprints | undefined;

  /** @param owned whether `close()` closes the container behind the port too: a fork that was made for this one */
  constructor(
    private readonly port: Container,
    private readonly owned = false,
  ) {
    super();
  }

  describe(token: ServiceToken): Supply {
    if (!this.port.has(token)) return unregistered(token);
    const read = (): unknown => this.port.get(token);
    // A fork has no other way to see what a class of the port's needs than the class itself.
    return isConstructor(token)
      ? { kind: 'class', type: token, key: token, transient: false, registered: true, read }
      : { kind: 'given', read };
  }

  describeAll(token: ServiceToken): readonly Supply[] {
    return [this.describe(token)];
  }

  fork(overrides: readonly AnyOverride[]): Container {
    return this.port.fork === undefined ? new ForkedContainer(this, overrides) : new PortContainer(this.port.fork(overrides), true);
  }

  override async close(): Promise<void> {
    try {
      await super.close();
    } finally {
      if (this.owned) await this.port.close?.();
    }
  }

  get blueprints(): Blueprints {
    return (this.drafts ??= blueprintsOf(typediIfInstalled()?.Container.handlers));
  }
}
