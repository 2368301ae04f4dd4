import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Agent, AgentConfig, AgentRunner, defineTool } from 'toolwright';
import { callTool, fail, say, scripted } from 'toolwright/testing';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const kept: WeakRef<object>[] = [];
const remember = (value: object): void => void kept.push(new WeakRef(value));

@AgentConfig({
  tools: [
    defineTool({
      name: 'look',
      description: 'Looks.',
      cache: { ttl: 60_000 },
      annotations: { readOnly: true },
      execute: (_, context) => (remember(context), remember(context.signal), 'x'.repeat(1_000)),
    }),
  ],
})
class Asks extends Agent {}

test('P06: a run that is over, whichever way, is collected', async () => {
  const runner = new AgentRunner();
  const signal = new AbortController().signal;
  await (async () => {
    for (const last of [say('Done.'), () => fail('The provider is down.')]) {
      const deps = { user: 'Ada' };
      const run = runner.start(Asks, 'Go', { model: scripted([callTool('look'), last]), deps, signal });
      remember(run);
      remember(deps);
      await run.result.then(remember, (error: object) => remember(error));
    }
  })();
  for (let round = 0; round < 20 && kept.some((ref) => ref.deref() !== undefined); round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  expect(kept.length).toBeGreaterThanOrEqual(9);
  expect(kept.filter((ref) => ref.deref() !== undefined)).toHaveLength(0);
}, 30_000);
