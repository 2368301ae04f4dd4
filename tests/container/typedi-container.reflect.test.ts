import 'reflect-metadata';
import { Container, ContainerInstance, Inject, InjectMany, Service, Token } from 'typedi';
import { containerOf } from '../../src/container/container-of';
import { WiringError } from '../../src/errors/wiring-error';
import { Agent } from '../../src/agent/agent';

/** Any decorator makes the compiler write down what the constructor takes. */
const decorated = (_: unknown): void => undefined;

@Service()
class Clock {
  readonly startedAt = 1;
}

@Service()
class Forecasts {
  constructor(readonly clock: Clock) {}
}

@decorated
class Weather extends Agent {
  constructor(readonly forecasts: Forecasts) {
    super();
  }
}

afterEach(() => Container.reset());

describe('a class that nobody registered', () => {
  test('is built when it is asked for, with the services of the container', () => {
    const weather = containerOf().get(Weather) as Weather;

    expect(weather).toBeInstanceOf(Weather);
    expect(weather.forecasts).toBe(Container.get(Forecasts));
    expect(weather.forecasts.clock).toBe(Container.get(Clock));
  });

  test('is built once per adapter, and leaves nothing in the container', () => {
    const container = containerOf();

    expect(container.get(Weather)).toBe(container.get(Weather));
    expect(containerOf().get(Weather)).not.toBe(container.get(Weather));
    expect(Container.has(Weather)).toBe(false);
    expect(container.has(Weather)).toBe(false);
  });

  test('may be a dependency where a decorator stands on it', () => {
    @decorated
    class Cache {
      constructor(readonly clock: Clock) {}
    }
    @decorated
    class Asker {
      constructor(readonly cache: Cache) {}
    }
    expect((containerOf().get(Asker) as Asker).cache.clock).toBe(Container.get(Clock));
  });

  test('moves to the container with the service that was given it, since it must live as long', async () => {
    const ended: string[] = [];
    @decorated
    class Pool {
      constructor(readonly clock: Clock) {}
      destroy(): void {
        ended.push('pool');
      }
    }
    @Service()
    class Database {
      constructor(readonly pool: Pool) {}
    }
    @decorated
    class Reader {
      constructor(
        readonly pool: Pool,
        readonly database: Database,
      ) {}
    }
    const container = containerOf();
    const reader = container.get(Reader) as Reader;

    expect(reader.database.pool).toBe(reader.pool);
    expect(Container.get(Database)).toBe(reader.database);
    expect(Container.get(Pool)).toBe(reader.pool);
    await container.close();
    expect(ended).toEqual([]);
    Container.remove([Pool, Database]);
  });

  test('takes the constructor of its decorated base', () => {
    class Special extends Weather {}
    @decorated
    class MoreSpecial extends Weather {
      readonly field = 1;
    }
    expect((containerOf().get(Special) as Special).forecasts).toBe(Container.get(Forecasts));
    expect((containerOf().get(MoreSpecial) as MoreSpecial).forecasts).toBe(Container.get(Forecasts));
  });

  test('a mixin hands its base what the base needs', () => {
    function Audited<B extends new (...args: any[]) => object>(Base: B) {
      @decorated
      class AuditedClass extends Base {
        readonly audited = true;

        constructor(...args: any[]) {
          super(...args);
        }
      }
      return AuditedClass;
    }
    class Mixed extends Audited(Weather) {}
    const mixed = containerOf().get(Mixed) as Mixed;

    expect(mixed.forecasts).toBe(Container.get(Forecasts));
    expect(mixed.audited).toBe(true);
  });
});

