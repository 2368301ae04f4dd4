import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiPage } from './api-page';
import { firstColumn, ROOT, textOf } from './pages';

/** The names of a page, values before types under each heading. */
const namesOf = (page: string): readonly string[] =>
  page
    .split(/^## /m)
    .slice(1)
    .flatMap((group) => [
      ...firstColumn(group),
      ...[...(/^Types: .*/m.exec(group)?.[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    ]);

// What is said of each name may be behind the code for a while; which names there are may not.
test('docs/api.md lists what can be imported, and nothing else', () => {
  const page = apiPage('src/index.ts');
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(join(ROOT, 'docs/api.md'), page);
  expect(namesOf(page).length).toBeGreaterThan(100);
  expect(namesOf(textOf('docs/api.md'))).toEqual(namesOf(page));
});
