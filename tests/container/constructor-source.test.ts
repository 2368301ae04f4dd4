import { constructorSource } from '../../src/container/constructor-source';

/** A class from its text, as another compiler might have written it. */
const classFrom = (text: string): Function => new Function(`class Base {}; return ${text}`)() as Function;

test.each([
  ['no constructor', 'class extends Base { a() { return 1 } }', undefined],
  ['plain names', 'class { constructor(a, b) {} }', ['a', 'b']],
  ['defaults, patterns, rest', 'class { constructor(a = { x: [1, 2] }, { b, c }, ...rest) {} }', ['a', undefined, 'rest']],
  ['comments', 'class { /* constructor(x) */ constructor(/* one, */ a, // b,\n c) {} }', ['a', 'c']],
  ['the word in strings', 'class { a = "constructor(x)"; b = `constructor(y)`; constructor(z) {} }', ['z']],
  ['brackets in strings and patterns', 'class { a = "}{"; b = /[}/{]/; constructor(z = ")") {} }', ['z']],
  ['calls of the own class', 'class { make() { return new this.constructor(1, 2) } }', undefined],
  ['a class within', 'class { make() { return class { constructor(inner) {} } } constructor(outer) {} }', ['outer']],
  ['only a class within', 'class { make() { return class { constructor(inner) {} } } }', undefined],
  ['a private name', 'class { #constructors() {} run = this.#constructors (); $constructor(a) {} }', undefined],
  ['a function in the old style', 'function Old(a, b) {}', ['a', 'b']],
])('%s', (_, text, names) => {
  expect(constructorSource(classFrom(text))?.names).toEqual(names);
});

test.each([
  ['fields of tsc', 'class extends Base { constructor() { super(...arguments); this.a = 1 } }', true],
  ['fields of swc, mixins', 'class extends Base { constructor(...args) { super(...args), this.a = 1 } }', true],
  ['one of its own', 'class extends Base { constructor() { super(1) } }', false],
  ['a spread elsewhere', 'class extends Base { constructor() { super([...[1]]); Math.max(...[1]) } }', false],
])('%s', (_, text, forwards) => {
  expect(constructorSource(classFrom(text))?.forwards).toBe(forwards);
});

test('a text that does not end as it should is read without harm', () => {
  const odd = (): void => undefined;
  odd.toString = () => 'class {';
  expect(constructorSource(odd)?.names).toEqual([]);
  expect(constructorSource(Map)?.names).toEqual([]);
  expect(constructorSource(class {}.bind(undefined) as Function)?.names ?? []).toEqual([]);
});

test('a huge class is read in no time', () => {
  const huge = classFrom(
    `class { a = "${'/'.repeat(100_000)}"; b = [${'1, '.repeat(50_000)}];${' '.repeat(100_000)}constructor(last) {} }`,
  );
  const before = process.cpuUsage().user;
  expect(constructorSource(huge)?.names).toEqual(['last']);
  expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
});
