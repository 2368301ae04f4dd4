import { resolve } from 'node:path';
import { aBoolean, aPositiveCount, texts, type OptionRule, type OptionRules } from '../../errors/option-check';
import { UsageError } from '../../errors/usage-error';
import type { ToolContext } from '../../tools/tool-context';

/** A directory, or a function that names the run's. Asked at each call, so one class serves runs with directories of their own. */
// The deps are the agent's, which is not known here.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Root = string | ((context: ToolContext<any>) => string);

/** What `FileTools.at(root, …)` takes. */
export interface FileOptions {
  /** Names of folders that searches do not enter; `.git`, `node_modules` and their like by default. They can still be listed and read. */
  readonly skip?: readonly string[];
  /** The largest file that is read or written, in bytes. 10 000 000 by default. */
  readonly maxFileBytes?: number;
  /** Whether files with further hard links are used. They may lie outside of the root too, so `false` by default. */
  readonly hardLinks?: boolean;
}

export interface FileSettings {
  readonly root: Root;
  readonly skip: ReadonlySet<string>;
  readonly maxFileBytes: number;
  readonly hardLinks: boolean;
}

export const FILE_RULES: OptionRules = new Map<string, OptionRule>([
  ['skip', texts],
  ['maxFileBytes', aPositiveCount],
  ['hardLinks', aBoolean],
]);

/** What others made, and what is not meant to be read. */
const SKIPPED = ['.git', '.hg', '.svn', 'node_modules', 'dist', 'build', 'coverage', '.cache', '__pycache__', '.venv', 'target'];

export function fileSettings(root: Root, options: FileOptions): FileSettings {
  return {
    root: checkedRoot(root, 'FileTools.at'),
    skip: new Set(options.skip ?? SKIPPED),
    maxFileBytes: options.maxFileBytes ?? 10_000_000,
    hardLinks: options.hardLinks ?? false,
  };
}

/** @throws UsageError when it is neither a path nor a function */
export function checkedRoot(root: Root, where: string): Root {
  if (typeof root === 'function') return root;
  if (typeof root === 'string' && root !== '' && !root.includes('\0')) return resolve(root);
  throw new UsageError(`${where} needs a directory. Write ${where}('./workspace'), or ${where}((context) => context.deps.workspace).`);
}

/** The root of a call. @throws UsageError when the host's function names none */
export function rootOf(root: Root, context: ToolContext): string {
  const path: unknown = typeof root === 'function' ? root(context) : root;
  if (typeof path === 'string' && path !== '') return resolve(path);
  throw new UsageError('The function that names the root directory of this run gave no path.');
}
