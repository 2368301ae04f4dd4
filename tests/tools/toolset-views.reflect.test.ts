import { Agent, AgentConfig, Param, Tool, ToolContext, ToolDefinitionError, Toolset, defineTool, toolset } from 'toolwright';
import type { ToolsetRef } from 'toolwright';
import { defaultRegistry, ToolRegistry } from '../../src/tools/tool-registry';

@Toolset({ prefix: 'fs_' })
class Files {
  @Tool('Reads a file') readFile(@Param('path', 'A path') path: string): string {
    return path;
  }
  @Tool({ description: 'Deletes a file', annotations: { destructive: true } }) deleteFile(@Param('path', 'A path') path: string): string {
    return path;
  }
}

/** The tools of an agent that lists one toolset. */
function listed(ref: ToolsetRef) {
  @((AgentConfig as any)({ toolsets: [ref] }))
  class Lister extends Agent {}
  return new ToolRegistry().toolsOf(Lister);
}
const names = (ref: ToolsetRef): string[] => listed(ref).map((tool) => tool.name);

test('views rename, choose and prefix; each gives a new one and leaves the old as it was', () => {
  const whole = toolset(Files);
  const renamed = whole.renamed({ fs_read_file: 'cat' });
  expect(names(whole.prefixed('b_'))).toEqual(['b_fs_read_file', 'b_fs_delete_file']);
  expect(names(whole.only('fs_delete_file'))).toEqual(['fs_delete_file']);
  expect(names(whole.without('fs_delete_file'))).toEqual(['fs_read_file']);
  expect(names(renamed)).toEqual(['cat', 'fs_delete_file']);
  expect(names(renamed.prefixed('x_'))).toEqual(['x_cat', 'x_fs_delete_file']);
  expect(names(whole)).toEqual(['fs_read_file', 'fs_delete_file']);
  expect(names(toolset(whole))).toEqual(['fs_read_file', 'fs_delete_file']);
  expect(Object.isFrozen(whole)).toBe(true);
});

test("a tool may also be meant by its method's name, whatever prefix it got", () => {
  expect(names(toolset(Files).prefixed('b_').only('read_file').renamed({ read_file: 'cat' }))).toEqual(['cat']);
});

test.each([
  ['only', (name: string) => toolset(Files).only(name)],
  ['without', (name: string) => toolset(Files).without(name)],
  ['renamed', (name: string) => toolset(Files).renamed({ [name]: 'x' })],
])('%s with a name that no tool has is an error with the nearest', (_, view) => {
  expect(() => names(view('fs_raed_file'))).toThrow(/there is no tool `fs_raed_file` here\. Did you mean `fs_read_file`\?/);
  for (const hostile of ['constructor', '__proto__', 'toString']) expect(() => names(view(hostile))).toThrow(ToolDefinitionError);
});

test('renaming keeps the contract, the owner and what runs', () => {
  const [cat] = listed(toolset(Files).only('fs_read_file').renamed({ fs_read_file: 'cat' }));
  expect(cat).toMatchObject({ name: 'cat', owner: 'Files.readFile', label: 'Read file' });
  expect(cat?.call(new Files(), { path: '/a' }, {} as ToolContext)).toBe('/a');
});

test('a name that becomes illegal through a view is told', () => {
  expect(() => names(toolset(Files).prefixed('a b'))).toThrow(/toolset\(Files\)\.prefixed\("a b"\).*not legal/);
  expect(() => names(toolset(Files).renamed({ fs_read_file: 'x'.repeat(65) }))).toThrow(/65 characters/);
});

test('two tools may not get the same name by renaming', () => {
  expect(() => names(toolset(Files).renamed({ fs_read_file: 'fs_delete_file' }))).toThrow(/both Files\.readFile and Files\.deleteFile/);
});

test('configured wins over what the author wrote, key by key, and defaults follow', () => {
  const options = Object.freeze({ timeout: 7, annotations: Object.freeze({ idempotent: true }), tags: Object.freeze(['mine']) });
  const view = toolset(Files).configured(options);
  const [read, remove] = listed(view);
  expect(read?.behaviour).toMatchObject({ timeout: 7, retries: 1, tags: ['mine'], annotations: { idempotent: true } });
  expect(remove?.behaviour.annotations).toEqual({ destructive: true, idempotent: true });
  expect(listed(view).map((tool) => tool.behaviour)).toEqual(listed(view).map((tool) => tool.behaviour));
  expect(defaultRegistry.ownToolsOf(Files)[0]?.behaviour.timeout).toBe(30_000);
});

