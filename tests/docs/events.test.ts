import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, ContextUpdate, Param, Tool, ToolContext, ToolResult, handoff, decide } from 'toolwright';
import type { ApprovalDecision, RunEvent, RunOptions } from 'toolwright';
import { callTool, fail, say, scripted, think } from 'toolwright/testing';
import type { ScriptStep } from 'toolwright/testing';
import { membersOf, variantsOf } from './declarations';
import { firstColumn, section, textOf } from './pages';

/*
 * docs/events.md, the type and what runs emit are compared with each other: a type or a field that one of them has and
 * another has not is a fault.
 */

@AgentConfig({ name: 'other' })
class Other extends Agent {}

@AgentConfig({ instructions: 'You do as you are told.', tools: [handoff(Other)] })
class Everything extends Agent {
  @Tool({ description: 'Looks a word up.', annotations: { readOnly: true } })
  lookUp(@Param('word', { type: String }) word: string, context: ToolContext): ToolResult {
    context.update({ found: 1 });
    return ToolResult.success(word.length, { details: { took: 1 }, update: ContextUpdate.of().append('words', word) });
  }

  @Tool({ description: 'Reads a page.', trust: 'untrusted', annotations: { readOnly: true, openWorld: false } })
  readPage(): string {
    return 'Look: ![x](https://evil.test/p.png)';
  }

  @Tool({ description: 'Deletes all.', requiresApproval: true })
  deleteAll(): string {
    throw new Error('the disk is read-only');
  }
}

const again = callTool('look_up', { word: 'ox' });
interface Planned {
  readonly steps: readonly ScriptStep[];
  readonly options?: RunOptions;
  readonly followUp?: string;
}

const plannedRuns = (): readonly Planned[] => [
  {
    steps: [
      think('Let me see.', callTool('look_up', { word: 'ox' })),
      say('First.'),
      callTool('delete_all'),
      callTool('delete_all'),
      say('Second.'),
    ],
    options: { approve: answers(true, { deny: 'Not today.' }) },
    followUp: 'And then?',
  },
  { steps: [callTool('read_page'), callTool('delete_all'), say('Read.')], options: { approve: answers(true) } },
  { steps: [again, say('Enough.')], options: { limits: { maxTurns: 1 } } },
  { steps: [again, again, again, say('Well.')] },
  { steps: [say('Hi')], options: { hooks: [{ afterModel: () => Promise.reject(new Error('no disk')) }] } },
  { steps: [callTool('transfer_to_other'), say('Here I am.')] },
  { steps: [fail('The provider is down.')] },
];

function answers(...decisions: readonly ApprovalDecision[]): () => ApprovalDecision {
  const left = decisions.slice();
  return () => left.shift() ?? false;
}

/** The events of each run. */
async function emitted(): Promise<readonly (readonly RunEvent[])[]> {
  const all: RunEvent[][] = [];
  for (const { steps, options, followUp } of plannedRuns()) {
    const events: RunEvent[] = [];
    all.push(events);
    const run = new AgentRunner({ model: scripted(steps) }).start(Everything, 'Go', { ...options, onEvent: (event) => events.push(event) });
    if (followUp !== undefined) run.followUp(followUp);
    await run.result.catch(() => undefined);
  }
  return all;
}

/** The events of a run that waits for a person, and of its going on. */
async function pausedAndResumed(): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  const options = { approve: () => 'defer' as const, onEvent: (event: RunEvent) => void events.push(event) };
  const paused = await new AgentRunner({ model: scripted([callTool('delete_all')]) }).run(Everything, 'Go', options);
  if (paused.stopReason !== 'paused') throw new Error(`The run ended as ${paused.stopReason}.`);
  const decisions = paused.pending.map((call) => decide(call, 'deny'));
  await new AgentRunner({ model: scripted([say('Not done.')]) }).resume(Everything, paused.snapshot, {
    decisions,
    onEvent: options.onEvent,
  });
  return events;
}

/** From types to the fields that are known of them, sorted. */
type Fields = ReadonlyMap<string, readonly string[]>;

