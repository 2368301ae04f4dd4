import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HandedCases {
  readonly cases: readonly object[];
  readonly tools?: Record<string, { readonly schema: Record<string, unknown> }>;
}

export const handedCases = (name: string): HandedCases =>
  JSON.parse(readFileSync(join(__dirname, '..', 'fixtures', 'cases', `${name}.json`), 'utf8')) as HandedCases;
