import 'reflect-metadata';
import { Container, ContainerInstance, Inject, Service, Token } from 'typedi';
import { AgentConfig } from '../../src/decorators/agent-config';
import { Agent } from '../../src/agent/agent';
import { containerOf } from '../../src/container/container-of';
import { WiringError } from '../../src/errors/wiring-error';

const decorated = (_: unknown): void => undefined;

interface Thing {
  readonly thing: true;
}

@Service()
class Clock {}

/** The faults that asking for a class gives, as text; '' when there are none. */
function faultsOf(type: new (...args: never[]) => object): string {
  try {
    containerOf().check([type]);
    return '';
  } catch (error) {
    if (!WiringError.is(error)) throw error;
    return error.message;
  }
}

test('an interface and a primitive are named with the constructor, and reported together', () => {
  @decorated
  class Asker {
    constructor(
      readonly clock: Clock,
      readonly thing: Thing,
      readonly name: string,
    ) {}
  }
  const faults = faultsOf(Asker);

  expect(faults).toContain('Asker cannot be built.');
  expect(faults).toContain('1. Asker(clock: Clock, thing: ?, name: ?): parameter #1 `thing`: its type was erased to Object');
  expect(faults).toContain('2. Asker(clock: Clock, thing: ?, name: ?): parameter #2 `name`: its type is String');
  expect(faults).toContain("@Inject('name')");
});

test('faults of all classes of the graph come at once, with the chain that needs them', () => {
  @Service()
  class Http {
    constructor(readonly port: number) {}
  }
  @Service()
  class Lookup {
    constructor(
      readonly http: Http,
      @Inject('region') readonly region: string,
    ) {}
  }
  @decorated
  class Finder {
    constructor(
      readonly lookup: Lookup,
      readonly when: Date,
    ) {}
  }
  const faults = faultsOf(Finder);

  expect(faults).toContain(
    'Http(port: ?): parameter #0 `port`: its type is Number, which names no service. Needed by Finder -> Lookup -> Http',
  );
  expect(faults).toContain(
    "Lookup(http: Http, region: ?): parameter #1 `region`: the container has nothing under 'region'. Needed by Finder -> Lookup",
  );
  expect(faults).toContain('Finder(lookup: Lookup, when: ?): parameter #1 `when`: Date is a class of the language');
});

test('nothing is built before the whole graph is known to be right', () => {
  let built = 0;
  @Service()
  class Eager {
    constructor() {
      built++;
    }
  }
  @decorated
  class Asker {
    constructor(
      readonly eager: Eager,
      readonly thing: Thing,
    ) {}
  }
  expect(() => containerOf().get(Asker)).toThrow(WiringError);
  expect(built).toBe(0);
});

test('constructors in a circle are printed as a path', () => {
  class Late {}
  @Service()
  class A {
    constructor(@Inject(() => B) readonly b: Late) {}
  }
  @Service()
  class B {
    constructor(readonly a: A) {}
  }
  @decorated
  class Asker {
    constructor(readonly b: B) {}
  }
  const faults = faultsOf(Asker);

  expect(faults).toContain('B -> A -> B: each needs the next in its constructor');
  expect(faults).toContain('@Inject(() => B) b!: B');
});

test('a circle of constructors is found also where a property leads into it first', () => {
  class Late {}
  @Service()
  class Side {
    @Inject(() => B) b!: Late;
  }
  @Service()
  class A {
    constructor(
      readonly side: Side,
      @Inject(() => B) readonly b: Late,
    ) {}
  }
  @Service()
  class B {
    constructor(readonly a: A) {}
  }
  expect(faultsOf(A)).toMatch(/A -> B -> A|B -> A -> B/);
});

test('transient classes in a circle of properties would never end', () => {
  @Service({ transient: true })
  class One {
    @Inject(() => Two) two!: object;
  }
  @Service({ transient: true })
  class Two {
    @Inject(() => One) one!: One;
  }
  expect(faultsOf(Two)).toContain('all of them are transient');
});

test('transient classes in a circle of constructors are one fault', () => {
  class Late {}
  @Service({ transient: true })
  class One {
    constructor(@Inject(() => Two) readonly two: Late) {}
  }
  @Service({ transient: true })
  class Two {
    constructor(readonly one: One) {}
  }
  expect(faultsOf(Two)).toMatch(/1\. [^]*each needs the next/);
  expect(faultsOf(Two)).not.toContain('2. ');
});

