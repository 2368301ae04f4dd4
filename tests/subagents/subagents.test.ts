import 'reflect-metadata';
import 'toolwright/testing/jest';
import { callTool, createTestRunner, recordEvents, say, scripted } from 'toolwright/testing';
import { fresh, Lead, log, Office } from './agents';

beforeEach(fresh);

describe('a sub-agent', () => {
  it('is a tool of one text, and its answer is the result', async () => {
    const model = scripted([
      callTool('research', { task: 'What does "agent" mean?' }),
      callTool('look_up', { word: 'agent' }),
      say('It means 5.'),
      say('Five, says research.'),
    ]);
    const recorder = recordEvents();
    const result = await createTestRunner({ model }).run(Lead, 'Agent?', { deps: { user: 'Ada' }, onEvent: recorder.onEvent });
    expect(result.text).toBe('Five, says research.');
    expect(result).toHaveCalledTools([['research', { task: 'What does "agent" mean?' }]]);
    expect(result.toolCalls[0]!.content).toEqual([{ type: 'text', text: 'It means 5.' }]);
    expect(result.usage).toMatchObject({ requests: 4, toolCalls: 2 });
    expect(model.requests[1]!.messages).toEqual([
      { v: 1, role: 'system', text: 'You look things up.' },
      { v: 1, role: 'user', parts: [{ type: 'text', text: 'What does "agent" mean?' }] },
    ]);
    console.log(recorder.events.map((e) => `${e.path?.map((s) => `${s.agent}/${s.callId}`).join('>') ?? ''} ${e.type} ${e.runId} ${e.seq}`).join('\n'));
  });

  it('gets the deps that are mapped for it', async () => {
    const model = scripted([callTool('clerk', { task: 'File it.' }), callTool('file', { what: 'it' }), say('Done.'), say('Filed.')]);
    await createTestRunner({ model }).run(Office, 'File it', { deps: { user: 'Ada' } });
    expect(log).toEqual(['file it at desk of Ada']);
  });
});
