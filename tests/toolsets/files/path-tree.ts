import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { chmod, link, lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import handed from '../../fixtures/cases/paths.json';

export interface PathCase {
  readonly id: string;
  readonly group: string;
  readonly op: 'read' | 'list' | 'write' | 'race';
  readonly input?: string;
  readonly inputValue?: unknown;
  readonly inputGen?: { readonly gen: 'repeat'; readonly text: string; readonly count: number; readonly tail?: string };
  readonly verdict: readonly ('allow' | 'deny' | 'missing')[];
  readonly win32?: 'allow' | 'deny' | 'missing';
  readonly target?: string;
  readonly why: string;
}

export const pathCases = handed.cases as unknown as readonly PathCase[];
export const OUTSIDE_TEXTS = ['SECRET-OUTSIDE', 'OUTSIDE-B', 'OUTSIDE-I', 'EVIL', 'root:'];

/** The handed tree on a real disk. */
export class PathTree {
  private constructor(
    readonly base: string,
    private readonly server: Server,
  ) {}

  static async make(): Promise<PathTree> {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'paths-')));
    const { files, links, special } = handed.tree;
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(base, path)), { recursive: true });
      await writeFile(join(base, path), text);
    }
    for (const [path, target] of Object.entries(links)) {
      await mkdir(dirname(join(base, path)), { recursive: true });
      await symlink(target.replace('{OUTSIDE}', join(base, 'outside')), join(base, path));
    }
    expect(Object.keys(special)).toEqual(['box/pipe', 'box/sock', 'box/hard.txt', 'box/noperm.txt']);
    execFileSync('mkfifo', [join(base, 'box/pipe')]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(base, 'box/sock'), resolve));
    await link(join(base, 'outside/secret.txt'), join(base, 'box/hard.txt'));
    await chmod(join(base, 'box/noperm.txt'), 0);
    return new PathTree(base, server);
  }

  get root(): string {
    return join(this.base, 'box');
  }

  input({ input, inputValue, inputGen }: PathCase): unknown {
    if (inputValue !== undefined) return inputValue;
    if (inputGen !== undefined) return inputGen.text.repeat(inputGen.count) + (inputGen.tail ?? '');
    return input
      ?.replaceAll('{ROOT_UPPER}', join(this.base, 'BOX'))
      .replaceAll('{ROOT}', this.root)
      .replaceAll('{OUTSIDE}', join(this.base, 'outside'));
  }

  /** Everything below the base that is not below the root, with contents. */
  async outside(): Promise<readonly string[]> {
    const found: string[] = [];
    const visit = async (path: string): Promise<void> => {
      for (const name of (await readdir(join(this.base, path))).sort()) {
        const at = path === '' ? name : `${path}/${name}`;
        if (at === 'box') continue;
        const facts = await lstat(join(this.base, at));
        if (facts.isDirectory()) await visit(at);
        found.push(
          `${at} ${facts.isFile() ? await readFile(join(this.base, at), 'utf8') : facts.isSymbolicLink() ? await readlink(at) : ''}`,
        );
      }
    };
    await visit('');
    return found;
  }

  async remove(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.base, { recursive: true, force: true });
  }
}
