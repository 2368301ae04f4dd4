import 'reflect-metadata';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { callTool, cutStream, fail, say, scripted } from 'toolwright/testing';
import { modelFrom } from './command-line';
import { demo, type DemoSurroundings } from './demo';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'demo-'));
  const files = {
    'lib/orchard/pear.rb': 'class Pear\nend\n',
    'lib/orchard/basket.rb': 'Pear.new\nPear.new\n',
    'handbook/harvest rules.md': '# Harvest\n\nPick before noon.\nNever shake the tree.\n',
    'README.md': 'The Pear is ripe when class Pear says so.\n',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function run(args: readonly string[], options: Partial<DemoSurroundings> = {}): Promise<{ code: number; output: string }> {
  let output = '';
  const code = await demo(args, { environment: {}, write: (text) => (output += text), ...options });
  return { code, output };
}

describe('npm run demo', () => {
  it('names the file that defines something, with the offline model and every step shown', async () => {
    const { code, output } = await run(['Which file defines Pear?', '--root', root]);
    expect(output).toMatch(/^Model: offline: \(embedded/);
    expect(output).toMatch(/-> Search files\(query: "Pear"\)\n {3}ok, \d+ ms\n/);
    expect(output).toContain('It is most likely in lib/orchard/pear.rb:');
    expect(output).toMatch(/Usage: 2 requests, 1 call,/);
    expect(code).toBe(0);
  });

  it('finds what a file with blanks in its name says', async () => {
    const { code, output } = await run(['When should I pick in the harvest?', '--root', root]);
    expect(output).toContain('handbook/harvest rules.md');
    expect(output).toContain('Pick before noon.');
    expect(code).toBe(0);
  });

  it.each([
    ['List the files in lib', ['lib/orchard/basket.rb', 'lib/orchard/pear.rb']],
    ['How many files are in lib?', ['Found: 2.', 'lib/orchard/basket.rb', 'lib/orchard/pear.rb']],
    ['What folders are there?', ['README.md', 'handbook/harvest rules.md', 'lib/orchard/basket.rb', 'lib/orchard/pear.rb']],
    ['Show me lib/orchard/basket.rb', ['Pear.new', 'Pear.new']],
    ['How often, and how many times, does Pear occur?', ['Found: 4.', 'class Pear']],
    ['Welche Datei definiert basket_of_pears?', ['No file contains "basket_of_pears".']],
    ['basket_of_pearsはどこで定義されていますか', ['No file contains "basket_of_pears".']],
    ['Read ../x.md', ['There is no "../x.md"']],
  ])('answers %j', async (question, parts) => {
    const { output } = await run([question, '--root', root]);
    const answer = output.slice(output.lastIndexOf(' ms\n'));
    for (const part of parts) expect(answer).toContain(part);
    expect(answer).not.toMatch(/total:|note:|untrusted/);
  });

  it('takes a question without quotation marks, and has a default', async () => {
    expect((await run(['Which', 'file', 'defines', 'Pear?', '--root', root])).output).toContain('lib/orchard/pear.rb');
    expect((await run(['--root', root])).output).toContain('query: "AgentRunner"');
  });

  it.each([
    [['--depth', '3'], /Unknown option '--depth'[^]*Usage: npm run demo/],
    [['--root', '/no/such/place'], /"\/no\/such\/place" is no directory that can be read \(ENOENT\)[^]*Usage:/],
    [['--root', __filename], /is no directory that can be read \(ENOTDIR\)[^]*Usage:/],
    [['--root', `${__filename}/below`], /is no directory that can be read \(ENOTDIR\)[^]*Usage:/],
    [['--root'], /Usage:/],
  ])('answers %j with the usage and code 2', async (args, text) => {
    const { code, output } = await run(args);
    expect(output).toMatch(text);
    expect(code).toBe(2);
  });

  it('shows its usage when asked', async () => {
    expect(await run(['--help'])).toEqual({ code: 0, output: expect.stringMatching(/^Usage:/) as string });
  });

  it('fails with a sentence when the model does', async () => {
    const failed = await run(['--root', root], { model: scripted([fail('The server is down.')]) });
    expect(failed.output).toContain('The server is down.');
    const keyless = await run(['--root', root], { environment: { TOOLWRIGHT_MODEL: 'gpt-5-mini' } });
    expect(keyless.output).toMatch(/OPENAI_API_KEY is not set\.\nSet OPENAI_API_KEY/);
    expect(failed.code).toBe(1);
    const cut = await run(['--root', root], { model: scripted([[say('Half an'), cutStream()]]) });
    expect(cut.output).toContain('Half an');
    expect(cut.code).toBe(1);
  });

  it('ends early at a limit, and says so by its code', async () => {
    const looping = Array.from({ length: 10 }, (_, at) => callTool('list_files', { folder: at % 2 === 0 ? 'lib' : '' }));
    const { code, output } = await run(['--root', root], { model: scripted([...looping, say('Enough.')], { strict: false }) });
    expect(output).toMatch(/ended early: (limit|loop)/);
    expect(code).toBe(1);
  });

  it('stops at once when it is interrupted', async () => {
    const controller = new AbortController();
    const model = scripted([
      () => {
        controller.abort(new Error('Interrupted.'));
        return [say('never read')];
      },
    ]);
    const { code, output } = await run(['--root', root], { model, signal: controller.signal });
    expect(output).toContain('AbortError');
    expect(output).not.toContain('never read');
    expect(code).toBe(1);
  });

  it('does not let a model or a file steer the terminal', async () => {
    const { output } = await run(['--root', root], { model: scripted([say('\u001b[2Jhello\u0007')]) });
    expect(output).toContain('[2Jhello');

    expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });
});

describe('the model that the environment asks for', () => {
  it.each([
    [{}, 'offline:'],
    [{ OPENAI_API_KEY: ' ' }, 'offline:'],
    [{ OPENAI_API_KEY: 'k' }, 'openai:gpt-5-mini'],
    [{ OPENAI_API_KEY: 'k', TOOLWRIGHT_MODEL: 'gpt-5' }, 'openai:gpt-5'],
    [{ TOOLWRIGHT_MODEL: 'ollama:qwen3:8b' }, 'ollama:qwen3:8b'],
    [{ OPENAI_BASE_URL: 'http://localhost:9/v1', TOOLWRIGHT_MODEL: 'm' }, 'openai:m'],
  ])('%j gives %s', (environment, model) => {
    expect(modelFrom(environment)).toBe(model);
  });
});
