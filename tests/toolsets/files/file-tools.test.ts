import 'reflect-metadata';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Agent, AgentConfig, AgentRunner, toolset, ToolContext, type ApprovalRequest, type RunResult } from 'toolwright';
import { callTool, callTools, createTestRunner, say, scripted, testContext, type ScriptStep } from 'toolwright/testing';
import { FileSystemAccess, FileTools, type FileOptions } from 'toolwright/toolsets';

let root: string;
beforeEach(async () => (root = await realpath(await mkdtemp(join(tmpdir(), 'files-')))));
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

const held = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

async function play(steps: ScriptStep[], options?: FileOptions, asked: ApprovalRequest[] = []): Promise<RunResult> {
  @AgentConfig({
    instructions: 'You work on files.',
    toolsets: [FileTools.at(root, options)],
    approve: (request) => {
      asked.push(request);
      return true;
    },
  })
  class FilesAgent extends Agent {}
  return createTestRunner({ model: scripted([...steps, say('Done.')]) }).run(FilesAgent, 'Go.');
}

/** What the model read of the last call. */
function said(result: RunResult): string {
  const message = result.messages.findLast((one) => one.role === 'tool')!;
  return message.parts.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part))).join('\n');
}

const call = async (tool: string, args: Record<string, unknown>, options?: FileOptions) =>
  said(await play([callTool(tool, args)], options));

describe('listing', () => {
  it('gives names, types and sizes, and no more than that of links', async () => {
    await put('b.txt', 'four');
    await put('a/inner.txt', '');
    await symlink('/etc/passwd', join(root, 'c'));
    const { data } = JSON.parse(await call('list_files', {}));
    expect(data).toEqual([
      { name: 'a', type: 'folder' },
      { name: 'b.txt', type: 'file', bytes: 4 },
      { name: 'c', type: 'link' },
    ]);
  });

  it('escapes names that would steer a terminal', async () => {
    await put('red\u001b[31m\u202e.txt', '');
    expect(await call('list_files', {})).toContain('red\\\\u001b[31m\\\\u202e.txt');
  });

  it('tells a file from a folder', async () => {
    await put('a.txt', '');
    expect(await call('list_files', { path: 'a.txt' })).toMatch(/"a.txt" is not a folder/);
  });
});

describe('reading', () => {
  it('marks what files hold as untrusted', async () => {
    await put('a.txt', 'hello');
    const result = await play([callTool('read_file', { path: 'a.txt' })]);
    expect(result.messages.find((one) => one.role === 'tool')).toMatchObject({ trust: 'untrusted', outcome: 'ok' });
    expect(said(result)).toBe('hello');
  });

  it.each([
    [{ first_line: 2 }, 'two\nthree\n[lines 2 to 3 of 3.]'],
    [{ first_line: 2, last_line: 2 }, 'two\n[lines 2 to 2 of 3.]'],
    [{ last_line: 99 }, 'one\ntwo\nthree'],
    [{ first_line: 4 }, 'Error: "a.txt" has 3 lines.'],
    [{ first_line: 3, last_line: 1 }, 'Error: `last_line` comes before `first_line`.'],
  ])('gives the lines %j', async (lines, text) => {
    await put('a.txt', 'one\ntwo\nthree\n');
    expect(await call('read_file', { path: 'a.txt', ...lines })).toBe(text);
  });

  it('gives a long file in pieces of whole lines, and says where to read on', async () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `line ${at + 1} of many`);
    await put('long.txt', lines.join('\n'));
    let text = '';
    for (let next: string | undefined = '1'; next !== undefined;) {
      const piece = await call('read_file', { path: 'long.txt', first_line: Number(next) });
      const note = piece.lastIndexOf('\n[lines ');
      text += `${piece.slice(0, note)}\n`;
      next = /first_line (\d+)/.exec(piece.slice(note))?.[1];
    }
    expect(text.trimEnd()).toBe(lines.join('\n'));
  });

  it('cuts a line that alone is too long, and says so', async () => {
    await put('long.txt', `${'x'.repeat(50_000)}\nlast`);
    expect(await call('read_file', { path: 'long.txt' })).toMatch(/line 1 of 2 is cut: it has 50000 characters. Read on with first_line 2/);
  });

  it.each([
    ['a zero byte', Buffer.from([80, 75, 0, 4])],
    ['bytes that are no UTF-8', Buffer.from([0xc3, 0x28, 0x61])],
  ])('does not take %s for text', async (_, bytes) => {
    await put('a.bin', bytes);
    expect(await call('read_file', { path: 'a.bin' })).toMatch(/is not a text file/);
  });

  it('reads UTF-16 that says so', async () => {
    await put('wide.txt', Buffer.from('\ufeffhällo', 'utf16le'));
    expect(await call('read_file', { path: 'wide.txt' })).toBe('hällo');
  });

  it('refuses a file over the limit, whatever the reported size', async () => {
    await put('big.txt', 'x'.repeat(101));
    expect(await call('read_file', { path: 'big.txt' }, { maxFileBytes: 100 })).toMatch(/too large. At most 100 bytes/);
  });

  it('reads hard links only where the host allows it', async () => {
    await put('a.txt', 'shared');
    const { link } = await import('node:fs/promises');
    await link(join(root, 'a.txt'), join(root, 'b.txt'));
    expect(await call('read_file', { path: 'b.txt' })).toMatch(/hard link/);
    expect(await call('read_file', { path: 'b.txt' }, { hardLinks: true })).toBe('shared');
  });
});

