import 'reflect-metadata';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import * as toolwright from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';
import * as typedi from 'typedi';
import type * as ts from 'typescript';
import { BLOCKS } from './blocks';
import { section, textOf } from './pages';
import { runBlock } from './run-block';
import { behaviourOf, TOOL_RULES } from '../../src/tools/tool-options-reader';

const page = textOf('docs/tools.md');
type Class = new (...args: never[]) => object;

/** The classes of the page, all its blocks together being one program. */
async function classesOfPage(options: ts.CompilerOptions = {}): Promise<ReadonlyMap<string, Class>> {
  const code = BLOCKS.filter((block) => block.page === 'docs/tools.md')
    .map((block) => block.code)
    .join('\n');
  const names = [...code.matchAll(/^class (\w+)/gm)].map(([, name]) => name!);
  const exported = await runBlock(
    `${code}\nexport const classes = { ${names.join(', ')} };`,
    { modules: { toolwright, typedi, 'class-validator': classValidator, 'class-transformer': classTransformer } },
    options,
  );
  return new Map(Object.entries(exported['classes'] as Record<string, Class>));
}

test('every class of the page can be used as declared', async () => {
  const classes = await classesOfPage();
  const toolsOf = (name: string) => toolwright.defaultRegistry.toolsOf(classes.get(name)!).map((tool) => tool.name);
  expect([...classes.keys()].filter((name) => toolsOf(name).length > 0)).toEqual([
    'Journeys',
    'Station',
    'Typed',
    'Bookings',
    'Files',
    'Librarian',
    'Helper',
  ]);
  expect(toolsOf('Journeys')).toEqual(['find_trains']);
  expect(toolsOf('Librarian')).toEqual(['fs_read_file']);
  expect(toolsOf('Helper')).toEqual(['sum', 'search_docs', 'raw_search']);
});

test('the agent of the page that needs no metadata works without any', async () => {
  const Station = (await classesOfPage({ emitDecoratorMetadata: false })).get('Station')!;
  const model = scripted([
    callTool('departures', { day: '2026-05-01', stops: ['Oslo'] }),
    callTool('delays', { line: '4', unit: 's' }),
    say('Done.'),
  ]);
  const { toolCalls } = await new toolwright.AgentRunner({ modelOverride: model }).run(
    Station as unknown as new () => toolwright.Agent,
    'Go',
  );
  expect(toolCalls.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
});

test('the booking of the page is checked as the page says', async () => {
  const Bookings = (await classesOfPage()).get('Bookings')!;
  class Clerk extends toolwright.Agent {}
  toolwright.AgentConfig({ toolsets: [Bookings] })(Clerk);
  const passenger = { name: 'Ada', email: 'ada@example.com', age: '36' };
  const model = scripted([
    callTool('book', { train: 'IC 81', passengers: [passenger] }),
    callTool('book', { train: 'IC 81', passengers: [{ ...passenger, age: 121 }], evil: 1 }),
    say('Done.'),
  ]);
  const { toolCalls } = await new toolwright.AgentRunner({ model }).run(Clerk, 'Go');
  expect(toolCalls.map(({ outcome }) => outcome)).toEqual(['ok', 'invalid']);
  expect(toolCalls[0]!.arguments).toMatchObject({ passengers: [{ age: 36 }] });
  expect(JSON.stringify(toolCalls[1]!.content)).toMatch(/passengers\[0\]\.age.*evil/);
});

test('the table of options is that of the code, defaults included', () => {
  const rows = [...section(page, '## Options of a tool').matchAll(/^\| `(\w+)`\s*\| (.*?)\s*\|/gm)].map(
    ([, name, given]) => [name!, given!] as const,
  );
  expect(rows.map(([name]) => name).sort()).toEqual([...TOOL_RULES.keys()].sort());
  const behaviour = behaviourOf({}) as unknown as Record<string, unknown>;
  for (const [name, given] of rows) {
    if (['name', 'label', 'description'].includes(name)) continue;
    const shown = typeof behaviour[name] === 'string' ? `'${behaviour[name]}'` : JSON.stringify(behaviour[name]);
    expect(`${name}: ${given.replace(/`/g, '').replace(/(?<=\d)_(?=\d)/g, '')}`).toBe(`${name}: ${shown ?? 'undefined'}`);
  }
});
