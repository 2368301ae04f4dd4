import { getEventListeners } from 'node:events';
import { AgentRunner } from '../../src/runner/agent-runner';
import { callTool, scripted } from '../../src/testing';
import { fresh, LookupAgent } from '../runner/agents';
import * as agents from '../runner/agents';

beforeEach(fresh);

test.each(['run', 'stream', 'start'] as const)(
  'B01, B02, B07, B09, X28: an abort through %s fires in the tool, rejects, and leaves nothing',
  async (entry) => {
    const controller = new AbortController();
    const model = scripted([callTool('work')]);
    const runner = new AgentRunner({ model });
    const options = { signal: controller.signal };
    const result = entry === 'run' ? runner.run(LookupAgent, 'Work', options) : runner[entry](LookupAgent, 'Work', options).result;
    await agents.started.promise;
    controller.abort(new Error('stop'));
    await expect(result).rejects.toMatchObject({
      name: 'AbortError',
      cause: { message: 'stop' },
      partial: { toolCalls: [{ name: 'work', outcome: 'aborted' }] },
    });
    expect(model.requests).toHaveLength(1);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  },
);
