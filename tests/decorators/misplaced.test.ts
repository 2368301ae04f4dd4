import { Agent, AgentConfig, Args, Ctx, Field, Param, Preview, Tool, ToolContext, Toolset, UsageError } from 'toolwright';
import { ownFacts } from '../../src/metadata/facts';

// The compiler refuses all of these; JavaScript, and casts, do not.
const tool = Tool('x') as any;
const param = Param('x') as any;
const args = Args() as any;
const ctx = Ctx() as any;
const field = Field('x') as any;
const preview = Preview('x') as any;
const agentConfig = AgentConfig({}) as any;
const toolset = Toolset({}) as any;
const symbol = Symbol('of');

const faultsOf = (cls: Function) => ownFacts(cls).misplaced;

test('@Tool on what is no method of an instance is recorded, and is no tool', () => {
  class Wrong {
    @tool static make() {}
    @tool handler = () => 1;
    @tool get size() {
      return 1;
    }
    @tool [symbol]() {}
    run(@tool a: string) {
      return a;
    }
  }
  tool(Wrong);
  expect(ownFacts(Wrong).tools).toEqual([]);
  expect(faultsOf(Wrong)).toEqual([
    { where: 'Wrong.handler', what: '@Tool() stands on a property.', fix: 'Move it to a method.' },
    { where: 'Wrong.size', what: '@Tool() stands on an accessor.', fix: 'Move it to a method.' },
    {
      where: 'Wrong[Symbol(of)]',
      what: '@Tool() stands on a member named by a symbol, but models know only text.',
      fix: 'Give the member a plain name.',
    },
    { where: 'Wrong.run, parameter #0', what: '@Tool() stands on a parameter.', fix: 'Move it to a method.' },
    {
      where: 'static Wrong.make',
      what: '@Tool() stands on a static member, which belongs to no instance.',
      fix: 'Remove `static`.',
    },
    { where: 'Wrong', what: '@Tool() stands on the class.', fix: 'Move it to a method.' },
  ]);
});

test('@Param, @Args and @Ctx on what is no parameter of a tool method are recorded', () => {
  class Wrong {
    constructor(@param readonly a: string) {}
    @args property!: string;
    @ctx method() {}
    static make(@param a: string) {
      return a;
    }
    [symbol](a: ToolContext) {
      return a;
    }
  }
  ctx(Wrong.prototype, symbol, 0);
  expect(ownFacts(Wrong).parameters).toEqual([]);
  expect(faultsOf(Wrong).map((fault) => fault.where)).toEqual([
    'Wrong.property',
    'Wrong.method',
    'static Wrong.make, parameter #0',
    'Wrong, constructor parameter #0',
    'Wrong[Symbol(of)], parameter #0',
  ]);
  expect(faultsOf(Wrong)[3]).toEqual({
    where: 'Wrong, constructor parameter #0',
    what: '@Param() stands on a constructor parameter, which the container injects.',
    fix: 'Remove it; @Param() belongs on a parameter of a tool method.',
  });
});

test('@Field, @Preview, @Toolset and @AgentConfig in wrong places are recorded', () => {
  class Wrong {
    @field method() {}
    @preview property = 1;
    @toolset other() {}
    @agentConfig another() {}
    @field static shared = 1;
    @field set written(_: string) {}
  }
  const facts = ownFacts(Wrong);
  expect([facts.fields, facts.previews, facts.toolset, facts.agent]).toEqual([[], [], undefined, undefined]);
  expect(facts.misplaced.map((fault) => `${fault.where}: ${fault.what}`)).toEqual([
    'Wrong.method: @Field() stands on a method.',
    'Wrong.property: @Preview() stands on a property.',
    'Wrong.other: @Toolset() stands on a method.',
    'Wrong.another: @AgentConfig() stands on a method.',
    'Wrong.written: @Field() stands on an accessor.',
    'static Wrong.shared: @Field() stands on a static member, which belongs to no instance.',
  ]);
});

test('a class configured twice keeps one configuration and says so', () => {
  @AgentConfig({ name: 'outer' })
  @AgentConfig({ name: 'inner' })
  class Twice extends Agent {}
  expect(ownFacts(Twice).agent).toEqual({ name: 'inner' });
  expect(faultsOf(Twice)).toEqual([{ where: 'Twice', what: '@AgentConfig() is written twice on one class.', fix: 'Keep one of them.' }]);
});

test('@Preview of something that is no name is recorded', () => {
  class Wrong {
    @(Preview(3 as unknown as string) as any) method() {}
  }
  expect(ownFacts(Wrong).previews).toEqual([]);
  expect(faultsOf(Wrong)[0]!.fix).toContain("@Preview('deleteFile')");
});

test.each([
  ['@Tool()', tool, 'method'],
  ['@Param()', param, 'method'],
  ['@Args()', args, 'method'],
  ['@Ctx()', ctx, 'method'],
  ['@Field()', field, 'field'],
  ['@Preview()', preview, 'method'],
  ['@Toolset()', toolset, 'class'],
  ['@AgentConfig()', agentConfig, 'class'],
])('%s called as a standard decorator names the compiler option to set', (name, decorator, kind) => {
  const call = () => decorator(class {}, { kind, name: 'x', static: false, private: false, addInitializer() {} });
  expect(call).toThrow(UsageError);
  expect(call).toThrow(
    `${name} was called as a standard decorator: set "experimentalDecorators": true (and "emitDecoratorMetadata": true) in tsconfig.json.`,
  );
});

test.each([undefined, null, 5, {}, { constructor: Object }, Object.create({ constructor: class {} })])(
  'a call on %p, which is no class, says so and leaves every class as it was',
  (target) => {
    expect(() => tool(target, 'x', { value: () => 1 })).toThrow(UsageError);
    expect(ownFacts(Object)).toEqual(ownFacts(class {}));
  },
);