describe('writing', () => {
  it('makes folders on the way, and leaves nothing else behind', async () => {
    expect(await call('write_file', { path: 'new/deep/a.txt', content: 'hé' })).toBe('Created "new/deep/a.txt" (3 bytes).');
    expect(await held('new/deep/a.txt')).toBe('hé');
    expect(await readdir(join(root, 'new/deep'))).toEqual(['a.txt']);
  });

  it('replaces a file in one step and keeps its mode', async () => {
    await put('run.sh', 'old');
    await chmod(join(root, 'run.sh'), 0o750);
    const before = await stat(join(root, 'run.sh'));
    expect(await call('write_file', { path: 'run.sh', content: 'new' })).toBe('Replaced "run.sh" (3 bytes).');
    const after = await stat(join(root, 'run.sh'));
    expect(after.mode & 0o777).toBe(0o750);
    expect(after.ino).not.toBe(before.ino);
  });

  it('respects a file that is read-only', async () => {
    await put('a.txt', 'old');
    await chmod(join(root, 'a.txt'), 0o444);
    expect(await call('write_file', { path: 'a.txt', content: 'new' })).toMatch(/is read-only/);
    expect(await held('a.txt')).toBe('old');
  });

  it('does not replace what was changed since it was read', async () => {
    await put('a.txt', 'one');
    const files = new FileSystemAccess();
    const { stamp } = await files.read(root, 'a.txt', { maxBytes: 100 });
    await put('a.txt', 'other');
    await expect(files.write(root, 'a.txt', Buffer.from('two'), { expected: stamp })).rejects.toThrow(/changed by somebody else/);
    await expect(files.write(root, 'a.txt', Buffer.from('two'), { expected: 'absent' })).rejects.toThrow(/exists already/);
    expect(await held('a.txt')).toBe('other');
    expect(await readdir(root)).toEqual(['a.txt']);
  });

  it('does not taint the run with its own words', async () => {
    const asked: ApprovalRequest[] = [];
    const write = (path: string) => callTool('write_file', { path, content: 'x' });
    await play([write('a.txt'), write('b.txt')], undefined, asked);
    expect(asked).toEqual([]);
  });

  it('asks before it writes once a file was read, and shows the difference', async () => {
    await put('a.txt', 'one\ntwo\nthree\n');
    const asked: ApprovalRequest[] = [];
    await play(
      [callTool('read_file', { path: 'a.txt' }), callTool('write_file', { path: 'a.txt', content: 'one\n2\nthree\n' })],
      {},
      asked,
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]!.why.cause).toBe('taint');
    expect(asked[0]!.preview).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three');
  });
});

