import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

const root = join(__dirname, '..');

/** A sample as a program that tests can start: built from the sources, so that nothing need be compiled before. */
export function program(entry: string): { readonly start: (args: readonly string[]) => Started; readonly remove: () => void } {
  const file = join(root, '.cache/samples', `${basename(join(entry, '..'))}-${basename(entry, '.ts')}-${process.pid}.js`);
  mkdirSync(join(root, '.cache/samples'), { recursive: true });
  buildSync({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    platform: 'node',
    packages: 'external',
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'error',
  });
  return { start: (args) => started(fork(file, args, { cwd: root, silent: true })), remove: () => rmSync(file, { force: true }) };
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

function started(child: ChildProcess): Started {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, output }))) };
}
