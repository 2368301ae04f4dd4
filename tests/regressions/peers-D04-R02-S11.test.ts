import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, AgentRunner, UsageError } from 'toolwright';
import { scripted } from 'toolwright/testing';

class Plain extends Agent {}
const runner = new AgentRunner({ model: scripted([]) });

test.each<[string, object, RegExp]>([
  ['an unknown option', { timeout: 5 }, /no option `timeout`/],
  ['an unknown option, near a known one', { limit: {} }, /`limits`/],
  ['an unknown limit', { limits: { maxSteps: 3 } }, /maxSteps/],
  ['a limit that is none', { limits: { maxTurns: -1 } }, /maxTurns/],
  ['an unknown model setting', { modelSettings: { timeoutMs: 5 } }, /timeoutMs/],
  ['a setting out of range', { modelSettings: { temperature: 9 } }, /temperature/],
  ['options that are no object', [] as object, /A run takes an object of options, not a list/],
])('D04, R02: %s is refused before anything is asked', async (_, options, text) => {
  const running = runner.run(Plain, 'Go', options);
  await expect(running).rejects.toThrow(UsageError);
  await expect(running).rejects.toThrow(text);
});

test('S11: the package itself needs no schema library, and loads none', () => {
  const root = join(__dirname, '../..');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object };
  expect(Object.keys(dependencies)).toEqual(['json5']);
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.ts'))
      expect([file, /from '(zod|valibot|arktype)/.test(readFileSync(join(root, 'src', file), 'utf8'))]).toEqual([file, false]);
});
