import { inWords, nameFault, snakeCase } from '../../src/tools/tool-name';
import { sourceParameters } from '../../src/tools/method-source';
import { nearestName } from '../../src/errors/nearest-name';

test.each([
  ['currentWeather', 'current_weather', 'Current weather'],
  ['getHTTPStatus', 'get_http_status', 'Get http status'],
  ['URL', 'url', 'Url'],
  ['oauth2Token', 'oauth2_token', 'Oauth2 token'],
  ['base64', 'base64', 'Base64'],
  ['already_snake', 'already_snake', 'Already snake'],
  ['SearchDatabase', 'search_database', 'Search database'],
  ['a', 'a', 'A'],
])('%s is the tool %s, in words %s', (method, name, words) => {
  expect(snakeCase(method)).toBe(name);
  expect(inWords(name)).toBe(words);
});

test.each(['', 'a b', 'a.b', 'größe', '$x', 'a\n', 'a'.repeat(65), '<script>'])('%j is no name for a tool, and the fix is one', (name) => {
  const fault = nameFault(name, 'X.y');
  const proposed = /name: '([^']*)'/.exec(fault?.fix ?? '')?.[1] ?? '';
  expect(nameFault(proposed, 'X.y')).toBeUndefined();
});

test.each(['a', 'A-b_9', 'a'.repeat(64)])('%s is a legal name', (name) => {
  expect(nameFault(name, 'X.y')).toBeUndefined();
});

class Source {
  plain(a: unknown, b: unknown): unknown {
    return [a, b];
  }
  async *generator(a: unknown): AsyncGenerator<unknown> {
    yield a;
  }
  defaults(a = { x: [1, ','] }, b = ')', c = (d: number) => d): unknown {
    return [a, b, c];
  }
  rest(a: unknown, ...others: unknown[]): unknown {
    return [a, others];
  }
  pattern({ a }: { a: unknown }, [b]: unknown[]): unknown {
    return [a, b];
  }
  none(): void {}
}
const listed = (name: keyof Source): unknown =>
  sourceParameters(Source.prototype[name], name)?.map((one) => [one.name, one.rest, one.hasDefault]);

test('the parameters of a method are read from its text', () => {
  expect(listed('plain')).toEqual([
    ['a', false, false],
    ['b', false, false],
  ]);
  expect(listed('generator')).toEqual([['a', false, false]]);
  expect(listed('defaults')).toEqual([
    ['a', false, true],
    ['b', false, true],
    ['c', false, true],
  ]);
  expect(listed('rest')).toEqual([
    ['a', false, false],
    ['others', true, false],
  ]);
  expect(listed('pattern')).toEqual([
    [undefined, false, false],
    [undefined, false, false],
  ]);
  expect(listed('none')).toEqual([]);
});

test('a text that is not the method itself is not read', () => {
  expect(sourceParameters((a: unknown) => a, 'x')).toBeUndefined();
  expect(sourceParameters(Math.max, 'max')).toBeUndefined();
  expect(sourceParameters(undefined, 'x')).toBeUndefined();
  expect(
    sourceParameters(
      {
        other(a: unknown) {
          return a;
        },
      }.other,
      'x',
    ),
  ).toBeUndefined();
  const odd = {
    x(a = /[,)]/) {
      return a;
    },
  };
  expect(sourceParameters(odd.x, 'x')).toBeUndefined();
});

test('the nearest name is found through typing slips, case and separators, and is not made up', () => {
  const known = ['read_file', 'write_file', 'timeout'];
  expect(nearestName('raed_file', known)).toBe('read_file');
  expect(nearestName('ReadFile', known)).toBe('read_file');
  expect(nearestName('timeuot', known)).toBe('timeout');
  expect(nearestName('weather', known)).toBeUndefined();
  expect(nearestName('', known)).toBeUndefined();
  expect(nearestName('x'.repeat(1_000_000), known)).toBeUndefined();
});
