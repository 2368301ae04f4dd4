import 'reflect-metadata';
import { existsSync, readdirSync } from 'node:fs';
import { join, normalize } from 'node:path';
import * as toolwright from 'toolwright';
import * as testing from 'toolwright/testing';
import 'toolwright/testing/jest';
import * as typedi from 'typedi';
import * as ts from 'typescript';
import * as typescript59 from 'typescript-5.9';
import { BLOCKS } from './blocks';
import { firstColumn, PAGES, ROOT, textOf } from './pages';
import { runBlock } from './run-block';

/* The README's programs run as they stand; only the model is a scripted one. */

const readme = BLOCKS.filter(({ page }) => page === 'README.md');
function blockWith(text: string): string {
  const found = readme.filter(({ code }) => code.includes(text));
  if (found.length !== 1) throw new Error(`${found.length} blocks of the README hold "${text}".`);
  return found[0]!.code;
}

/** The package, with a runner that asks this model whatever the agent names. */
const packageWith = (model: toolwright.Model): typeof toolwright => ({
  ...toolwright,
  AgentRunner: class extends toolwright.AgentRunner {
    constructor(options: toolwright.RunnerOptions = {}) {
      super({ ...options, modelOverride: model });
    }
  },
});

/** The files and folders of the repository that a page links to, as paths from its root. */
const linksOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, path]) => normalize(join(page, '..', path!)));

test('the first agent runs as written', async () => {
  let log: (text: unknown) => void = () => undefined;
  const said = new Promise<unknown>((resolve) => (log = resolve));
  const model = testing.scripted([
    testing.callTool('roll_dice', { count: '2' }),
    testing.callTool('roll_dice', { count: 2.5 }),
    testing.say('You rolled.'),
  ]);
  await runBlock(blockWith('class DiceAgent'), {
    modules: { toolwright: packageWith(model) },
    globals: { console: { log } },
  });
  expect(await said).toBe('You rolled.');
  const [schema] = model.requests[0]!.tools;
  expect(schema!.parameters).toMatchObject({
    properties: { count: { type: 'integer', minimum: 1, maximum: 20 }, sides: { minimum: 2, default: 6 } },
    required: ['count'],
  });
  const results = model.requests.at(-1)!.messages.filter((message) => message.role === 'tool');
  expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'invalid']);
  expect(testing.transcriptText(results)).toMatch(/\[[1-6],[1-6]\][\s\S]*count/);
});

test('the compiler options of the README are options, also for TypeScript 5.9', () => {
  const [json] = textOf('README.md').match(/\{\s*"compilerOptions"[^`]*/)!;
  const { compilerOptions } = JSON.parse(json) as { compilerOptions: object };
  for (const compiler of [ts, typescript59]) {
    const { errors, options } = compiler.convertCompilerOptionsFromJson(compilerOptions, ROOT);
    expect(errors).toEqual([]);
    // Older ones would not find `toolwright/testing`.
    expect(options.module).toBe(ts.ModuleKind.NodeNext);
  }
});

test('the first test passes as written', async () => {
  const agent = await runBlock(blockWith('class WeatherAgent'), { modules: { toolwright, typedi } });
  const tests = new Map<string, () => Promise<void>>();
  await runBlock(blockWith('looks the weather up'), {
    modules: { 'toolwright/testing': testing, './weather-agent': agent },
    globals: { expect, test: (name: string, body: () => Promise<void>) => tests.set(name, body) },
  });
  expect([...tests.keys()]).toEqual(['looks the weather up before it answers']);
  for (const body of tests.values()) await body();
  expect.assertions(3);
});

test('the stream is read as written', async () => {
  const agent = await runBlock(blockWith('class WeatherAgent'), { modules: { toolwright, typedi } });
  const model = testing.scripted([testing.say('Yes, it is cold.')]);
  const written: string[] = [];
  await runBlock(blockWith('.stream('), {
    modules: {},
    globals: {
      AgentRunner: packageWith(model).AgentRunner,
      WeatherAgent: agent['WeatherAgent'],
      process: { stdout: { write: (text: string) => written.push(text) } },
      console,
    },
  });
  expect(written.join('')).toBe('Yes, it is cold.');
});

test('every page of the documentation is in the table of the README', () => {
  const linked = new Set(linksOf('README.md'));
  expect(PAGES.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([]);
});

test('the documentation is in the package, as the README is', () => {
  const { files } = JSON.parse(textOf('package.json')) as { files: readonly string[] };
  expect(files).toContain('docs/*.md');
});

test('every sample is in the list of samples, and its programs are there', () => {
  const page = textOf('samples/README.md');
  const folders = readdirSync(join(ROOT, 'samples'), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  expect(firstColumn(page)).toEqual(folders.sort());
  const programs = [...page.matchAll(/samples\/\S+\.ts/g)].map(([path]) => path);
  expect(programs).toHaveLength(5);
  expect(programs.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test.each(PAGES)('%s links to what is there', (page) => {
  expect(linksOf(page).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