test('configured is checked: unknown options, names, one text for many tools', () => {
  expect(() => listed(toolset(Files).configured({ timeuot: 3 } as never))).toThrow(/`timeuot`\. Did you mean `timeout`/);
  expect(() => listed(toolset(Files).configured({ name: 'x' }))).toThrow(/renamed/);
  expect(() => listed(toolset(Files).configured({ description: 'x' }))).toThrow(/the same for 2 tools/);
  expect(listed(toolset(Files).only('fs_read_file').configured({ description: 'x' }))[0]?.description).toBe('x');
  expect(names(toolset(Files).configured({ enabled: false }))).toEqual([]);
});

test('an instance, a proxy of one, a runtime subclass and an object with a re-bound method all expose the tools', () => {
  class Bound extends Files {
    constructor() {
      super();
      this.readFile = this.readFile.bind(this);
    }
  }
  const Runtime = class extends Files {};
  for (const ref of [new Files(), new Proxy(new Files(), {}), new Bound(), new Runtime(), Object.create(new Files()) as object, Runtime])
    expect(names(ref)).toEqual(['fs_read_file', 'fs_delete_file']);
});

test('a list of tools is a toolset', () => {
  const sum = defineTool({ name: 'sum', description: 'Adds', parameters: { a: Number, b: Number }, execute: ({ a, b }) => a + b });
  const list = [sum];
  const view = toolset(list).prefixed('math_');
  list.pop();
  expect(names(view)).toEqual(['math_sum']);
});

test.each([
  ['a class without tools', class Empty {}, /Empty: it is listed as a toolset, but has no @Tool\(\) methods/],
  ['an object without tools', {}, /no toolset|no @Tool/],
  ['an empty list', toolset([]), /it is empty/],
  ['a tool', defineTool({ name: 'sum', description: 'x', execute: () => 1 }), /`sum`: it is one tool, not a toolset.*\n.*tools: \[sum\]/],
  ['null', null, /null is no toolset/],
  ['a number', 3, /3 is no toolset/],
  ['an object without prototype', Object.create(null), /no toolset/],
])('%s is no toolset', (_, ref, message) => {
  expect(() => names(ref as ToolsetRef)).toThrow(ToolDefinitionError);
  expect(() => names(ref as ToolsetRef)).toThrow(message);
});

test('the same toolset listed by a base and its subclass counts once; two different tools of one name are an error with a hint', () => {
  @AgentConfig({ toolsets: [Files] })
  class Base extends Agent {}
  @AgentConfig({ toolsets: [Files] })
  class Sub extends Base {}
  expect(new ToolRegistry().toolsOf(Sub).map((tool) => tool.name)).toEqual(['fs_read_file', 'fs_delete_file']);

  class Web {
    @Tool({ name: 'fs_read_file', description: 'x' }) read(): void {}
  }
  @AgentConfig({ toolsets: [Web] })
  class Clash extends Base {}
  expect(() => new ToolRegistry().toolsOf(Clash)).toThrow(
    /`fs_read_file`: it belongs to both Files\.readFile and Web\.read.*\n.*prefixed\('web_'\)/,
  );
});

test('a toolset listed twice is told so, and a prefix that is no text', () => {
  @AgentConfig({ toolsets: [Files, toolset(Files)] })
  class Twice extends Agent {}
  expect(() => new ToolRegistry().toolsOf(Twice)).toThrow(/`fs_read_file`: Files\.readFile is listed twice under it/);
  expect(() => names(toolset(Files).prefixed(undefined as unknown as string))).toThrow(/prefixed\(undefined\): the prefix is no text/);
});

test('two values of one name are two tools, and one value listed twice is one', () => {
  const make = () => defineTool({ name: 'sum', description: 'Adds', execute: () => 0 });
  const sum = make();
  @AgentConfig({ tools: [sum, make()] })
  class Two extends Agent {}
  @AgentConfig({ tools: [sum], toolsets: [toolset([sum]).only('sum')] })
  class Once extends Agent {}
  expect(() => new ToolRegistry().toolsOf(Two)).toThrow(/`sum`: it belongs to both defineTool\('sum'\) and .*\n.*\{ name: '…' \}/);
  expect(() => new ToolRegistry().toolsOf(Once)).toThrow(/`sum`: defineTool\('sum'\) is listed twice under it/);
});
