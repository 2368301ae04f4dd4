import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as toolwright from 'toolwright';
import * as testing from 'toolwright/testing';
import { ROOT, section, textOf } from './pages';

/** The codes in the source, each with the class that bears it. */
function codesInSource(): Map<string, string> {
  const codes = new Map<string, string>();
  for (const file of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = textOf(join('src', file));
    for (const [, code] of text.matchAll(/\bsuper\(\s*'([A-Z_]+)'/g)) {
      const before = text.slice(0, text.indexOf(`'${code}'`));
      codes.set(code!, [...before.matchAll(/class (\w+)/g)].at(-1)![1]!);
    }
    for (const [, name, code] of text.matchAll(/new (\w+Error)\(\s*'([A-Z_]+)'/g)) codes.set(code!, name!);
  }
  return codes;
}

const documented = new Map(
  [...section(textOf('docs/errors.md'), '## Codes').matchAll(/^\| `([A-Z_]+)`\s*\| `(\w+)`/gm)].map(([, code, name]) => [code!, name!]),
);

test('the page lists each code of the source with its class, and no other', () => {
  const sorted = (codes: ReadonlyMap<string, string>) => [...codes].sort(([a], [b]) => (a < b ? -1 : 1));
  expect(sorted(documented)).toEqual(sorted(codesInSource()));
});

test('each class of the page can be imported, and is a ToolwrightError', () => {
  const known: Record<string, unknown> = { ...toolwright, ...testing };
  for (const name of documented.values()) {
    const cls = known[name] as typeof toolwright.ToolwrightError;
    expect([name, cls === toolwright.ToolwrightError || cls.prototype instanceof toolwright.ToolwrightError]).toEqual([name, true]);
  }
});

test('each error class that can be imported is on the page', () => {
  const classes = Object.entries(toolwright).filter(
    ([, value]) => typeof value === 'function' && (value as { prototype?: unknown }).prototype instanceof toolwright.ToolwrightError,
  );
  expect(classes.length).toBeGreaterThan(10);
  const named = new Set(documented.values());
  expect(classes.map(([name]) => name).filter((name) => !named.has(name) && !textOf('docs/errors.md').includes(`\`${name}\``))).toEqual([]);
});
