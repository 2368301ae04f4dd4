import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiPage } from './api-page';
import { ROOT, textOf } from './pages';

/** Without what formatting changes: widths of tables, line breaks. */
const words = (text: string): string => text.replace(/-+/g, '-').replace(/\s+/g, ' ');

test('docs/api.md lists what can be imported, in the words of the code', () => {
  const page = apiPage('src/index.ts');
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(join(ROOT, 'docs/api.md'), page);
  expect(words(textOf('docs/api.md'))).toBe(words(page));
});