describe('classes that are made as they are asked for, without end', () => {
  const DEEP = 'in a container of its own';

  test('are a fault', () => {
    const next = (): new () => object => {
      class Next {}
      (Inject(next) as PropertyDecorator)(Next.prototype, 'inner');
      return Next;
    };
    expect(faultsOf(next())).toContain('its services need each other more than 500 levels deep');
    const fork = containerOf().fork([{ provide: Clock, useValue: {} }]);
    expect(() => fork.get(next())).toThrow(/more than 500 levels deep/);
  });

  test('are a fault also where a decorator of the user fetches them, which is not seen before', () => {
    const next = (): new () => object => {
      class Next {}
      const value = (container: ContainerInstance): unknown => (container.has(DEEP) ? container.get(next()) : undefined);
      Container.registerHandler({ object: Next.prototype as never, propertyName: 'inner', value: value as never });
      return Next;
    };
    const typedi = new ContainerInstance(DEEP);
    typedi.set(DEEP, true);
    expect(() => containerOf(typedi).get(next())).toThrow(/while it was being built, something that it needs asked for it again/);
  });
});

test('an import cycle is recognised by its type being undefined', () => {
  class Asker {
    constructor(
      readonly clock: Clock,
      readonly other: object,
    ) {}
  }
  Reflect.defineMetadata('design:paramtypes', [Clock, undefined], Asker);

  expect(faultsOf(Asker)).toContain(
    'Asker(clock: Clock, other: ?): parameter #1 `other`: its type was undefined when the class was declared',
  );
});

describe('a class without metadata', () => {
  class Plain {
    constructor(
      readonly clock: Clock,
      readonly second: Clock,
    ) {}
  }

  test('is told about decorators and the compiler', () => {
    expect(faultsOf(Plain)).toContain('Plain(clock: ?, second: ?): parameter #0 `clock`: nothing says what its constructor needs');
    expect(faultsOf(Plain)).toContain('constructor(@Inject(() => Dep) clock: Dep)');
  });

  test('whose agent decorator proves that the compiler is at fault, is told so', () => {
    class Weather extends Agent {
      constructor(readonly clock: Clock) {
        super();
      }
    }
    // As a call, as esbuild emits decorators: without metadata.
    AgentConfig({ instructions: 'x' })(Weather);

    expect(faultsOf(Weather)).toContain('"emitDecoratorMetadata" is off, or esbuild or tsx compiled it');
  });

  test('works when everything is explicit', () => {
    class Explicit {
      declare readonly extra: Clock;
      constructor(readonly clock: Clock) {}
    }
    (Inject(() => Clock) as ParameterDecorator)(Explicit, undefined, 0);
    (Inject(() => Clock) as PropertyDecorator)(Explicit.prototype, 'extra');
    const explicit = containerOf().get(Explicit) as Explicit;

    expect(explicit.clock).toBe(Container.get(Clock));
    expect(explicit.extra).toBe(explicit.clock);
  });

  test('works as a service of typedi too, which would inject itself', () => {
    class Explicit {
      constructor(readonly clock: Clock) {}
    }
    (Inject(() => Clock) as ParameterDecorator)(Explicit, undefined, 0);
    (Service() as ClassDecorator)(Explicit);

    expect((containerOf().get(Explicit) as Explicit).clock).toBe(Container.get(Clock));
  });
});

describe('an undecorated base', () => {
  abstract class Base {
    constructor(readonly clock: Clock) {}
  }

  test('is an error: typedi would hand it the container itself', () => {
    @Service()
    class Derived extends Base {}
    const faults = faultsOf(Derived);

    expect(faults).toContain('Derived(clock: ?): parameter #0 `clock`: the constructor is that of the base `Base`');
    expect(faults).toContain('put `@Service()` on `Base`');
  });

  test('is an error also where the compiler writes a constructor for a field', () => {
    @Service()
    class Derived extends Base {
      readonly field = 1;
    }
    expect(faultsOf(Derived)).toContain('the constructor is that of the base `Base`');
  });

  test('is none of our business where the subclass has a constructor of its own', () => {
    class Fixed extends Base {
      constructor() {
        super(new Clock());
      }
    }
    @decorated
    class AlsoFixed extends Base {
      constructor() {
        super(new Clock());
      }
    }
    expect(faultsOf(Fixed)).toBe('');
    expect(faultsOf(AlsoFixed)).toBe('');
  });

  test('of the language or in the old style takes nothing', () => {
    const { EventEmitter } = require('node:events') as typeof import('node:events');
    @Service()
    class Bus extends EventEmitter {}
    @Service()
    class Failure extends Error {}

    expect(containerOf().get(Bus)).toBeInstanceOf(Bus);
    expect(containerOf().get(Failure)).toMatchObject({ message: '' });
  });
});