describe('editing', () => {
  it('replaces a passage that stands once, taking both texts literally', async () => {
    await put('a.ts', 'const a = $1;\nconst b = 2;\n');
    expect(await call('edit_file', { path: 'a.ts', old_text: 'a = $1', new_text: "a = $&$'" })).toBe('Edited "a.ts" in one place.');
    expect(await held('a.ts')).toBe("const a = $&$';\nconst b = 2;\n");
  });

  it('names the lines where a passage stands more than once, and changes nothing', async () => {
    await put('a.txt', 'x\ny\nx\n');
    expect(await call('edit_file', { path: 'a.txt', old_text: 'x', new_text: 'z' })).toMatch(/stands 2 times in "a.txt": lines 1, 3/);
    expect(await held('a.txt')).toBe('x\ny\nx\n');
    expect(await call('edit_file', { path: 'a.txt', old_text: 'x', new_text: 'z', replace_all: true })).toMatch(/in 2 places/);
    expect(await held('a.txt')).toBe('z\ny\nz\n');
  });

  it('says which line has the words when only the white space differs', async () => {
    await put('a.py', 'def f():\n\treturn 1\n');
    expect(await call('edit_file', { path: 'a.py', old_text: '    return 1', new_text: 'x' })).toMatch(/Line 2 has the words/);
  });

  it('keeps the line ends and the mark of a file from Windows', async () => {
    await put('a.txt', '\ufeffone\r\ntwo\r\nthree\r\n');
    await call('edit_file', { path: 'a.txt', old_text: 'one\ntwo', new_text: '1\n2' });
    expect(await held('a.txt')).toBe('\ufeff1\r\n2\r\nthree\r\n');
  });

  it('lets two edits of one file in one answer both hold', async () => {
    await put('a.txt', 'one two\n');
    @AgentConfig({ instructions: 'x', toolsets: [FileTools.at(root)], parallelToolCalls: true, taint: 'off' })
    class Parallel extends Agent {}
    const edit = (from: string, to: string): [string, Record<string, unknown>] => [
      'edit_file',
      { path: 'a.txt', old_text: from, new_text: to },
    ];
    await createTestRunner({ model: scripted([callTools([edit('one', '1'), edit('two', '2')]), say('Done.')]) }).run(Parallel, 'Go.');
    expect(await held('a.txt')).toBe('1 2\n');
  });
});

describe('finding', () => {
  beforeEach(async () => {
    await put('src/a.ts', 'export class Turbine {}\n');
    await put('src/deep/b.test.ts', 'new Turbine();\nnew turbine();\n');
    await put('docs/guide.md', 'The Turbine hums.');
    await put('node_modules/x/a.ts', 'Turbine');
    await put('.git/config', 'Turbine');
    await put('image.png', Buffer.from([1, 0, 84, 117]));
  });

  it.each([
    ['*.ts', ['src/a.ts', 'src/deep/b.test.ts']],
    ['src/*.ts', ['src/a.ts']],
    ['**/b.*', ['src/deep/b.test.ts']],
    ['{src,docs}/*.{ts,md}', ['docs/guide.md', 'src/a.ts']],
    ['?.ts', ['src/a.ts']],
    ['[!b]*.m[a-d]', ['docs/guide.md']],
    ['*.rs', []],
  ])('finds %s', async (pattern, files) => {
    expect(JSON.parse(await call('find_files', { pattern })).data).toEqual(files);
  });

  it('answers at once, whatever the pattern', async () => {
    await put(`${'a'.repeat(200)}.txt`, '');
    const startedAt = process.cpuUsage();
    await call('find_files', { pattern: `${'*a'.repeat(200)}b` });
    await call('find_files', { pattern: `${'**/'.repeat(150)}b` });
    expect(await call('find_files', { pattern: '{a,b}'.repeat(20) })).toMatch(/stands for more than/);
    expect(await call('find_files', { pattern: '[a' })).toMatch(/does not close/);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
  });

  it('searches texts, in any case unless told otherwise', async () => {
    expect(JSON.parse(await call('search_files', { query: 'turbine' })).data).toEqual([
      'docs/guide.md:1: The Turbine hums.',
      'src/a.ts:1: export class Turbine {}',
      'src/deep/b.test.ts:1: new Turbine();',
      'src/deep/b.test.ts:2: new turbine();',
    ]);
    expect(JSON.parse(await call('search_files', { query: 'turbine', match_case: true, pattern: '*.ts' })).data).toEqual([
      'src/deep/b.test.ts:2: new turbine();',
    ]);
    expect(JSON.parse(await call('search_files', { query: 'Turbine();\nnew', path: 'src' })).data).toHaveLength(1);
  });

  it('says when there is more than it shows', async () => {
    await put('many.txt', 'needle\n'.repeat(500));
    expect(JSON.parse(await call('search_files', { query: 'needle' }))).toMatchObject({ status: 'partial', total: 500 });
  });
});

