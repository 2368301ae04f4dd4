import 'reflect-metadata';
import { Agent, AgentConfig, Param, Tool } from 'toolwright';
import { callTool, callTools, createTestRunner, mockTool, say, scripted } from 'toolwright/testing';

@AgentConfig({ instructions: 'You repeat.' })
class EchoAgent extends Agent {
  @Tool({ description: 'Says a word back.', annotations: { readOnly: true } })
  echo(@Param('word', { type: String }) word: string): string {
    if (word === 'broken') throw new Error('out of order');
    return `${word}!`;
  }
}

@AgentConfig({ parallelToolCalls: true })
class ParallelEchoAgent extends EchoAgent {}

const WORDS = ['one', 'two', 'broken', 'three', 'one'];

describe.each([
  ['in turn', EchoAgent],
  ['side by side', ParallelEchoAgent],
])('a turn of several calls, %s', (_, cls) => {
  const asked = () => callTools(WORDS.map((word, at) => callTool('echo', { word }, { id: `c${at}` })));

  test('has one result for each call, next to it, in order, with what that call gave', async () => {
    const model = scripted([asked(), say('Done.')]);
    const result = await createTestRunner({ model }).run(cls, 'Echo.');

    // What the model is shown next, rather than what the run keeps.
    const shown = model.requests[1]!.messages.slice(-WORDS.length - 1);
    expect(shown[0]).toMatchObject({ role: 'assistant', calls: WORDS.map((_word, at) => ({ id: `c${at}` })) });
    const results = shown
      .slice(1)
      .map((message) => (message.role === 'tool' ? [message.callId, JSON.stringify(message.parts)] : message.role));
    expect(results).toEqual([
      ['c0', expect.stringContaining('one!')],
      ['c1', expect.stringContaining('two!')],
      ['c2', expect.stringContaining('failed')],
      ['c3', expect.stringContaining('three!')],
      ['c4', expect.stringContaining('one!')],
    ]);
    expect(result).toHaveValidTranscript();
    expect(result.toolCalls.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['c0', 'ok'],
      ['c1', 'ok'],
      ['c2', 'error'],
      ['c3', 'ok'],
      ['c4', 'ok'],
    ]);
  });

  test('carries each call out once', async () => {
    const echo = mockTool('echo', 'again');
    await createTestRunner({ model: scripted([asked(), say('Done.')]), tools: [echo] }).run(cls, 'Echo.');
    expect(echo.calls.map((call) => call.arguments)).toEqual(WORDS.map((word) => ({ word })));
  });
});
