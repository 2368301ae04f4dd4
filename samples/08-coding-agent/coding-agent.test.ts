import 'reflect-metadata';
import 'toolwright/testing/jest';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTool, callTools, createTestRunner, expectRequest, say, scripted } from 'toolwright/testing';
import { CodingAgent } from './coding-agent';
import { terminalApprover } from './terminal-approver';

let repository: string;
beforeEach(async () => {
  repository = await realpath(await mkdtemp(join(tmpdir(), 'repository-')));
  await writeFile(join(repository, 'sum.js'), 'module.exports = (a, b) => a - b;\n');
  await writeFile(join(repository, 'check.js'), "require('node:assert').equal(require('./sum')(2, 3), 5);\nconsole.log('passed');\n");
});
afterEach(() => rm(repository, { recursive: true, force: true }));

const source = (): Promise<string> => readFile(join(repository, 'sum.js'), 'utf8');
const check = callTool('run_command', { command: ['node', 'check.js'] });
const fix = callTool('edit_file', { path: 'sum.js', old_text: 'a - b', new_text: 'a + b' });

function terminal(...answers: string[]) {
  const shown: string[] = [];
  const approve = terminalApprover(
    async () => answers.shift() ?? 'n',
    (text) => void shown.push(text),
  );
  return { shown, approve };
}

describe('CodingAgent', () => {
  it('plans, finds the fault, shows the change, and runs the check', async () => {
    const { shown, approve } = terminal('y', 'y', 'yes');
    const model = scripted([
      callTools([
        ['add_todo', { title: 'Find the fault' }],
        ['add_todo', { title: 'Fix it' }],
      ]),
      check,
      [expectRequest({ results: [/exit code 1/] }), callTool('search_files', { query: 'a - b' })],
      [expectRequest({ results: [/sum\.js:1/] }), callTool('read_file', { path: 'sum.js' })],
      callTool('complete_todo', { id: 'todo_1' }),
      fix,
      check,
      [expectRequest({ results: [/exit code 0[^]*passed/] }), callTool('complete_todo', { id: 'todo_2' })],
      say('`sum` subtracted; it adds now, and the check passes.'),
    ]);
    const result = await createTestRunner({ model }).run(CodingAgent, 'Make the check pass.', { deps: { repository }, approve });

    expect(await source()).toBe('module.exports = (a, b) => a + b;\n');
    expect(shown).toHaveLength(3);
    expect(shown[0]).toContain('node check.js   (at most 120 s)');
    expect(shown[1]).toContain('-module.exports = (a, b) => a - b;\n+module.exports = (a, b) => a + b;');
    expect(result.state).toMatchObject({ todos: [{ status: 'completed' }, { status: 'completed' }] });
  });

  it('changes nothing that a person refuses, and hears why', async () => {
    const { approve } = terminal('leave sum.js alone');
    const model = scripted([fix, [expectRequest({ results: [/leave sum.js alone/] }), say('I left it as it is.')]]);
    const result = await createTestRunner({ model }).run(CodingAgent, 'Fix it.', { deps: { repository }, approve });
    expect(result).toHaveOutcome('edit_file', 'denied');
    expect(await source()).toContain('a - b');
  });

  it('does not leave its repository, nor run what is not on its list', async () => {
    const { approve } = terminal('y', 'y');
    const model = scripted([
      callTool('read_file', { path: '../../etc/passwd' }),
      [expectRequest({ results: [/outside of the directory/] }), callTool('run_command', { command: ['curl', 'https://evil.example'] })],
      [expectRequest({ results: [/may not be run here/] }), say('I cannot.')],
    ]);
    const result = await createTestRunner({ model }).run(CodingAgent, 'Look around.', { deps: { repository }, approve });
    expect(result).toHaveOutcome('read_file', 'error');
    expect(result).toHaveOutcome('run_command', 'error');
  });
});