describe('the toolset', () => {
  it('is told apart from another root, and keeps its name', () => {
    const [one, other] = [FileTools.at('/a'), FileTools.at('/b')];
    expect(one).not.toBe(other);
    expect(one.name).toBe('FileTools');
  });

  it('is an error without a root, before the first request', async () => {
    @AgentConfig({ instructions: 'x', toolsets: [FileTools] })
    class Rootless extends Agent {}
    await expect(createTestRunner({ model: scripted([], { strict: false }) }).run(Rootless, 'Go.')).rejects.toThrow(
      /FileTools.at\('.\/workspace'\)/,
    );
  });

  it('refuses options that it does not know', () => {
    expect(() => FileTools.at('/a', { maxFileByte: 3 } as FileOptions)).toThrow(/maxFileByte.*maxFileBytes/s);
    expect(() => FileTools.at('')).toThrow(/needs a directory/);
  });

  it('takes the root of each run from its deps', async () => {
    await put('one/a.txt', 'first');
    await put('two/a.txt', 'second');
    interface Deps {
      readonly root: string;
    }
    @AgentConfig({
      instructions: 'x',
      toolsets: [toolset(FileTools.at((context: ToolContext<Deps>) => context.deps.root)).only('read_file')],
    })
    class PerRun extends Agent<string, Deps> {}
    for (const [folder, text] of [
      ['one', 'first'],
      ['two', 'second'],
    ] as const) {
      const runner = createTestRunner({ model: scripted([callTool('read_file', { path: 'a.txt' }), say('Done.')]) });
      expect(said(await runner.run(PerRun, 'Go.', { deps: { root: join(root, folder) } }))).toBe(text);
    }
  });

  it('works on whatever stands in for the file system', async () => {
    @AgentConfig({ instructions: 'x', toolsets: [FileTools.at('/nowhere')] })
    class Faked extends Agent {}
    const runner = createTestRunner({
      model: scripted([callTool('read_file', { path: 'a.txt' }), say('Done.')]),
      overrides: [
        {
          provide: FileSystemAccess,
          useValue: {
            read: async (_: string, path: string) => ({
              path,
              bytes: Buffer.from('from memory'),
              stamp: { inode: 1, size: 11, changedMs: 0 },
            }),
          },
        },
      ],
    });
    expect(said(await runner.run(Faked, 'Go.'))).toBe('from memory');
  });

  it('runs with the default runner, without anything registered', async () => {
    await put('a.txt', 'plain');
    @AgentConfig({ instructions: 'x', toolsets: [FileTools.at(root)] })
    class Plain extends Agent {}
    const result = await new AgentRunner().run(Plain, 'Go.', { model: scripted([callTool('read_file', { path: 'a.txt' }), say('Done.')]) });
    expect(said(result)).toBe('plain');
  });

  it('can be called directly', async () => {
    await put('a.txt', 'direct');
    const tools = new (FileTools.at(root))(new FileSystemAccess());
    expect((await tools.readFile('a.txt', 1, undefined, testContext())).content).toEqual([{ type: 'text', text: 'direct' }]);
  });
});
