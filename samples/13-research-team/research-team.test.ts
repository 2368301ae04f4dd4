import 'reflect-metadata';
import 'toolwright/testing/jest';
import type { ApprovalRequest, ModelRequest, RunEvent } from 'toolwright';
import { callTool, callTools, createTestRunner, say, scripted } from 'toolwright/testing';
import type { ScriptAnswer } from 'toolwright/testing';
import { Editor, Shelf } from './research-team';

const REPORT = 'Whales eat krill, which are crustaceans.';

/** A researcher's answers, by its task: two of them work side by side, so their requests come in any order. */
function research(request: ModelRequest): ScriptAnswer {
  const said = JSON.stringify(request.messages);
  const word = said.includes('What do whales eat?') ? 'whales' : 'krill';
  if (request.messages.at(-1)?.role !== 'tool') return callTool('search', { word });
  return say(word === 'whales' ? 'They eat krill.' : 'They are crustaceans.');
}

const script = () =>
  scripted([
    callTools([
      ['researcher', { task: 'What do whales eat?' }],
      ['researcher', { task: 'What are krill?' }],
    ]),
    research,
    research,
    research,
    research,
    callTool('critic', { task: REPORT }),
    say('All is well.'),
    callTool('file', { text: REPORT }),
    say('It is filed.'),
  ]);

describe('the research team', () => {
  it('looks things up side by side, has the text checked, and files it when a person agrees', async () => {
    const shelf = { reports: [] as string[] };
    const asked: ApprovalRequest[] = [];
    const runner = createTestRunner({
      model: script(),
      overrides: [{ provide: Shelf, useValue: shelf }],
      approve: (request) => {
        asked.push(request);
        return true;
      },
    });
    const result = await runner.run(Editor, 'Write about what whales eat.');
    expect(result).toHaveCalledTools(['researcher', 'researcher', 'critic', 'file']);
    expect(result.usage.requests).toBe(9);
    expect(shelf.reports).toEqual([REPORT]);
    // What the researchers read was foreign, so filing is asked about.
    expect(asked.map(({ call, why }) => [call.name, why.cause])).toEqual([['file', 'taint']]);
    expect(result).toHaveValidTranscript();
  });

  it('files nothing when nobody can be asked', async () => {
    const shelf = { reports: [] as string[] };
    const runner = createTestRunner({ model: script(), overrides: [{ provide: Shelf, useValue: shelf }] });
    expect(await runner.run(Editor, 'Write about what whales eat.')).toHaveOutcome('file', 'denied');
    expect(shelf.reports).toEqual([]);
  });

  it('shows who does what', async () => {
    const lines: string[] = [];
    const show = (event: RunEvent) => {
      if (event.type === 'tool.start') lines.push(`${'  '.repeat(event.path?.length ?? 0)}${event.label}`);
    };
    const runner = createTestRunner({ model: script(), overrides: [{ provide: Shelf, useValue: { reports: [] } }], approve: () => true });
    await runner.run(Editor, 'Write about what whales eat.', { onEvent: show });
    expect(lines).toEqual(['Researcher', 'Researcher', '  Search', '  Search', 'Critic', 'File']);
  });
});
