import 'reflect-metadata';
import type * as ContainerOf from '../../src/container/container-of';

beforeEach(() => {
  jest.resetModules();
  jest.doMock('typedi', () => {
    throw Object.assign(new Error("Cannot find module 'typedi'"), { code: 'MODULE_NOT_FOUND' });
  });
});
afterEach(() => jest.dontMock('typedi'));

// Loaded anew, so that it meets the absent package.
const load = (): typeof ContainerOf => require('../../src/container/container-of') as typeof ContainerOf;

test('the default container says what to install, at first need and not before', () => {
  const container = load().containerOf();

  expect(() => container.get(class {})).toThrow(/needs the package typedi[^]*npm install typedi reflect-metadata/);
});

test('another container works without it', () => {
  class Http {}
  class Weather {
    constructor(readonly http: Http) {}
  }
  Reflect.defineMetadata('design:paramtypes', [Http], Weather);
  const http = new Http();

  expect(
    load()
      .containerOf(new Map([[Http, http]]))
      .get(Weather),
  ).toEqual({ http });
});