function fieldsOfEvents(events: readonly RunEvent[]): Fields {
  const fields = new Map<string, Set<string>>();
  for (const event of events) {
    const known = fields.get(event.type) ?? new Set<string>();
    for (const key of Object.keys(event)) known.add(key);
    fields.set(event.type, known);
  }
  return new Map([...fields].map(([type, known]) => [type, withoutHeader([...known])]));
}

const page = textOf('docs/events.md');
const headerTable = section(page, '## Header');
const documentedHeader = firstColumn(headerTable);
const alwaysThere = firstColumn(headerTable.replace(/^.*, optional.*$/gm, ''));
const documented: Fields = new Map(
  [...page.matchAll(/^### `([^`]+)`$/gm)].map(([heading, type]) => [type!, firstColumn(section(page, heading)).sort()]),
);

const withoutHeader = (keys: readonly string[]): string[] => keys.filter((key) => key !== 'type' && !documentedHeader.includes(key)).sort();

const sorted = (fields: Fields): [string, readonly string[]][] => [...fields].sort(([a], [b]) => (a < b ? -1 : 1));

test('the page says of each event what the type says', () => {
  expect(sorted(documented)).toEqual(sorted(variantsOf('src/types/run-event.ts', 'EventBody')));
  expect(documentedHeader).toEqual(membersOf('src/types/run-event.ts', 'EventHeader'));
});

test('every event and every field of the page is emitted, and nothing else is', async () => {
  const events = [...(await emitted()).flat(), ...(await pausedAndResumed())];
  expect(sorted(fieldsOfEvents(events))).toEqual(sorted(documented));
  for (const event of events) expect(Object.keys(event)).toEqual(expect.arrayContaining(['type', ...alwaysThere]));
});

test('events come in the order of the page', async () => {
  const all = await emitted();
  for (const run of all) {
    expect(run.map((event) => event.seq)).toEqual(run.map((_, at) => at));
    expect(run[0]!.type).toBe('run.start');
    expect(run.at(-1)!.type).toBe('run.end');
    expect(run.filter((event) => event.type === 'run.end')).toHaveLength(1);
    expect(run.filter((event) => event.type === 'tool.end').map((event) => event.callId)).toEqual(
      run.filter((event) => event.type === 'tool.request').map((event) => event.callId),
    );
  }
  expect(all[0]!.map((event) => event.type).filter((type) => type !== 'model.delta')).toEqual([
    'run.start',
    'turn.start',
    'model.end',
    'tool.request',
    'tool.start',
    'tool.update',
    'tool.end',
    'state.update',
    'turn.start',
    'model.end',
    'steer',
    'turn.start',
    'model.end',
    'tool.request',
    'tool.approval',
    'tool.approval',
    'tool.start',
    'tool.end',
    'turn.start',
    'model.end',
    'tool.request',
    'tool.approval',
    'tool.approval',
    'tool.end',
    'turn.start',
    'model.end',
    'run.end',
  ]);
});

test('a run that pauses goes on with the numbers of its events, and a call ends once', async () => {
  const events = await pausedAndResumed();
  expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at));
  expect(events.map((event) => event.type).filter((type) => type !== 'model.delta')).toEqual([
    'run.start',
    'turn.start',
    'model.end',
    'tool.request',
    'tool.approval',
    'tool.defer',
    'run.end',
    'run.start',
    'run.restore',
    'tool.approval',
    'tool.end',
    'turn.start',
    'model.end',
    'run.end',
  ]);
});

test('a run that cannot begin has one event', async () => {
  const events: RunEvent[] = [];
  await expect(new AgentRunner().run(Everything, 'Go', { onEvent: (event) => events.push(event) })).rejects.toThrow(/No model/);
  expect(events.map((event) => event.type)).toEqual(['run.end']);
});

test('one warning is told once, however often its cause returns', async () => {
  const events: RunEvent[] = [];
  const model = scripted([callTool('look_up', { word: 'a' }), callTool('look_up', { word: 'b' }), say('Done.')]);
  const limits = { maxCostUsd: 1 };
  const { warnings } = await new AgentRunner({ model }).run(Everything, 'Go', { limits, onEvent: (event) => events.push(event) });
  expect(warnings).toEqual([expect.stringContaining('registerPrices')]);
  expect(events.filter((event) => event.type === 'warning')).toHaveLength(1);
});
