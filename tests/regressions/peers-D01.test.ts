import { compile } from '../types/compile';

const COUNT = 50;

/** An agent of 50 tools with 3 parameters and a context each. */
function agent(decorated: boolean): string {
  const param = (text: string) => (decorated ? text : '');
  const tools = Array.from({ length: COUNT }, (_, at) => {
    const parameters = [
      `${param(`@Param('text', 'A text')`)} text: string`,
      `${param(`@Param('unit', { enum: ['a', 'b'] })`)} unit: 'a' | 'b'`,
      `${param(`@Param('list', { type: arrayOf(Number), default: [] })`)} list: number[]`,
      'context: ToolContext<{ user: string }>',
    ];
    return `${decorated ? `@Tool('x')` : ''} async tool${at}(${parameters.join(', ')}) { return [text, unit, list, context.deps.user]; }`;
  });
  const config = decorated ? `@AgentConfig({ model: 'x', toolsets: [Big] })` : '';
  return `import { Agent, AgentConfig, Param, Tool, ToolContext, arrayOf } from 'toolwright';
    class Big { ${tools.join('\n')} }
    ${config} class Many extends Agent<string, { user: string }> { ${tools.join('\n')} }`;
}

function instantiations(text: string): { count: number; errors: readonly unknown[] } {
  const program = compile(text);
  const errors = program.getSemanticDiagnostics(program.getSourceFiles().find((file) => file.fileName.endsWith('virtual.ts')));
  return { count: program.getInstantiationCount(), errors: errors.map((error) => error.messageText) };
}

// D01 of the peers' faults: generic types that grow until the compiler gives up (TS2589).
test('a hundred checked tools compile without a complaint, and cost a bounded number of type instantiations each', () => {
  const plain = instantiations(agent(false));
  const checked = instantiations(agent(true));
  expect([plain.errors, checked.errors]).toEqual([[], []]);
  const perTool = (checked.count - plain.count) / (2 * COUNT);
  expect(perTool).toBeGreaterThan(0);
  expect(perTool).toBeLessThan(1_000);
}, 120_000);