test("a subclass with a constructor of its own does not get what its base's parameters were given", () => {
  Container.set('base', 'for the base');
  @decorated
  class Base {
    constructor(@Inject('base') readonly first: unknown) {}
  }
  @decorated
  class Derived extends Base {
    constructor(readonly clock: Clock) {
      super('own');
    }
  }
  expect((containerOf().get(Derived) as Derived).clock).toBe(Container.get(Clock));
  Container.remove('base');
});

describe('what @Inject was given', () => {
  test('a class instead of a function that gives it', () => {
    class Asker {
      constructor(readonly clock: Clock) {}
    }
    (Inject(Clock as never) as ParameterDecorator)(Asker, undefined, 0);
    expect(faultsOf(Asker)).toContain('`@Inject` was given a class, and needs a function');
  });

  test('a function that gives nothing', () => {
    class Asker {
      declare clock: Clock;
    }
    (Inject(() => undefined as never) as PropertyDecorator)(Asker.prototype, 'clock');
    expect(faultsOf(Asker)).toContain('Asker.clock: property `clock`: the function given to `@Inject` gives no class');
  });

  test('a token that nobody set', () => {
    const TOKEN = new Token<string>('REGION');
    @decorated
    class Asker {
      constructor(@Inject(TOKEN) readonly region: string) {}
    }
    expect(faultsOf(Asker)).toContain('the container has nothing under Token<REGION>');
  });

  test('a decorator that throws, or that is async, does no harm while it is only looked at', async () => {
    class Asker {
      declare one: unknown;
      declare two: unknown;
    }
    Container.registerHandler({ object: Asker.prototype as never, propertyName: 'one', value: () => JSON.parse('{') as unknown });
    Container.registerHandler({ object: Asker.prototype as never, propertyName: 'two', value: async (c) => c.get(Clock) });

    expect(faultsOf(Asker)).toBe('');
    expect(() => containerOf().get(Asker)).toThrow(/Asker -> one: the decorator on property `one` threw/);
    await new Promise((resolve) => setImmediate(resolve));
  });
});

test('a class that nobody registered and no decorator announces is not built for a constructor: it may be abstract', () => {
  abstract class Store {
    abstract read(): string;
  }
  @decorated
  class Asker {
    constructor(readonly store: Store) {}
  }
  expect(faultsOf(Asker)).toContain('the class Store is not registered in the container');
});

test('what exists already is not checked: it needs nothing any more', () => {
  class Odd {
    constructor(readonly name: string) {}
  }
  const typedi = new ContainerInstance('odd');
  typedi.set(Odd, new Odd('x'));
  @decorated
  class Asker {
    constructor(readonly odd: Odd) {}
  }
  expect((containerOf(typedi).get(Asker) as Asker).odd.name).toBe('x');
});

test('several classes are checked together, under one name', () => {
  @decorated
  class One {
    constructor(readonly name: string) {}
  }
  @decorated
  class Two {
    constructor(readonly name: string) {}
  }
  const attempt = (): void => containerOf().check([One, Two, 'lost'], 'Weather');

  expect(attempt).toThrow(/^Weather cannot be built\.\n {2}1\. One\(name: \?\)[^]*2\. Two\(name: \?\)[^]*3\. 'lost'/);
});

test('a checked graph is not checked again', () => {
  let probed = 0;
  class Asker {
    declare one: unknown;
  }
  Container.registerHandler({ object: Asker.prototype as never, propertyName: 'one', value: () => ++probed });
  const container = containerOf();
  void container.get(Asker);
  void container.get(Asker);
  container.check([Asker]);

  expect(probed).toBe(2);
});
