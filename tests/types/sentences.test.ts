import { complaints } from './compile';

const HEAD = `import { Agent, AgentConfig, Args, Ctx, Field, Param, Preview, Tool, ToolContext, Toolset, arrayOf, jsonSchema } from 'toolwright'; import type { AgentOptions, ParamOptions, RunContext } from 'toolwright'; class Order { item!: string } class Other { x!: number } enum Unit { C = 'c' }`;

const method = (text: string, agent = 'Agent<string, { user: string }>') => `class A extends ${agent} { ${text} }`;

/** A line of code, and the sentence that the compiler must answer with. */
const CASES: [code: string, sentence: string][] = [
  [
    method(`@Tool('x') m(@Param('xs') xs: number[]) {}`),
    "Reflection cannot see the type of parameter `xs` of `m`: write @Param('xs', { type: arrayOf(Number) }).",
  ],
  [
    method(`@Tool('x') m(@Param('u') u: 'a' | 'b') {}`),
    "Reflection cannot see the type of parameter `u` of `m`: write @Param('u', { enum: […] }).",
  ],
  [method(`@Tool('x') m(@Param('u') u: Unit) {}`), 'enum: […]'],
  [method(`@Tool('x') m(@Param('u') u: [string, number]) {}`), 'type: tupleOf(…)'],
  [method(`@Tool('x') m(@Param('u') u: string | number) {}`), 'type: oneOf(…)'],
  [method(`@Tool('x') m(@Param('u') u: string | null) {}`), 'type: nullable(String)'],
  [method(`@Tool('x') m(@Param('u') u: Record<string, number>) {}`), 'type: recordOf(Number)'],
  [method(`@Tool('x') m(@Param('u') u: Order) {}`), 'type: TheClass'],
  [
    method(`@Tool('x') m(@Param() u: number[]) {}`),
    "Reflection cannot see the type of parameter #0 of `m`: write @Param('…', { type: arrayOf(Number) }).",
  ],
  [
    method(`@Tool('x') m(@Param('n') n?: number) {}`),
    'The parameter `n` of `m` can be left out: say so with { optional: true } or { default: … }.',
  ],
  [
    method(`@Tool('x') m(@Param('n', { optional: true }) n: number) {}`),
    'The parameter `n` of `m` is declared optional, but its type has no undefined: write `n?:` or give a default.',
  ],
  [method(`@Tool('x') m(@Param('n', { type: String }) n: number) {}`), 'The declared type does not fit parameter `n` of `m`.'],
  [method(`@Tool('x') m(@Param('n', { type: arrayOf(String) }) n: number[]) {}`), 'string[], number[]'],
  [method(`@Tool('x') m(@Param('u', { enum: ['a', 'c'] }) u: 'a' | 'b') {}`), 'The declared type does not fit parameter `u` of `m`.'],
  [method(`@Tool('x') m(@Param('n', { default: 'three' }) n: number) {}`), 'The default does not fit parameter `n` of `m`.'],
  [
    method(`@Tool('x') m(@Param('u', { type: Array }) u: string[]) {}`),
    'The type given for parameter `u` of `m` does not say what is inside: write { type: arrayOf(String) }.',
  ],
  [
    method(`@Tool('x') m(@Param('u', { type: jsonSchema({}) }) u: string) {}`),
    'says nothing to the compiler: write it, as in jsonSchema<T>({ … }).',
  ],
  [
    `const options: ParamOptions = { type: Number }; ${method(`@Tool('x') m(@Param('u', options) u: string) {}`)}`,
    'The options of parameter `u` of `m` do not tell the compiler their type: write them as `{ … } satisfies ParamOptions`.',
  ],
  [method(`@Tool('x') m(@Param('c') c: ToolContext) {}`), 'The parameter `c` of `m` is the context: it is injected, remove @Param.'],
  [method(`static m(@Param('a') a: string) {}`), 'A tool is an instance method; `m` is static.'],
  [
    method(`constructor(@Param('a') a: string) { super(); }`),
    'Constructor parameters are injected; @Param belongs on the parameters of a tool method.',
  ],
  [method(`@Tool('x') static m() {}`), 'A tool is an instance method; `m` is static.'],
  [method(`@Tool('x') m = () => 1;`), '@Tool() belongs on a method; `m` is none.'],
  [method(`@Tool('x') get m() { return 1; }`), '@Tool() belongs on a method; `m` is none.'],
  [method(`@Tool('x') [Symbol.iterator]() {}`), 'A tool needs a name: @Tool() belongs on a method with a plain name.'],
  [method(`@Tool('x') m(...xs: string[]) {}`), 'A rest parameter cannot be described to a model: give `m` an array.'],
  [method(`@Tool('x') m(context: ToolContext<{ db: string }>) {}`), 'The context of `m` asks for deps that this agent does not have.'],
  [method(`@Tool('x') m(@Args() a: string) {}`), '@Args() describes all arguments of `m` by one class: parameter #0 is no object type.'],
  [method(`@Tool('x') m(@Args() a: Order, b: string) {}`), 'Beside @Args(), `m` may take the context and nothing else.'],
  [method(`@Tool('x') m(@Args(Other) a: Order) {}`), 'The type given to @Args() does not fit parameter #0 of `m`.'],
  [method(`static m(@Args() a: Order) {}`), 'A tool is an instance method; `m` is static.'],
  [method(`@Tool('x') m(@Ctx() a: string) {}`), '@Ctx() belongs on a parameter of type ToolContext; parameter #0 of `m` is none.'],
  [
    method(`constructor(@Ctx() a: ToolContext) { super(); }`),
    'A constructor gets no context; @Ctx belongs on a parameter of a tool method.',
  ],
  [method(`m(a: string) {} @Preview('n') p(a: string) {}`), 'There is no method `n` to preview.'],
  [method(`m(a: string) {} @Preview('m') p(a: number) {}`), 'The preview `p` cannot take the arguments of `m`.'],
  [`class B { @Field({ type: Number }) a!: string; }`, 'The declared type does not fit property `a`.'],
  [`class B { @Field({ default: 3 }) a!: string; }`, 'The default does not fit property `a`.'],
  [`@AgentConfig({}) class B {}`, '@AgentConfig() belongs on a class that extends Agent.'],
  [
    `@AgentConfig({}) class B extends Agent<Order> {}`,
    'This agent returns a typed output: say which, as in @AgentConfig({ output: TheClass }).',
  ],
  [
    `@AgentConfig({ output: jsonSchema({}) }) class B extends Agent<Order> {}`,
    'The type given as `output` says nothing to the compiler: write it, as in jsonSchema<T>({ … }).',
  ],
  [
    `const options: AgentOptions = { model: 'x' }; @AgentConfig(options) class B extends Agent {}`,
    'These options do not tell the compiler their `output`: write them as `{ … } satisfies AgentOptions`.',
  ],
  [`@AgentConfig({ output: Other }) class B extends Agent<Order> {}`, '`output` and `extends Agent<Output>` disagree.'],
  [
    `@AgentConfig({ instructions: (c: RunContext<{ db: string }>) => c.deps.db }) class B extends Agent {}`,
    'A function in the configuration asks for deps that this agent does not have.',
  ],
  [
    `class S { m(c: ToolContext<{ db: string }>) {} } @AgentConfig({ toolsets: [S] }) class B extends Agent {}`,
    'A toolset asks for deps that this agent does not have.',
  ],
  [
    `class S { execute(c: ToolContext<{ db: string }>) {} } @AgentConfig({ tools: [S] }) class B extends Agent {}`,
    'A tool of `tools` asks for deps that this agent does not have.',
  ],
  [
    `class S extends Agent<string, { user: string }> { m(c: ToolContext<{ db: string }>) {} } @AgentConfig({}) class B extends S {}`,
    'A method of the agent, or of a base, asks for deps that this agent does not have.',
  ],
  // Decorators on abstract methods are TypeScript's own refusal.
  [
    `abstract class B extends Agent { @Tool('x') abstract m(): void; }`,
    'A decorator can only decorate a method implementation, not an overload.',
  ],
];

let said: Map<number, string>;
beforeAll(() => {
  said = complaints([HEAD, ...CASES.map(([code]) => `{ ${code} }`)].join('\n'));
}, 120_000);

test('the head of the program itself is in order', () => {
  expect(said.get(0)).toBeUndefined();
});

test.each(CASES.map(([code, sentence], at) => [code, sentence, at] as const))('%s', (_code, sentence, at) => {
  expect(said.get(at + 1)).toContain(sentence);
});

// Called with a context object, as a compiler without `experimentalDecorators` does.
test.each([
  `Tool('x')(class {}, { kind: 'method', name: 'm' });`,
  `Field('x')(class {}, { kind: 'field', name: 'm' });`,
  `AgentConfig({})(class extends Agent {}, { kind: 'class' });`,
  `Toolset({})(class {}, { kind: 'class' });`,
])('a standard decorator call is answered with the options to set: %s', (call) => {
  const sentence = complaints(`${HEAD}\n${call}`).get(1)?.replaceAll('\\"', '"');
  expect(sentence).toContain('Set "experimentalDecorators": true and "emitDecoratorMetadata": true in tsconfig.json.');
});
