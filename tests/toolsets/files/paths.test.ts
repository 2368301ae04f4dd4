import 'reflect-metadata';
import { readFile, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, AgentConfig, type Outcome } from 'toolwright';
import { callTool, createTestRunner, say, scripted } from 'toolwright/testing';
import { FileSystemAccess, FileTools } from 'toolwright/toolsets';
import { judgePath } from '../../../src/toolsets/files/path-rules';
import { byName } from '../../../src/toolsets/files/open-directory';
import { OUTSIDE_TEXTS, pathCases, PathTree, type PathCase } from './path-tree';

/** For systems on which a descriptor is no path. */
class ByNameAccess extends FileSystemAccess {
  protected override readonly opener = byName;
}

let tree: PathTree;
let written = false;
beforeAll(async () => (tree = await PathTree.make()));
afterAll(() => tree.remove());
afterEach(async () => {
  if (!written) return;
  await tree.remove();
  tree = await PathTree.make();
  written = false;
});

interface Answer {
  readonly outcome: Outcome;
  readonly text: string;
}

async function call(access: typeof FileSystemAccess, tool: string, args: Record<string, unknown>): Promise<Answer> {
  @AgentConfig({ instructions: 'Files.', toolsets: [FileTools.at(tree.root)], taint: 'off' })
  class FilesAgent extends Agent {}
  const overrides = [{ provide: FileSystemAccess, useClass: access }];
  const runner = createTestRunner({ model: scripted([callTool(tool, args), say('Done.')], { strict: false }), overrides });
  const result = await runner.run(FilesAgent, 'Go.');
  const message = result.messages.find((one) => one.role === 'tool')!;
  return { outcome: result.toolCalls[0]!.outcome, text: JSON.stringify(message) };
}

const OPERATIONS: Record<string, (input: unknown) => readonly [string, Record<string, unknown>]> = {
  read: (path) => ['read_file', { path }],
  race: (path) => ['read_file', { path }],
  write: (path) => ['write_file', { path, content: 'written' }],
  edit: (path) => ['edit_file', { path, old_text: 'a', new_text: 'b' }],
  list: (path) => ['list_files', { path }],
  find: (path) => ['find_files', { path, pattern: '*' }],
  search: (path) => ['search_files', { path, query: 'E' }],
};

function verdictOf({ outcome, text }: Answer): 'allow' | 'missing' | 'deny' {
  if (outcome === 'ok') return 'allow';
  return text.includes('does not exist') ? 'missing' : 'deny';
}

