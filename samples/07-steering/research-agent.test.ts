import 'reflect-metadata';
import 'toolwright/testing/jest';
import { callTool, createTestRunner, expectRequest, say, scripted, stall } from 'toolwright/testing';
import { ResearchAgent } from './research-agent';

const note = (text: string) => callTool('keep_note', { text });

describe('a run that people talk to', () => {
  it('hears what is said to it after the current calls', async () => {
    const model = scripted([
      note('Bees dance.'),
      [expectRequest({ user: 'Only about wasps, please.' }), note('Wasps do not.')],
      say('Two notes.'),
    ]);
    const run = createTestRunner({ model }).start(ResearchAgent, 'Collect notes about insects.');
    for await (const event of run) if (event.type === 'tool.request' && event.turn === 1) run.steer('Only about wasps, please.');
    const result = await run.result;
    expect(result.state).toEqual({ notes: ['Bees dance.', 'Wasps do not.'] });
    expect(result).toHaveValidTranscript();
  });

  it('does one more thing before it ends', async () => {
    const model = scripted([say('Done.'), [expectRequest({ user: 'Now in one word.' }), say('Bees.')]]);
    const run = createTestRunner({ model }).start(ResearchAgent, 'Insects?');
    run.followUp('Now in one word.');
    expect((await run.result).text).toBe('Bees.');
  });

  it('is ended from outside, and what was done is kept', async () => {
    const model = scripted([note('Bees dance.'), [say('And'), stall()]]);
    const run = createTestRunner({ model }).start(ResearchAgent, 'Insects?');
    const end = run.result.catch((error: unknown) => error);
    for await (const event of run) if (event.type === 'model.delta' && event.kind === 'text') break;
    expect(await end).toMatchObject({ name: 'AbortError', partial: { state: { notes: ['Bees dance.'] } } });
  });
});
