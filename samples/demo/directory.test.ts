import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Directory } from './directory';

let base: string;
let root: string;
const directory = new Directory();

async function write(path: string, content: string | Buffer): Promise<void> {
  const file = join(base, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'directory-'));
  root = join(base, 'root');
  await write('root/src/turbine.ts', '// turbine\nimport { x } from "x";\nexport class Turbine {}\n');
  await write('root/src/uses.ts', 'new Turbine();\n'.repeat(20));
  await write('root/a note.txt', 'The Turbine hums.');
  await write('root/node_modules/turbine/index.js', 'class Turbine {}');
  await write('root/.git/config', 'Turbine');
  await write('root/image.bin', Buffer.from([1, 0, 84, 117, 114, 98, 105, 110, 101]));
  await write('root/large.txt', `Turbine ${'x'.repeat(1_100_000)}`);
  await write('secret.txt', 'Turbine secret');
  await write('root-other/b.txt', 'Turbine next door');
  await symlink(join(base, 'secret.txt'), join(root, 'link.txt'));
  await symlink(base, join(root, 'up'));
});

afterAll(() => rm(base, { recursive: true, force: true }));

describe('Directory', () => {
  it('lists files in order, without what others made and without links', async () => {
    const { files, total, whole } = await directory.list(root, '', 100);
    expect(files).toEqual(['a note.txt', 'image.bin', 'large.txt', 'src/turbine.ts', 'src/uses.ts']);
    expect([total, whole]).toEqual([5, true]);
  });

  it('lists one folder, and says how many files it left out', async () => {
    expect(await directory.list(root, 'src', 1)).toEqual({ files: ['src/turbine.ts'], total: 2, whole: true });
  });

  it('reads lines from where it is asked', async () => {
    expect(await directory.read(root, 'src/turbine.ts', 2, 1)).toEqual({ lines: ['import { x } from "x";'], total: 4 });
    expect(await directory.read(root, './src/../a note.txt', 1, 10)).toEqual({ lines: ['The Turbine hums.'], total: 1 });
  });

  it('finds text in any case, the definition first, and only a few lines of each file', async () => {
    const { matches, total } = await directory.search(root, 'Turbine', 10);
    expect(matches[0]).toEqual({ path: 'src/turbine.ts', line: 3, text: 'export class Turbine {}' });
    expect(matches.filter((match) => match.path === 'src/uses.ts')).toHaveLength(5);
    expect(total).toBe(23);
    expect((await directory.search(root, 'HUMS', 10)).matches).toEqual([{ path: 'a note.txt', line: 1, text: 'The Turbine hums.' }]);
  });

  it.each([
    ['../secret.txt', /outside/],
    ['src/../../secret.txt', /outside/],
    ['../root-other/b.txt', /outside/],
    ['link.txt', /outside/],
    ['up/secret.txt', /outside/],
    ['/etc/hostname', /outside|no "/],
    ['turbine', /Did you mean src\/turbine.ts/],
    ['none.txt', /List the files/],
    ['bad\0name', /no "/],
    ['image.bin', /not a text file/],
    ['large.txt', /not a text file/],
    ['src', /not a text file/],
  ])('does not read %j', async (path, why) => {
    await expect(directory.read(root, path, 1, 10)).rejects.toThrow(why);
  });

  it('says when there are more files than it reads', async () => {
    const many = join(base, 'many');
    await mkdir(many);
    for (let at = 0; at < 5_001; at++) writeFileSync(join(many, `${at}.txt`), '');
    expect(await directory.list(many, '', 1)).toMatchObject({ total: 5_000, whole: false });
    expect(await directory.search(many, 'Turbine', 1)).toMatchObject({ total: 0, whole: false });
    expect((await directory.search(root, 'Turbine', 1)).whole).toBe(true);
  });

  it('stops when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(directory.search(root, 'Turbine', 10, signal)).rejects.toThrow('enough');
  });
});
