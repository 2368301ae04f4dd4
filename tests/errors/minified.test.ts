import { buildSync } from 'esbuild';
import * as toolwright from 'toolwright';
import * as testing from 'toolwright/testing';

type ErrorClass = typeof toolwright.ToolwrightError;
const isErrorClass = (value: unknown): value is ErrorClass => typeof value === 'function' && value.prototype instanceof Error;

/** The package's errors as a bundler that renames classes leaves them. */
function minified(): Record<string, ErrorClass> {
  const { outputFiles } = buildSync({
    stdin: { contents: `export * from './src/index'; export * from './src/testing/index';`, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    packages: 'external',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
  const module = { exports: {} };
  new Function('require', 'module', 'exports', outputFiles[0]!.text.replace(/^"use strict";/, ''))(require, module, module.exports);
  return module.exports;
}

test('errors keep their names where classes are renamed, so that their guards tell them apart', () => {
  const bundle = minified();
  const names = Object.entries({ ...toolwright, ...testing }).flatMap(([name, value]) => (isErrorClass(value) ? [name] : []));
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect([name, bundle[name]?.name]).toEqual([name, name]);

  const { WiringError } = bundle as unknown as Pick<typeof toolwright, 'WiringError'>;
  const error = new WiringError('Agent', []);
  expect(error.name).toBe('WiringError');
  expect(names.filter((name) => bundle[name]!.is(error))).toEqual(['ToolwrightError', 'WiringError']);
});
