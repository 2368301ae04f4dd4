/** A class as the token of a service; abstract ones too. */
// `any` is what makes every class a token: constructor parameters are checked contravariantly.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ClassToken<T = unknown> = abstract new (...args: any[]) => T;

/** What a service is asked for by: a class, a token object of the container in use, or a name. */
export type ServiceToken = ClassToken | object | string;

/**
 * What the framework needs of a dependency injection container.
 *
 * `get` may return a promise: it is awaited where an agent's own services are fetched. `fork` gives a container in which
 * the overrides hold for everything that is built in it, and which shares all else with this one.
 */
export interface Container {
  get<T>(token: ClassToken<T>): T | Promise<T>;
  get(token: ServiceToken): unknown;
  has(token: ServiceToken): boolean;
  fork?(overrides: readonly AnyOverride[]): Container;
  /**
   * Checks everything that the tokens need, and builds nothing: all faults of an agent and its toolsets in one error.
   * @throws WiringError
   */
  check?(tokens: readonly ServiceToken[], subject?: string): void;
  /** Disposes what this container built itself. */
  close?(): Promise<void>;
}

/** One replaced service, after its types were checked. */
export interface AnyOverride {
  readonly provide: ServiceToken;
  readonly useValue?: unknown;
  readonly useClass?: ClassToken;
  readonly useFactory?: (container: Container) => unknown;
}
