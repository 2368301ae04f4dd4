import { compile } from '../types/compile';

const COUNT = 50;

const TOOLS = Array.from({ length: COUNT }, (_, at) => {
  const parameters = [
    `@Param('text', 'A text') text: string`,
    `@Param('unit', { enum: ['a', 'b'] }) unit: 'a' | 'b'`,
    `@Param('list', { type: arrayOf(Number), default: [] }) list: number[]`,
    'context: ToolContext<{ user: string }>',
  ];
  return `@Tool('x') async tool${at}(${parameters.join(', ')}) { return [text, unit, list, context.deps.user]; }`;
}).join('\n');

/** An agent of 50 tools that lists a toolset of 50 more. */
const AGENT = `import { Agent, AgentConfig, Param, Tool, ToolContext, arrayOf } from 'toolwright';
  class Big { ${TOOLS} }
  @AgentConfig({ model: 'x', toolsets: [Big] }) class Many extends Agent<string, { user: string }> { ${TOOLS} }`;

// Generic types that grow until the compiler gives up (TS2589), or takes minutes.
test('a hundred checked tools compile without a complaint, and cost a bounded number of type instantiations each', () => {
  const program = compile(AGENT);
  const errors = program.getSemanticDiagnostics(program.getSourceFiles().find((file) => file.fileName.endsWith('virtual.ts')));
  expect(errors.map((error) => error.messageText)).toEqual([]);
  const perTool = program.getInstantiationCount() / (2 * COUNT);
  expect(perTool).toBeGreaterThan(0);
  expect(perTool).toBeLessThan(1_000);
}, 120_000);