describe.each([
  ['by descriptor', FileSystemAccess],
  ['by name', ByNameAccess],
])('paths, %s', (_, access) => {
  async function judge(operation: string, one: PathCase): Promise<Answer> {
    const before = await tree.outside();
    const answer = await call(access, ...OPERATIONS[operation]!(tree.input(one)));
    expect(await tree.outside()).toEqual(before);
    if (['write', 'edit'].includes(operation) && answer.outcome === 'ok') written = true;
    const shown = one.input === undefined ? answer.text : answer.text.replaceAll(JSON.stringify(one.input).slice(1, -1), '');
    for (const text of OUTSIDE_TEXTS) expect(shown).not.toContain(text);
    expect(answer.text).not.toContain(tree.root);
    expect(answer.text).not.toContain('\u001b');
    expect(answer.text).not.toContain('\\u001b');
    return answer;
  }

  it.each(pathCases.map((one) => [`${one.id} ${one.op}: ${one.why}`, one] as const))('%s', async (_name, one) => {
    const answer = await judge(one.op, one);
    expect(one.verdict).toContain(verdictOf(answer));
    if (verdictOf(answer) === 'allow' && one.op !== 'write') {
      expect(answer.text).toContain(await readFile(join(tree.root, one.target!), 'utf8'));
    }
  });

  it.each(Object.keys(OPERATIONS))('%s gives each path that must be denied the same verdict', async (operation) => {
    const denied = pathCases.filter((one) => one.verdict.length === 1 && one.verdict[0] === 'deny');
    expect(denied.length).toBeGreaterThan(10);
    for (const one of denied) expect([one.id, verdictOf(await judge(operation, one))]).toEqual([one.id, 'deny']);
  });

  it.each([
    ['link-in/b.txt', 'beta'],
    ['link-root/sub/b.txt', 'beta'],
    ['link-in/../a.txt', 'alpha'],
    ['..data/file.txt', 'dots'],
    ['...', 'three'],
    ['file..txt', 'two'],
    ['%2e%2e/inner.txt', 'pct'],
    ['back\\slash.txt', 'bs'],
    ['$HOME.txt', 'dollar'],
    ['~home.txt', 'tilde'],
    ['-dash.txt', 'dash'],
    ['{ROOT}/sub/deep/c.txt', 'gamma'],
    ['./sub//b.txt', 'beta'],
  ])('reads %j, which lies inside', async (input, text) => {
    const answer = await judge('read', { input } as PathCase);
    expect(answer).toMatchObject({ outcome: 'ok' });
    expect(answer.text).toContain(text);
  });

  it.each([
    ['link-file', 'deny'],
    ['link-abs/secret.txt', 'deny'],
    ['link-up/outside/secret.txt', 'deny'],
    ['chain1/secret.txt', 'deny'],
    ['link-evil/evil.txt', 'deny'],
    ['deep/link-deep/i.txt', 'deny'],
    ['hard.txt', 'deny'],
    ['pipe', 'deny'],
    ['sock', 'deny'],
    ['{ROOT_UPPER}/a.txt', 'deny'],
    ['a.txt/', 'deny'],
    ['a.txt/b', 'missing'],
    ['link-dangling-in', 'missing'],
    ['a.txt; cat {ROOT}/a.txt', 'missing'],
    ['\ud800.txt', 'deny'],
  ])('does not read %j', async (input, verdict) => {
    expect(verdictOf(await judge('read', { input } as PathCase))).toBe(verdict);
  });

  it.each(['link-dangling-out', 'link-dangling-dir/x.txt', 'link-dir/new.txt', 'link-file', 'hard.txt', 'pipe', '.', 'sub', 'new/'])(
    'does not write %j',
    async (input) => {
      expect(verdictOf(await judge('write', { input } as PathCase))).toBe('deny');
    },
  );

  it('writes through a link that stays inside', async () => {
    expect(await judge('write', { input: 'link-dangling-in' } as PathCase)).toMatchObject({ outcome: 'ok' });
    expect(await readFile(join(tree.root, 'sub/none.txt'), 'utf8')).toBe('written');
  });

  it('finds and searches without going through links', async () => {
    const found = await judge('find', { input: '.' } as PathCase);
    expect(found.text).toContain('sub/deep/c.txt');
    expect(found.text).not.toMatch(/link-dir\/|link-in\/|link-up\//);
    expect((await judge('search', { input: '.' } as PathCase)).text).not.toContain('hard.txt');
  });
});

it('never gives the text of a folder that is swapped in by a link', async () => {
  const access = new FileSystemAccess();
  const swap = join(tree.root, 'swap');
  let going = true;
  const swapping = (async () => {
    for (let turn = 0; going; turn++) {
      await unlink(swap);
      await symlink(turn % 2 === 0 ? '../outside' : 'sub', swap);
    }
  })();
  const seen = new Set<string>();
  for (let attempt = 0; attempt < 2_000; attempt++) {
    try {
      seen.add((await access.read(tree.root, 'swap/b.txt', { maxBytes: 1_000 })).bytes.toString());
    } catch (error) {
      seen.add((error as Error).name);
    }
  }
  going = false;
  await swapping;
  expect([...seen].sort()).toEqual(['ToolFailure', 'beta']);
}, 30_000);

describe('by the rules of Windows', () => {
  const ROOT = 'C:\\base\\box';
  const judge = (input: string) => judgePath(input, [ROOT], 'win32');

  it.each(pathCases.filter((one) => one.win32 !== undefined).map((one) => [one.id, one.input!, one.win32!] as const))(
    '%s %j is %s',
    (_, input, verdict) => {
      expect(judge(input).ok).toBe(verdict !== 'deny');
    },
  );

  it.each([
    '..\\outside',
    'a\\..\\..\\b',
    'C:secret.txt',
    'D:\\x',
    'c:',
    '\\windows',
    '/windows',
    '//server/share',
    '\\\\?\\C:\\base\\box\\a.txt',
    'a.txt:stream',
    'a.txt::$DATA',
    'con',
    'sub\\NUL.txt',
    'com1',
    'LPT\u00b9',
    'CONIN$',
    'prn .txt',
    'a.txt.',
    'a.txt ',
    '... ',
    'a<b',
    'a|b',
    'C:\\base\\box-evil\\x',
    'C:\\base\\box\\..\\outside',
    'file:///C:/base',
  ])('%j is refused', (input) => {
    expect(judge(input).ok).toBe(false);
  });

  it.each([
    ['a.txt', ['a.txt']],
    ['sub/b.txt', ['sub', 'b.txt']],
    ['sub\\..\\a.txt', ['a.txt']],
    ['c:\\BASE\\box\\a.txt', ['a.txt']],
    ['C:/base/box', []],
    ['console.txt', ['console.txt']],
    ['com10', ['com10']],
    ['.env', ['.env']],
  ])('%j is inside', (input, segments) => {
    expect(judge(input)).toMatchObject({ ok: true, segments });
  });
});
