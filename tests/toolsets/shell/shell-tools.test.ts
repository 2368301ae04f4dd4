import 'reflect-metadata';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, AgentConfig, type ApprovalRequest, type RunEvent, type RunResult } from 'toolwright';
import { callTool, createTestRunner, say, scripted } from 'toolwright/testing';
import { ProcessRunner, ShellTools, type ShellOptions } from 'toolwright/toolsets';
import { OutputWindow } from '../../../src/toolsets/shell/output-window';
import { pathCases, PathTree } from '../files/path-tree';

let root: string;
beforeEach(async () => (root = await realpath(await mkdtemp(join(tmpdir(), 'shell-')))));
afterEach(() => rm(root, { recursive: true, force: true }));

const NODE = process.execPath;

interface Play {
  readonly options?: ShellOptions;
  readonly asked?: ApprovalRequest[];
  readonly events?: RunEvent[];
  readonly signal?: AbortSignal;
  readonly at?: string;
}

async function play(args: Record<string, unknown>, { options, asked, events, signal, at = root }: Play = {}): Promise<RunResult> {
  @AgentConfig({
    instructions: 'You run commands.',
    toolsets: [ShellTools.at(at, { shell: true, ...options })],
    approve: (request) => {
      asked?.push(request);
      return true;
    },
  })
  class ShellAgent extends Agent {}
  const runner = createTestRunner({ model: scripted([callTool('run_command', args), say('Done.')], { strict: false }) });
  return runner.run(ShellAgent, 'Go.', { onEvent: (event) => void events?.push(event), ...(signal === undefined ? {} : { signal }) });
}

