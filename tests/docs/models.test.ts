import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerNames, providerOf, type ProviderEntry } from '../../src/models/providers';

const page = readFileSync(join(__dirname, '../../docs/models.md'), 'utf8');
const rowsOf = (title: string): string[][] => {
  const table = page.slice(page.indexOf(`| ${title}`)).split('\n\n')[0]!;
  return table
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
    );
};
const told = (cell: string): string | undefined => (cell.startsWith('none') ? undefined : cell);

test('the table of providers is that of the code', () => {
  expect(rowsOf('Provider').map(([name, key, address, base]) => [name, told(key!), told(address!), told(base!)])).toEqual(
    providerNames().map((name) => {
      const { keyVariable, baseURLVariable, baseURL } = providerOf(name) as ProviderEntry;
      return [name, keyVariable, baseURLVariable, baseURL];
    }),
  );
});

test('every quirk that an entry may have is told, and no other', () => {
  const source = readFileSync(join(__dirname, '../../src/models/quirks.ts'), 'utf8');
  const quirks = [...source.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name!);
  expect(rowsOf('Quirk').map(([name]) => name)).toEqual(expect.arrayContaining(quirks));
  expect(rowsOf('Quirk')).toHaveLength(quirks.length);
});