describe('lifetimes', () => {
  test('a service is the same for two agents, for two adapters and for the program', () => {
    @decorated
    class Other {
      constructor(readonly forecasts: Forecasts) {}
    }
    const container = containerOf();
    const [one, two] = [container.get(Weather) as Weather, container.get(Other) as Other];

    expect(one.forecasts).toBe(two.forecasts);
    expect((containerOf(Container).get(Other) as Other).forecasts).toBe(one.forecasts);
    expect(Container.get(Forecasts)).toBe(one.forecasts);
  });

  test('a transient service is new for each class that takes it, and for each request', () => {
    @Service({ transient: true })
    class Draft {}
    @Service()
    class Keeper {
      constructor(readonly draft: Draft) {}
    }
    const container = containerOf();

    expect(container.get(Draft)).not.toBe(container.get(Draft));
    expect((container.get(Keeper) as Keeper).draft).toBe((container.get(Keeper) as Keeper).draft);
  });

  test('an agent that takes something transient is itself new each time, so that a run has its own', () => {
    @Service({ transient: true })
    class Draft {}
    @decorated
    class Box {
      constructor(readonly draft: Draft) {}
    }
    @decorated
    class Writer {
      constructor(
        readonly box: Box,
        readonly clock: Clock,
      ) {}
    }
    const container = containerOf();
    const [one, two] = [container.get(Writer) as Writer, container.get(Writer) as Writer];

    expect(one.box.draft).not.toBe(two.box.draft);
    expect(one.clock).toBe(two.clock);
    expect(() => container.check([Writer])).not.toThrow();
  });

  test('close ends what the adapter built, last first, and never a service of the container', async () => {
    const ended: string[] = [];
    @Service()
    class Shared {
      destroy(): void {
        ended.push('shared');
      }
    }
    @decorated
    class Inner {
      constructor(readonly shared: Shared) {}
      async [Symbol.asyncDispose](): Promise<void> {
        ended.push('inner');
      }
    }
    @decorated
    class Outer {
      constructor(readonly inner: Inner) {}
      dispose(): void {
        ended.push('outer');
      }
    }
    const container = containerOf();
    container.get(Outer);
    await Promise.all([container.close(), container.close()]);

    expect(ended).toEqual(['outer', 'inner']);
    expect(() => container.get(Outer)).toThrow(/closed/);
  });
});

describe('what typedi registered', () => {
  const LIMIT = new Token<number>('LIMIT');
  const RULES = new Token<{ name: string }>('RULES');

  test('values, tokens, factories and lists of services are injected', () => {
    Container.set(LIMIT, 3);
    Container.set('name', 'oslo');
    Container.set({ id: 'made', factory: () => ({ fresh: true }) });
    Container.set({ id: RULES, multiple: true, value: { name: 'one' } });
    Container.set({ id: RULES, multiple: true, value: { name: 'two' } });
    @decorated
    class Asker {
      @Inject(LIMIT) readonly limit!: number;
      @Inject() readonly clock!: Clock;
      constructor(
        @Inject('name') readonly name: string,
        @Inject('made') readonly made: unknown,
        @InjectMany(RULES) readonly rules: unknown[],
      ) {}
    }
    const asker = containerOf().get(Asker) as Asker;

    expect(asker).toMatchObject({ limit: 3, name: 'oslo', made: { fresh: true }, rules: [{ name: 'one' }, { name: 'two' }] });
    expect(asker.clock).toBe(Container.get(Clock));
    Container.remove(RULES);
  });

  test('null and undefined are values', () => {
    // A container of its own: typedi's reset and remove fail on a service that is null.
    const typedi = new ContainerInstance('nothing');
    typedi.set('nothing', null);
    typedi.set('less', undefined);
    typedi.set({ id: 'empty', factory: () => null });
    @decorated
    class Asker {
      constructor(
        @Inject('nothing') readonly nothing: unknown,
        @Inject('empty') readonly empty: unknown,
        @Inject('less') readonly less: unknown,
      ) {}
    }
    expect(containerOf(typedi).get(Asker)).toEqual({ nothing: null, empty: null, less: undefined });
  });

  test('a stand-in set for a class is what the agent gets', () => {
    const standIn = { clock: { startedAt: 2 } };
    Container.set(Forecasts, standIn as Forecasts);

    expect((containerOf().get(Weather) as Weather).forecasts).toBe(standIn);
  });

  test('a parameter with a default keeps it, unless a service was registered for it', () => {
    @decorated
    class Options {
      constructor(readonly from = 'container') {}
    }
    @decorated
    class Client {
      constructor(
        readonly clock: Clock,
        readonly retries = 3,
        readonly base: string = 'http://localhost',
        readonly cache: Map<string, string> = new Map(),
        readonly options: Options = new Options('default'),
      ) {}
    }
    expect(containerOf().get(Client)).toMatchObject({ retries: 3, base: 'http://localhost', options: { from: 'default' } });
    Container.set(Options, new Options('registered'));
    expect(containerOf().get(Client)).toMatchObject({ options: { from: 'registered' } });
    Container.remove(Options);
  });

  test('a rest parameter gets nothing at all', () => {
    @decorated
    class Varied {
      readonly rest: string[];
      constructor(
        readonly clock: Clock,
        ...rest: string[]
      ) {
        this.rest = rest;
      }
    }
    expect((containerOf().get(Varied) as Varied).rest).toEqual([]);
  });

  test('properties that need each other are set, in one instance of each', () => {
    @Service()
    class Chicken {
      @Inject(() => Egg) egg!: { chicken: Chicken };
    }
    @Service()
    class Egg {
      constructor(readonly chicken: Chicken) {}
    }
    const container = containerOf();
    const egg = container.get(Egg) as Egg;

    expect(egg.chicken.egg).toBe(egg);
    expect(container.get(Chicken)).toBe(egg.chicken);
  });

  test("a decorator of the user's own is called with a container", () => {
    const Log =
      (): ParameterDecorator =>
      (object, _, index): void => {
        Container.registerHandler({ object: object as never, index, value: (c) => `${c.get(Clock).startedAt} log` });
      };
    @decorated
    class Asker {
      constructor(@Log() readonly log: string) {}
    }
    expect(containerOf().get(Asker)).toEqual({ log: '1 log' });
  });
});