function said(result: RunResult): string {
  const message = result.messages.findLast((one) => one.role === 'tool')!;
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

const run = async (command: string[], options?: ShellOptions, more: Record<string, unknown> = {}) =>
  said(await play({ command, ...more }, options === undefined ? {} : { options }));

/** Whether a process that wrote its number to a file is still there. */
function isAlive(file: string): boolean {
  const pid = readFileSync(join(root, file), 'utf8').trim();
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('It never came true.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('run_command', () => {
  it('gives the exit code and what was written to both outputs, as untrusted', async () => {
    const result = await play({ command: ['sh', '-c', 'echo out; echo err >&2; exit 3'] });
    expect(said(result)).toMatch(/^\[exit code 3, \d+\.\d s\]\n(?:out\nerr|err\nout)\n$/);
    expect(result.toolCalls[0]).toMatchObject({ outcome: 'ok' });
    expect(result.messages.findLast((one) => one.role === 'tool')).toMatchObject({ trust: 'untrusted' });
  });

  it('passes arguments as they are: nothing is expanded', async () => {
    const odd = ['a b', '$HOME', '*', '"; touch pwned; "', '`id`', ''];
    expect(await run([NODE, '-p', 'JSON.stringify(process.argv.slice(1))', ...odd])).toContain(JSON.stringify(odd));
  });

  it('always asks, and shows the command as one would type it', async () => {
    await mkdir(join(root, 'sub'));
    const asked: ApprovalRequest[] = [];
    await play({ command: ['echo', "it's", 'red\u001b[31m'], cwd: 'sub', timeout_seconds: 5 }, { asked });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ why: { cause: 'tool' }, preview: `cd sub && echo 'it'\\''s' 'red\\u001b[31m'   (at most 5 s)` });
  });

  it('runs nothing where nobody can be asked', async () => {
    @AgentConfig({ instructions: 'x', toolsets: [ShellTools.at(root)] })
    class Unasked extends Agent {}
    const model = scripted([callTool('run_command', { command: ['touch', 'made'] }), say('Done.')]);
    const result = await createTestRunner({ model }).run(Unasked, 'Go.');
    expect(result.toolCalls[0]).toMatchObject({ outcome: 'denied', reason: 'approval_unavailable' });
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it('gives commands only what is on the list of the environment', async () => {
    process.env.TEST_SECRET = 'hush';
    process.env.TEST_ALLOWED = 'yes';
    try {
      const names = async (options?: ShellOptions) => (await run(['env'], options)).split('\n').map((line) => line.split('=')[0]);
      expect(await names()).toEqual(expect.arrayContaining(['PATH', 'TERM']));
      expect(await names()).not.toContain('TEST_SECRET');
      const more = await names({ env: ['TEST_ALLOWED'] });
      expect(more).toContain('TEST_ALLOWED');
      expect(more).not.toContain('TEST_SECRET');
      expect(await run(['env'], { env: { GREETING: 'hello' } })).toContain('GREETING=hello');
    } finally {
      delete process.env.TEST_SECRET;
      delete process.env.TEST_ALLOWED;
    }
  });

  it('has nothing to read, so nothing waits for an answer', async () => {
    expect(await run(['cat'])).toMatch(/exit code 0.*\n\[no output\]/);
  });

  it.each([
    [['no-such-program-here'], undefined, /could not be started: there is no such program/],
    [['git status'], undefined, /each argument as items of the list/],
    [[''], undefined, /must name a program/],
    [['a\0b'], undefined, /no zero character/],
    [['sh', '-c', 'ls'], { shell: false }, /There is no shell here/],
    [['/bin/bash', '-c', 'ls'], { shell: false }, /There is no shell here/],
    [['rm', '-rf', '/'], { programs: ['git', 'npm'] }, /"rm" may not be run here. What may: git, npm/],
  ])('refuses %j', async (command, options, why) => {
    expect(await run(command, options)).toMatch(why);
  });

  it('says of a command that the system does not take what to do instead', async () => {
    expect(await run(['echo', ...Array<string>(6).fill('é'.repeat(100_000))])).toMatch(
      /"echo" could not be started: its arguments are too long/,
    );
    await writeFile(join(root, 'notes.txt'), '');
    expect(await run([join(root, 'notes.txt', 'tool')])).toMatch(/could not be started: there is no such program/);
  });

  it('does not take a text for a list', async () => {
    const result = await play({ command: 'rm -rf /' });
    expect(result.toolCalls[0]).toMatchObject({ outcome: 'invalid' });
  });

  it('streams the output, and caps it', async () => {
    const events: RunEvent[] = [];
    const command = [NODE, '-e', 'for (let i = 0; i < 50_000; i++) console.log(`line ${i} \\x1b[31mred\\x1b[0m`)'];
    const text = said(await play({ command }, { events }));
    expect(text).toContain('line 0 red');
    expect(text).toContain('line 49999 red');
    expect(text).toMatch(/\[… \d+ characters left out …\]/);
    expect(text.length).toBeLessThan(20_000);
    expect(text).not.toContain('\u001b');
    const updates = events.filter((event) => event.type === 'tool.update');
    expect(updates.length).toBeGreaterThan(0);
    for (const update of updates) expect(JSON.stringify(update.data).length).toBeLessThan(10_000);
  });

  it('does not break characters that arrive in pieces', async () => {
    const script =
      'const b = Buffer.from("äöü€".repeat(3000)); let i = 0; const w = () => i < b.length && process.stdout.write(b.subarray(i, i += 1001), w); w()';
    expect(await run([NODE, '-e', script])).not.toContain('\ufffd');
  });
});

describe('the folder of a command', () => {
  it('is the one that was asked for, below the root', async () => {
    await mkdir(join(root, 'sub'));
    await symlink('sub', join(root, 'link'));
    expect(await run(['pwd'])).toContain(`\n${root}\n`);
    expect(await run(['pwd'], {}, { cwd: 'link' })).toContain(`\n${root}/sub\n`);
    expect(await run([NODE, '-p', 'process.cwd()'], {}, { cwd: 'sub' })).toContain(`\n${root}/sub\n`);
  });

  it('is held to the same paths as files are', async () => {
    const tree = await PathTree.make();
    try {
      const must = pathCases.filter((one) => one.verdict.length === 1 && one.verdict[0] === 'deny');
      for (const one of must) {
        const result = await play({ command: ['ls'], cwd: tree.input(one) }, { at: tree.root });
        expect([one.id, result.toolCalls[0]!.outcome === 'ok']).toEqual([one.id, false]);
        expect(said(result)).not.toMatch(/secret\.txt\n|evil\.txt\n/);
        expect(said(result)).not.toContain(tree.root);
      }
      for (const cwd of ['link-dir', 'link-up', 'a.txt', 'pipe', 'nope'])
        expect((await play({ command: ['ls'], cwd }, { at: tree.root })).toolCalls[0]!.outcome).toBe('error');
    } finally {
      await tree.remove();
    }
  }, 30_000);
});

describe('the end of a command', () => {
  it('comes when its time is up, with what it had written', async () => {
    const text = await run(['sh', '-c', 'echo begun; sleep 60'], {}, { timeout_seconds: 1 });
    expect(text).toMatch(/^\[ended after 1 s: its time was up\]\nbegun/);
  });

  it('is asked for first, so that it can tidy up', async () => {
    const text = await run(['sh', '-c', 'trap "echo tidied; exit 0" TERM; echo begun; sleep 60 & wait'], {}, { timeout_seconds: 1 });
    expect(text).toContain('tidied');
  });

  it('comes also for one that does not want it', async () => {
    expect(await run(['sh', '-c', 'trap "" TERM; echo begun; while :; do sleep 0.1; done'], { maxSeconds: 1 })).toMatch(/its time was up/);
  });

  it('comes at once when the run is aborted, with all that it had started', async () => {
    const controller = new AbortController();
    const script = 'echo $$ > main; (echo $BASHPID > child; exec sleep 300) & setsid sh -c "echo \\$\\$ > away; exec sleep 300" & wait';
    const running = play({ command: ['bash', '-c', script] }, { signal: controller.signal });
    const failed = expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await until(() =>
      ['main', 'child', 'away'].every((file) => existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8') !== ''),
    );
    controller.abort();
    await failed;
    await until(() => !isAlive('main') && !isAlive('child') && !isAlive('away'));
  });

  it.each([
    ['in the background', '(echo $BASHPID > left; exec sleep 300) &'],
    ['in the background, with its outputs closed', '(echo $BASHPID > left; exec sleep 300) > /dev/null 2>&1 &'],
    ['in a session of its own', 'setsid sh -c "echo \\$\\$ > left; exec sleep 300" > /dev/null 2>&1 &'],
    ['as a child of nobody', '(setsid sh -c "(echo \\$\\$ > left; exec sleep 300) &" > /dev/null 2>&1 &)'],
    ['by nohup', 'nohup sh -c "echo \\$\\$ > left; exec sleep 300" > /dev/null 2>&1 &'],
  ])('leaves nothing that it started %s', async (_, start) => {
    const startedAt = Date.now();
    await run(['bash', '-c', `${start}\nwhile [ ! -s left ]; do sleep 0.01; done; echo done`]);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(isAlive('left')).toBe(false);
  });

  it('comes for one that forks for ever', async () => {
    await writeFile(join(root, 'fork.sh'), 'echo x >> count; sleep 0.05; (setsid sh fork.sh &) ; exit 0\n');
    await run(['sh', 'fork.sh']);
    const count = (): number => readFileSync(join(root, 'count'), 'utf8').length;
    const after = count();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(count()).toBe(after);
  });

  it('leaves other processes alone', async () => {
    const other = execFileSync('sh', ['-c', 'sleep 20 > /dev/null 2>&1 & echo $!'], { encoding: 'utf8' }).trim();
    await run(['sh', '-c', 'sleep 300 & echo hi']);
    expect(spawnSync('kill', ['-0', other]).status).toBe(0);
    process.kill(Number(other));
  });
});

describe('the toolset', () => {
  it('refuses options that it does not know or that are wrong', () => {
    expect(() => ShellTools.at('.', { maxSeconds: 601 })).toThrow(/from 1 to 600/);
    expect(() => ShellTools.at('.', { program: ['git'] } as ShellOptions)).toThrow(/no option `program`/);
    expect(() => new ShellTools(new ProcessRunner(), {} as never)).toThrow(/ShellTools.at/);
  });

  it('runs commands wherever the process runner does', async () => {
    @AgentConfig({ instructions: 'x', toolsets: [ShellTools.at(root)], approve: () => true })
    class Elsewhere extends Agent {}
    const runner = createTestRunner({
      model: scripted([callTool('run_command', { command: ['deploy'] }), say('Done.')]),
      overrides: [
        { provide: ProcessRunner, useValue: { run: async ({ onOutput }) => (onOutput('elsewhere'), { exitCode: 0, signal: null }) } },
      ],
    });
    expect(said(await runner.run(Elsewhere, 'Go.'))).toMatch(/exit code 0.*\nelsewhere/);
  });
});

it('an output window keeps the beginning and the end, and counts what is between', () => {
  const window = new OutputWindow(5, 5);
  for (let at = 0; at < 10_000; at++) window.add('x');
  window.add('last!');
  expect(window.text()).toBe('xxxxx\n[… 9995 characters left out …]\nlast!');
  const short = new OutputWindow(5, 5);
  for (const piece of ['abc', 'def', 'gh']) short.add(piece);
  expect(short.text()).toBe('abcdefgh');
});
