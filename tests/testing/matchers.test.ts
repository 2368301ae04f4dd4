import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, AgentConfig, Param, Tool, type RunResult } from 'toolwright';
import {
  agentContract,
  assertCalledTool,
  assertCalledTools,
  assertNotCalledTool,
  assertOutcome,
  assertStopReason,
  assertValidTranscript,
  callTools,
  createTestRunner,
  say,
  scripted,
} from 'toolwright/testing';

@AgentConfig({ instructions: 'You look things up.' })
class LookupAgent extends Agent {
  @Tool({ description: 'Looks a word up.', annotations: { readOnly: true } })
  lookUp(@Param('word', { type: String }) word: string): string {
    return `${word} means ${word.length}`;
  }
}

let run: RunResult<string>;
beforeAll(async () => {
  const model = scripted([callTools([['look_up', { word: 'a' }], ['look_up', {}], ['look_down']]), say('Done.')]);
  run = await createTestRunner({ model }).run(LookupAgent, 'Go');
});

/** What holds of the run, as a matcher and as a plain function; then what does not, and what its failure says. */
const CHECKS: Record<string, { holds: (() => void)[]; fails: [() => void, RegExp][] }> = {
  toHaveCalledTool: {
    holds: [
      () => expect(run).toHaveCalledTool('look_up', { word: 'a' }),
      () => expect(run).not.toHaveCalledTool('look'),
      () => assertCalledTool(run, 'look_up'),
      () => assertNotCalledTool(run, 'look'),
    ],
    fails: [
      [
        () => expect(run).toHaveCalledTool('look_up', { word: 'b' }),
        /Expected a call: look_up\({"word":"b"}\)[^]*1\. look_up\({"word":"a"}\)/,
      ],
      [() => expect(run).not.toHaveCalledTool('look_up'), /not to find a call of look_up[^]*a means 1/],
      [() => assertCalledTool(run, 'look'), /Expected a call: look\n/],
      [() => assertNotCalledTool(run, 'look_up'), /Expected no call of look_up/],
    ],
  },
  toHaveCalledTools: {
    holds: [
      () => expect(run).toHaveCalledTools(['look_up', ['look_up', {}], 'look_down']),
      () => expect(run).not.toHaveCalledTools(['look_up', 'look_up']),
      () => assertCalledTools(run, ['look_up', 'look_up', 'look_down']),
    ],
    fails: [
      [() => expect(run).toHaveCalledTools(['look_down', 'look_up', 'look_up']), /! 1\. look_down\s+\| look_up\({"word":"a"}\)/],
      [() => expect(run).toHaveCalledTools(['look_up', 'look_up']), /! 3\. \(none\)\s+\| look_down/],
      [() => expect(run).not.toHaveCalledTools(['look_up', 'look_up', 'look_down']), /not to find exactly these calls/],
      [() => assertCalledTools(run, []), /! 1\. \(none\)/],
    ],
  },
  toHaveStopReason: {
    holds: [
      () => expect(run).toHaveStopReason('completed'),
      () => expect(run).not.toHaveStopReason('loop'),
      () => assertStopReason(run, 'completed'),
    ],
    fails: [
      [() => expect(run).toHaveStopReason('limit'), /Expected the run to end as limit; it ended as completed/],
      [() => expect(run).not.toHaveStopReason('completed'), /not to find the stop reason completed/],
      [() => assertStopReason({ toolCalls: [], messages: [] }, 'completed'), /it ended as a failure/],
    ],
  },
  toHaveOutcome: {
    holds: [
      () => expect(run).toHaveOutcome('look_up', 'ok'),
      () => expect(run).toHaveOutcome('look_up', 'invalid'),
      () => expect(run).not.toHaveOutcome('look_up', 'denied'),
      () => assertOutcome(run, 'look_down', 'unknown'),
    ],
    fails: [
      [() => expect(run).toHaveOutcome('look_up', 'denied'), /Expected look_up to end with denied[^]*-> ok[^]*-> invalid/],
      [() => expect(run).not.toHaveOutcome('look_up', 'ok'), /not to find look_up to end with ok/],
      [() => assertOutcome(run, 'look_down', 'ok'), /Expected look_down to end with ok/],
    ],
  },
  toHaveValidTranscript: {
    holds: [
      () => expect(run).toHaveValidTranscript(),
      () => expect(run.messages).toHaveValidTranscript(),
      () => expect(run.messages.slice(0, 2)).not.toHaveValidTranscript(),
      () => assertValidTranscript(run),
    ],
    fails: [
      [() => expect(run.messages.slice(0, 3)).toHaveValidTranscript(), /has no result/],
      [() => expect([...run.messages].reverse()).toHaveValidTranscript(), /without a call/],
      [() => expect(run.messages.flatMap((one) => [one, one])).toHaveValidTranscript(), /not valid/],
      [() => expect(run).not.toHaveValidTranscript(), /not to find a valid transcript/],
      [() => assertValidTranscript(run.messages.slice(0, 2)), /has no result/],
    ],
  },
};

describe.each(Object.entries(CHECKS))('%s', (_, { holds, fails }) => {
  test.each(holds.map((check) => [String(check).replace(/^\(\) => /, ''), check]))('passes: %s', (_text, check) => check());
  test.each(fails.map(([check, says]) => [String(check).replace(/^\(\) => /, ''), check, says] as const))(
    'fails: %s',
    (_text, check, says) => {
      expect(check).toThrow(says);
    },
  );
});

describe('toMatchContract', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  const own = (expect.getState() as unknown as { snapshotState: object }).snapshotState;
  afterEach(() => expect.setState({ snapshotState: own }));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The snapshots of another file, so that those of this one are not to blame for what is shown here. */
  function snapshots(updateSnapshot: 'new' | 'none'): { save(): unknown } {
    const State = own.constructor as new (path: string, options: object) => { save(): unknown };
    const state = new State(join(folder, 'contract.snap'), { updateSnapshot, rootDir: folder, snapshotFormat: {} });
    expect.setState({ snapshotState: state });
    return state;
  }

  test('fails for a contract that has changed, and shows the change', () => {
    @AgentConfig({ instructions: 'Other ones.' })
    class SameAgent extends LookupAgent {}
    class WiderAgent extends LookupAgent {
      @Tool('Looks a word up.')
      override lookUp(@Param('word', { type: String, maxLength: 40 }) word: string): string {
        return word;
      }
    }
    const kept = snapshots('new');
    expect(LookupAgent).toMatchContract();
    kept.save();

    snapshots('none');
    expect(SameAgent).toMatchContract();
    snapshots('none');
    expect(() => expect(WiderAgent).toMatchContract()).toThrow(/\+\s+"maxLength": 40/);
    snapshots('none');
    expect(() => expect(WiderAgent).not.toMatchContract()).toThrow(/cannot be used with `not`/);
  });

  test('and its plain data are names, descriptions and schemas', () => {
    expect(agentContract(LookupAgent).tools.map(({ name, description }) => [name, description])).toEqual([['look_up', 'Looks a word up.']]);
    expect(() => expect(class Plain {}).toMatchContract()).toThrow(/no agent/);
  });
});
