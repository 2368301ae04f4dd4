// Compiles the programs of tests/types against the emitted declarations, and the declarations themselves, with each
// TypeScript that is promised. A compiler that accepts what another refuses fails the check: `@ts-expect-error` stands at
// every line that must not compile.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const COMPILERS = { '6.0': 'typescript', 5.9: 'typescript-5.9', '7.0': 'typescript-7' };
const ENTRIES = {
  toolwright: 'dist/index.d.ts',
  'toolwright/ai-sdk': 'dist/ai-sdk/index.d.ts',
  'toolwright/testing': 'dist/testing/index.d.ts',
  'toolwright/testing/jest': 'dist/testing/jest.d.ts',
  'toolwright/toolsets': 'dist/toolsets/index.d.ts',
  'toolwright/sessions': 'dist/sessions/index.d.ts',
};
const present = Object.entries(ENTRIES).filter(([, file]) =>
  existsSync(join(root, file.replace(/^dist/, 'src').replace(/\.d\.ts$/, '.ts'))),
);

const strict = {
  target: 'ES2022',
  module: 'commonjs',
  lib: ['ES2022'],
  types: ['node', 'jest'],
  typeRoots: [join(root, 'node_modules/@types')],
  rootDir: root,
  strict: true,
  noUncheckedIndexedAccess: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: true,
  noEmit: true,
  paths: Object.fromEntries(present.map(([name, file]) => [name, [join(root, file)]])),
};
// The declarations of the package are checked by themselves: those of the schema libraries that the programs use need not
// hold with every compiler and every option.
const PROGRAMS = {
  declarations: { compilerOptions: { ...strict, skipLibCheck: false }, folders: [] },
  programs: { compilerOptions: strict, folders: ['must-compile', 'must-not-compile', 'non-strict'] },
  'programs without strict': { compilerOptions: { ...strict, strict: false, noUncheckedIndexedAccess: false }, folders: ['non-strict'] },
};

const tsc = (compiler, args) =>
  spawnSync(process.execPath, [join(root, 'node_modules', compiler, 'bin/tsc'), ...args], { cwd: root, encoding: 'utf8' });

const built = tsc('typescript', ['-p', 'tsconfig.build.json']);
if (built.status !== 0) fail(`The declarations could not be emitted.\n${built.stdout}${built.stderr}`);
const packed = spawnSync(process.execPath, [join(root, 'scripts/pack.mjs')], { cwd: root, encoding: 'utf8' });
if (packed.status !== 0) fail(`The package could not be put together.\n${packed.stderr}`);

let failed = false;
for (const [name, { compilerOptions, folders }] of Object.entries(PROGRAMS)) {
  const folder = join(root, '.cache/types', name.replaceAll(' ', '-'));
  mkdirSync(folder, { recursive: true });
  const project = join(folder, 'tsconfig.json');
  const programs = folders.flatMap((one) => sources(join(root, 'tests/types', one)));
  writeFileSync(
    project,
    JSON.stringify({ compilerOptions, files: programs.length > 0 ? programs : present.map(([, file]) => join(root, file)) }, null, 2),
  );
  for (const [version, compiler] of Object.entries(COMPILERS)) {
    const started = Date.now();
    const { status, stdout, stderr } = tsc(compiler, ['-p', project, '--pretty', 'false']);
    console.log(`TypeScript ${version}, ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${Date.now() - started} ms)`);
    if (status !== 0) {
      failed = true;
      console.error(`${stdout}${stderr}`);
    }
  }
}
if (failed) fail('The public types do not hold with every compiler.');

function sources(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  if (files.length === 0) fail(`${folder} holds no program.`);
  return files.map((file) => join(folder, file));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