describe('promises', () => {
  test('an async factory asked for directly gives its promise, the same to all who ask', async () => {
    let made = 0;
    Container.set({ id: 'db', factory: async () => ({ number: ++made }) });
    const container = containerOf();
    const [one, two] = await Promise.all([container.get('db'), container.get('db')]);

    expect(one).toBe(two);
    expect(made).toBe(1);
    Container.remove('db');
  });

  test('one that would reach a constructor is an error with class, parameter and line, and not an unhandled rejection', async () => {
    Container.set({ id: 'db', factory: () => Promise.reject(new Error('refused')) });
    @decorated
    class Reader {
      constructor(
        readonly clock: Clock,
        @Inject('db') readonly db: unknown,
      ) {}
    }
    const attempt = (): unknown => containerOf().get(Reader);

    expect(attempt).toThrow(WiringError);
    expect(attempt).toThrow("Reader(clock: Clock, db: ?): parameter #1 `db`: 'db' gives a promise");
    expect(attempt).toThrow("Container.set('db', await create())");
    await new Promise((resolve) => setImmediate(resolve));
    Container.remove('db');
  });
});

test('an accessor is injected as a field is, and takes no parameter from the constructor', () => {
  @decorated
  class Asker {
    given?: Clock;
    constructor(readonly forecasts: Forecasts) {}
    @Inject(() => Clock)
    set clock(clock: Clock) {
      this.given = clock;
    }
    @Inject(() => Clock)
    static set shared(clock: Clock) {
      throw new Error(`No instance has it: ${String(clock)}.`);
    }
  }
  const asker = containerOf().get(Asker) as Asker;
  expect(asker.given).toBe(Container.get(Clock));
  expect(asker.forecasts).toBe(Container.get(Forecasts));
});

describe('an instance whose property could not be set', () => {
  test('is not kept: the next request makes another', () => {
    let value = (): unknown => {
      throw new Error('not yet');
    };
    @decorated
    class Asker {
      declare late: unknown;
    }
    Container.registerHandler({ object: Asker.prototype as never, propertyName: 'late', value: () => value() });
    const container = containerOf();
    expect(() => container.get(Asker)).toThrow(/not yet/);
    value = () => 'there';
    expect((container.get(Asker) as Asker).late).toBe('there');
  });

  test('is not kept either where the property had to wait for a class above, nor is that class', () => {
    let isClosed = true;
    @decorated
    class Below {
      above?: object;
      @Inject(() => Above)
      set late(above: object) {
        if (isClosed) throw new Error('not yet');
        this.above = above;
      }
    }
    @decorated
    class Above {
      constructor(readonly below: Below) {}
    }
    const container = containerOf();
    expect(() => container.get(Above)).toThrow(/not yet/);
    isClosed = false;
    const above = container.get(Above) as Above;
    expect(above.below.above).toBe(above);
    expect(container.get(Below)).toBe(above.below);
  });
});

test('a constructor that throws is named with the chain that led to it, the cause kept', () => {
  const cause = new Error('no route');
  @Service()
  class Http {
    constructor() {
      throw cause;
    }
  }
  @Service()
  class Lookup {
    constructor(readonly http: Http) {}
  }
  @decorated
  class Finder {
    constructor(readonly lookup: Lookup) {}
  }
  let thrown: unknown;
  try {
    containerOf().get(Finder);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(WiringError);
  expect(thrown).toMatchObject({ cause, faults: [{ where: 'Finder -> Lookup -> Http', what: expect.stringContaining('no route') }] });
});
