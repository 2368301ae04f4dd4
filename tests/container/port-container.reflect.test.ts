import 'reflect-metadata';
import { Inject } from 'typedi';
import { containerOf } from '../../src/container/container-of';
import type { AnyOverride, Container } from '../../src/container/container';
import { UsageError } from '../../src/errors/usage-error';
import { WiringError } from '../../src/errors/wiring-error';

const decorated = (_: unknown): void => undefined;

class Http {
  fetch(): string {
    return 'real';
  }
}
@decorated
class Forecasts {
  constructor(readonly http: Http) {}
}
@decorated
class Weather {
  constructor(
    readonly forecasts: Forecasts,
    @Inject('region') readonly region: string,
  ) {}
}

/** A user's own container: a `Map` has both `get` and `has`. */
const http = new Http();
const mine = (): Map<unknown, unknown> =>
  new Map<unknown, unknown>([
    [Http, http],
    ['region', 'oslo'],
    [Forecasts, new Forecasts(http)],
  ]);

test('what it has it gives; a class that it does not have is built from it', () => {
  const container = containerOf(mine());
  const weather = container.get(Weather) as Weather;

  expect(weather).toMatchObject({ region: 'oslo' });
  expect(weather.forecasts.http).toBe(http);
  expect(container.get(Weather)).toBe(weather);
  expect([container.has('region'), container.has('other'), container.has(Weather)]).toEqual([true, false, false]);
});

test('its fork rebuilds by reflection what reaches an override, also a class that it has', () => {
  const port = mine();
  const weather = containerOf(port)
    .fork([{ provide: Http, useValue: { fetch: () => 'fake' } }])
    .get(Weather) as Weather;

  expect(weather.forecasts.http.fetch()).toBe('fake');
  expect(weather.region).toBe('oslo');
  expect((port.get(Forecasts) as Forecasts).http.fetch()).toBe('real');
});

test('its own fork is used where it has one, and closed with what was built over it', async () => {
  const seen: unknown[] = [];
  const forked: Container = {
    get: (token: unknown) => (token === Forecasts ? 'forked' : 'region'),
    has: (token) => token === Forecasts || token === 'region',
    close: async () => void seen.push('closed'),
  };
  const port = {
    get: () => undefined,
    has: () => false,
    fork: (overrides: readonly AnyOverride[]) => (seen.push(overrides), forked),
    close: async () => void seen.push("never: it is the user's"),
  };
  const base = containerOf(port);
  const overrides = [{ provide: Http, useValue: null }];
  const fork = base.fork(overrides);

  expect((fork.get(Weather) as Weather).forecasts).toBe('forked');
  await fork.close!();
  await base.close();
  expect(seen).toEqual([overrides, 'closed']);
});

test('one that throws or answers late is reported with the class that asked', async () => {
  const broken = containerOf({
    has: (token: unknown) => token === 'region' || token === Forecasts,
    get: (token: unknown) => {
      if (token === 'region') throw new Error('no such region');
      return Promise.resolve('late');
    },
  });
  expect(() => broken.get(Weather)).toThrow(
    /Weather\(forecasts: \?, region: 'region'\): parameter #0 `forecasts`: Forecasts gives a promise/,
  );
  await expect(broken.get(Forecasts)).resolves.toBe('late');
  expect(() => broken.get('region')).toThrow(/'region': the container or its factory threw: no such region/);
});

test('a missing service names what was looked for', () => {
  expect(() => containerOf(new Map()).get(Weather)).toThrow(WiringError);
  expect(() => containerOf(new Map()).get('region')).toThrow(/the container has nothing under 'region'/);
  expect(() => containerOf(new Map()).get(undefined as never)).toThrow(/the token is undefined: an import cycle/);
});

test.each([null, 1, 'typedi', {}, { get: () => 1 }, () => 1])('%p is no container', (value) => {
  expect(() => containerOf(value)).toThrow(UsageError);
});

test('a container that was made here is taken as it is', () => {
  const container = containerOf();
  expect(containerOf(container)).toBe(container);
});
