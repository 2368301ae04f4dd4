import 'reflect-metadata';
import { Container, ContainerInstance, Inject, InjectMany, Service, Token } from 'typedi';
import { containerOf } from '../../src/container/container-of';
import type { AnyOverride, Container as Port, ClassToken } from '../../src/container/container';
import { UsageError } from '../../src/errors/usage-error';
import { WiringError } from '../../src/errors/wiring-error';

const decorated = (_: unknown): void => undefined;

@Service()
class Clock {}

@Service()
class Http {
  fetch(): string {
    return 'real';
  }
}

@Service()
class Forecasts {
  constructor(
    readonly http: Http,
    readonly clock: Clock,
  ) {}
}

@decorated
class Weather {
  constructor(
    readonly forecasts: Forecasts,
    readonly clock: Clock,
  ) {}
}

const fake = (text: string): AnyOverride => ({ provide: Http, useValue: { fetch: () => text } });
const forkOf = (...overrides: AnyOverride[]): Port => containerOf().fork(overrides);
const got = <T>(container: Port, type: ClassToken<T>): T => container.get(type) as T;

afterEach(() => Container.reset());

test("every class between what is asked for and the override is built anew; all else is the base container's", () => {
  const weather = got(forkOf(fake('fake')), Weather);

  expect(weather.forecasts.http.fetch()).toBe('fake');
  expect(weather.clock).toBe(Container.get(Clock));
  expect(weather.forecasts.clock).toBe(Container.get(Clock));
});

test('an override holds before anything is built: the real service is never made', () => {
  let made = 0;
  @Service()
  class Costly {
    constructor() {
      made++;
    }
  }
  @Service()
  class Between {
    constructor(readonly costly: Costly) {}
  }
  const between = got(forkOf({ provide: Costly, useValue: {} }), Between);

  expect(between.costly).toEqual({});
  expect(made).toBe(0);
});

test("two forks never see each other's stand-ins, and the base sees neither", () => {
  const base = containerOf();
  const [one, two] = [base.fork([fake('one')]), base.fork([fake('two')])];

  expect([got(one, Weather), got(two, Weather), got(base, Weather)].map((weather) => weather.forecasts.http.fetch())).toEqual([
    'one',
    'two',
    'real',
  ]);
  expect(got(one, Weather)).toBe(got(one, Weather));
  expect(got(one, Weather).forecasts).toBe(got(one, Forecasts));
});

test('a class that no override touches comes from the base, the same instance', () => {
  @decorated
  class Simple {
    constructor(readonly clock: Clock) {}
  }
  const base = containerOf();
  expect(got(base.fork([fake('x')]), Simple)).toBe(got(base, Simple));
});

test('useClass is built in the fork, with its services', () => {
  class Fake {
    constructor(readonly clock: Clock) {}
    fetch(): string {
      return 'class';
    }
  }
  decorated(Fake);
  Reflect.defineMetadata('design:paramtypes', [Clock], Fake);
  const weather = got(forkOf({ provide: Http, useClass: Fake }), Weather);

  expect(weather.forecasts.http).toBeInstanceOf(Fake);
  expect((weather.forecasts.http as unknown as Fake).clock).toBe(Container.get(Clock));
});

test("an undecorated stand-in that fills in its base's constructor itself is fine", () => {
  @Service()
  class Base {
    constructor(readonly clock: Clock) {}
  }
  class Fake extends Base {
    constructor() {
      super({});
    }
  }
  expect(got(forkOf({ provide: Base, useClass: Fake }), Base)).toBeInstanceOf(Fake);
});

