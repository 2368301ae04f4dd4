import { literalsOf, membersOf } from './declarations';
import { firstColumn, section, textOf } from './pages';

/* Tables of the pages list what the types have, all of it and nothing else. */

const table = (page: string, heading: string): readonly string[] => firstColumn(section(textOf(page), heading));

test.each([
  ['the options of an agent', table('docs/tools.md', '## Agents'), membersOf('src/agent/agent-options.ts', 'AgentOptions')],
  ['the options of a run', table('docs/running.md', '## Options of a run'), membersOf('src/runner/run-options.ts', 'RunOptions')],
  ['limits', table('docs/running.md', '## Limits'), membersOf('src/agent/agent-options.ts', 'Limits')],
  ['reasons to stop', table('docs/running.md', '## What a run gives'), literalsOf('src/types/run-result.ts', 'StopReason')],
  [
    'outcomes and reasons of calls',
    table('docs/gate.md', '## Outcomes'),
    [...literalsOf('src/types/outcome.ts', 'Outcome'), ...literalsOf('src/types/outcome.ts', 'RefusalReason')],
  ],
])('%s', (_, documented, declared) => {
  expect([...documented].sort()).toEqual([...declared].sort());
});

test('the options of a parameter are all named', () => {
  const types = section(textOf('docs/tools.md'), '## Types');
  const names = ['Constraints', 'ParamOptions'].flatMap((name) => membersOf('src/types/param-options.ts', name));
  expect(names.filter((name) => !types.includes(`\`${name}\``))).toEqual([]);
});

test('the hooks are all named', () => {
  const hooks = [...membersOf('src/agent/hooks.ts', 'Hooks'), ...membersOf('src/invocation/hooks.ts', 'ToolHooks')];
  const named = firstColumn(section(textOf('docs/gate.md'), '## Hooks')).map((name) => name.replace(/\(.*/, ''));
  expect(named.sort()).toEqual(hooks.sort());
});
