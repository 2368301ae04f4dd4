import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** A file of the package as text. */
export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** README and every page of the documentation, by path. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

/** The part of a page under a heading, up to the next heading of the same or a higher level. */
export function section(page: string, heading: string): string {
  const lines = page.split('\n');
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`There is no heading "${heading}".`);
  const level = heading.indexOf(' ');
  const end = lines.findIndex((line, at) => at > start && /^#{1,6} /.test(line) && line.indexOf(' ') <= level);
  return lines.slice(start + 1, end < 0 ? undefined : end).join('\n');
}

/** What stands in backticks in the first column of the tables of a text. */
export function firstColumn(text: string): string[] {
  return [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!);
}