describe('a factory', () => {
  test('runs once per fork, with the fork', () => {
    let runs = 0;
    const base = containerOf();
    const overrides: AnyOverride[] = [{ provide: Http, useFactory: (container) => ({ run: ++runs, clock: container.get(Clock) }) }];
    const [one, two] = [base.fork(overrides), base.fork(overrides)];

    expect(got(one, Http)).toBe(got(one, Weather).forecasts.http);
    expect(got(one, Http)).toEqual({ run: 1, clock: Container.get(Clock) });
    expect(got(two, Http)).toMatchObject({ run: 2 });
  });

  test('gets the original under its own token, to wrap it', () => {
    const spied: unknown[] = [];
    const weather = got(
      forkOf({
        provide: Http,
        useFactory: (container) => {
          const real = container.get(Http) as Http;
          return { fetch: () => (spied.push('fetch'), real.fetch()) };
        },
      }),
      Weather,
    );
    expect(weather.forecasts.http.fetch()).toBe('real');
    expect(spied).toEqual(['fetch']);
  });

  test('that throws is named, and tried again at the next request', () => {
    let fails = true;
    const fork = forkOf({
      provide: 'db',
      useFactory: () => {
        if (fails) throw new Error('refused');
        return 'db';
      },
    });
    expect(() => fork.get('db')).toThrow(/'db': the container or its factory threw: refused/);
    fails = false;
    expect(fork.get('db')).toBe('db');
  });

  test('may be async for what is asked for directly; all who ask share it, and a failure is not kept', async () => {
    let runs = 0;
    const fork = forkOf({
      provide: Http,
      useFactory: async () => {
        if (++runs === 1) throw new Error('refused');
        return { fetch: () => `run ${runs}` };
      },
    });
    const [one, two] = [fork.get(Http), fork.get(Http)];
    expect(one).toBe(two);
    await expect(one).rejects.toThrow('refused');
    expect((await fork.get(Http)).fetch()).toBe('run 2');
    expect(() => fork.get(Weather)).toThrow(/parameter #0 `http`: Http gives a promise/);
  });

  test('an async one that fails while nobody waits is no unhandled rejection', async () => {
    const fork = forkOf({ provide: Http, useFactory: () => Promise.reject(new Error('refused')) });
    expect(() => fork.get(Weather)).toThrow(WiringError);
    await new Promise((resolve) => setImmediate(resolve));
  });

  test.each([
    ['sync', (token: string) => (container: Port) => container.get(token)],
    ['async', (token: string) => async (container: Port) => (await null, container.get(token))],
  ])('%s ones that need each other are told, and do not wait for ever', async (_, make) => {
    const fork = forkOf({ provide: 'a', useFactory: make('b') }, { provide: 'b', useFactory: make('a') });

    await expect((async () => fork.get('a'))()).rejects.toThrow(/'a' -> 'b' -> 'a'|'b' -> 'a' -> 'b'/);
  });

  test('that needs itself through a class is told', () => {
    const fork = forkOf({ provide: Http, useFactory: (container) => container.get(Forecasts) });
    expect(() => fork.get(Http)).toThrow(/Http -> Http: the factories of these overrides need each other/);
  });
});

test('null and undefined are values', () => {
  const fork = forkOf({ provide: Http, useValue: null }, { provide: Clock, useValue: undefined });
  const { forecasts, clock } = got(fork, Weather);

  expect([forecasts.http, forecasts.clock, clock]).toEqual([null, undefined, undefined]);
});

test('strings and tokens are overridden as classes are, set or not, and in lists', () => {
  const LIMIT = new Token<number>('LIMIT');
  const RULES = new Token<string>('RULES');
  Container.set(LIMIT, 3);
  @decorated
  class Asker {
    @Inject(LIMIT) readonly limit!: number;
    constructor(
      @Inject('region') readonly region: string,
      @InjectMany(RULES) readonly rules: string[],
    ) {}
  }
  const fork = forkOf({ provide: LIMIT, useValue: 4 }, { provide: 'region', useValue: 'oslo' }, { provide: RULES, useValue: 'only' });

  expect(fork.get(Asker)).toEqual({ limit: 4, region: 'oslo', rules: ['only'] });
  expect([fork.has('region'), containerOf().has('region')]).toEqual([true, false]);
});

test('members of a list are rebuilt where the override reaches them, and shared where not', () => {
  const PLUGIN = new Token<object>('PLUGIN');
  @Service({ id: PLUGIN, multiple: true })
  class Reached {
    constructor(readonly http: Http) {}
  }
  @Service({ id: PLUGIN, multiple: true })
  class Untouched {}
  @decorated
  class Host {
    constructor(@InjectMany(PLUGIN) readonly plugins: object[]) {}
  }
  const real = got(containerOf(), Host).plugins;
  const forked = got(forkOf(fake('fake')), Host).plugins;

  expect((forked[0] as Reached).http.fetch()).toBe('fake');
  expect(forked[0]).not.toBe(real[0]);
  expect(forked[1]).toBe(real[1]);
  expect(real.map((plugin) => plugin.constructor)).toEqual([Reached, Untouched]);
});

test('properties are injected in the fork as well', () => {
  @Service()
  class ByProperty {
    @Inject() readonly http!: Http;
    @Inject(() => Clock) readonly clock!: Clock;
  }
  const instance = got(forkOf(fake('fake')), ByProperty);

  expect(instance.http.fetch()).toBe('fake');
  expect(instance.clock).toBe(Container.get(Clock));
});

test('transient services stay transient in the fork', () => {
  @Service({ transient: true })
  class Draft {
    constructor(readonly http: Http) {}
  }
  const fork = forkOf(fake('fake'));

  expect(got(fork, Draft)).not.toBe(got(fork, Draft));
  expect(got(fork, Draft).http.fetch()).toBe('fake');
});

test('circles through an override are printed as a path', () => {
  @decorated
  class Wrapper {
    constructor(readonly inner: Forecasts) {}
  }
  expect(() => forkOf({ provide: Http, useClass: Wrapper }).get(Weather)).toThrow(/Forecasts -> Wrapper -> Forecasts: each needs the next/);
});

test('what the base container lacks is reported through the fork, whole', () => {
  @decorated
  class Asker {
    constructor(
      readonly http: Http,
      readonly name: string,
      @Inject('absent') readonly absent: unknown,
    ) {}
  }
  const attempt = (): unknown => forkOf(fake('x')).get(Asker);

  expect(attempt).toThrow(/#1 `name`[^]*#2 `absent`/);
});

describe('a fork of a fork', () => {
  test('adds to the first, may replace what it replaced, and leaves it as it was', () => {
    const first = forkOf(fake('first'), { provide: 'a', useValue: 1 });
    const second = first.fork!([{ provide: Clock, useValue: { fake: true } }]);
    const third = second.fork!([fake('third')]);

    expect(got(second, Weather).forecasts.http.fetch()).toBe('first');
    expect(got(second, Weather).clock).toEqual({ fake: true });
    expect(got(third, Weather).forecasts.http.fetch()).toBe('third');
    expect(got(third, Weather).clock).toEqual({ fake: true });
    expect(got(first, Weather).clock).toBe(Container.get(Clock));
    expect(third.get('a')).toBe(1);
  });

  test('rebuilds a stand-in class of the first that reaches its own override, and shares what does not', () => {
    @decorated
    class Fake {
      constructor(readonly clock: Clock) {}
    }
    @Service()
    class ClockOnly {
      constructor(readonly http: Http) {}
    }
    const first = forkOf({ provide: Http, useClass: Fake });
    const second = first.fork!([{ provide: Clock, useValue: 'clock' }]);
    const third = first.fork!([{ provide: 'other', useValue: 1 }]);

    expect(got(second, ClockOnly).http).toMatchObject({ clock: 'clock' });
    expect(got(third, ClockOnly)).toBe(got(first, ClockOnly));
  });
});

test('a stand-in that the base was given for a class stays, whatever is overridden around it', () => {
  const standIn = { clock: 'mine' };
  Container.set(Forecasts, standIn as never);

  expect(got(forkOf(fake('x')), Weather).forecasts).toBe(standIn);
});

test('a parameter with a default takes an override', () => {
  class Options {}
  @decorated
  class Asker {
    constructor(readonly options: Options | string = 'default') {}
  }
  Reflect.defineMetadata('design:paramtypes', [Options], Asker);

  expect(got(containerOf(), Asker).options).toBe('default');
  expect(got(forkOf({ provide: Options, useValue: 'given' }), Asker).options).toBe('given');
});

describe('closing a fork', () => {
  const ended: string[] = [];
  const ends = (name: string) => ({ destroy: () => void ended.push(name) });
  beforeEach(() => ended.splice(0));

  test("ends what it built, consumers first, and nothing that it was given or that is the base's", async () => {
    @Service()
    class Shared {
      destroy(): void {
        ended.push('shared');
      }
    }
    @Service()
    class Middle {
      constructor(
        readonly http: Http,
        readonly shared: Shared,
        @Inject('made') readonly made: unknown,
        @Inject('passed') readonly passed: unknown,
      ) {}
      destroy(): void {
        ended.push('middle');
      }
    }
    const fork = forkOf(
      { provide: Http, useValue: ends('value') },
      { provide: 'made', useFactory: () => ends('factory') },
      { provide: 'passed', useFactory: (container) => container.get(Shared) },
      { provide: 'later', useFactory: async () => ends('async factory') },
      { provide: 'passed later', useFactory: async (container) => container.get(Shared) },
    );
    fork.get(Middle);
    await Promise.all([fork.get('later'), fork.get('passed later')]);
    await fork.close!();
    await fork.close!();

    expect(ended).toEqual(['async factory', 'middle', 'factory']);
    expect(() => fork.get(Middle)).toThrow(/closed/);
    expect(() => containerOf().get(Clock)).not.toThrow();
  });

  test('waits for an async factory that is still at work', async () => {
    let finish!: () => void;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const fork = forkOf(
      { provide: 'slow', useFactory: () => gate.then(() => ends('slow')) },
      { provide: 'broken', useFactory: () => gate.then(() => Promise.reject(new Error('refused'))) },
    );
    const broken = expect(fork.get('broken')).rejects.toThrow('refused');
    void fork.get('slow');
    const closed = fork.close!();
    finish();
    await Promise.all([closed, broken]);

    expect(ended).toEqual(['slow']);
  });
});

test("a fork of a fork does not end what a factory passed on of the first's, though it came late", async () => {
  const ended: string[] = [];
  const first = forkOf({ provide: 'db', useFactory: async () => ({ destroy: () => void ended.push('db') }) });
  const second = first.fork!([
    { provide: 'same', useFactory: (container) => container.get('db') },
    { provide: 'later', useFactory: async (container) => await container.get('db') },
  ]);
  await Promise.all([second.get('same'), second.get('later')]);
  await second.close!();
  expect(ended).toEqual([]);
  await first.close!();
  expect(ended).toEqual(['db']);
});

describe('an override that cannot be right is refused where it is given', () => {
  test.each<[string, unknown, RegExp]>([
    ['no list', { provide: Http }, /Overrides are a list/],
    ['no object', [null], /Override #0 is not an object/],
    ['no token', [{ provide: undefined, useValue: 1 }], /has no `provide`.*two files import each other/],
    ['no way', [{ provide: Http }], /\(Http\) has none of useValue, useClass and useFactory/],
    ['two ways', [{ provide: Http, useValue: 1, useClass: Clock }], /has useValue and useClass of/],
    ['a class that is undefined', [{ provide: Http, useClass: undefined }], /has none of/],
    ['a slip', [{ provide: Http, useVaule: 1 }], /unknown key `useVaule`. Did you mean `useValue`\?/],
    ['no class', [{ provide: Http, useClass: () => 1 }], /`useClass` is no class/],
    ['no function', [{ provide: Http, useFactory: 1 }], /`useFactory` is no function/],
    ['two for one token', [fake('a'), fake('b')], /Override #1 is the second for Http/],
  ])('%s', (_, overrides, message) => {
    const attempt = (): unknown => containerOf().fork(overrides as AnyOverride[]);
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(message);
  });

  test('and one that is changed afterwards changes nothing', () => {
    const override = { provide: Http, useValue: 'first' as unknown };
    const fork = forkOf(override);
    override.useValue = 'second';
    expect(fork.get(Http)).toBe('first');
  });
});

test('a child container of typedi forks as the default one does', () => {
  const child = new ContainerInstance('tenant');
  child.set('name', 'tenant');
  @decorated
  class Asker {
    constructor(
      readonly forecasts: Forecasts,
      @Inject('name') readonly name: string,
    ) {}
  }
  const asker = containerOf(child)
    .fork([fake('fake')])
    .get(Asker) as Asker;

  expect(asker.forecasts.http.fetch()).toBe('fake');
  expect(asker.name).toBe('tenant');
});
