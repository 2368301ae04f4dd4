import 'reflect-metadata';
import 'toolwright/testing/jest';
import { Agent, AgentConfig, AgentRunner, OpenAIChatModel, Param, Tool } from 'toolwright';
import { delta, Loopback, sse, type Reply } from '../models/loopback';
import { cases, payloadText, type InjectionCase } from './injection-cases';

/** The text, with the markers of the result before it as far as its author can know them. */
const textOf = ({ payload }: InjectionCase): string =>
  payloadText(payload, (base) => (base === 'OPEN' ? '<untrusted_tool_output>' : '</untrusted_tool_output>'));

let page = '';
const deleted: string[] = [];

@AgentConfig({ instructions: 'You read pages.' })
class Reader extends Agent {
  @Tool({ description: 'Reads the page.', annotations: { readOnly: true, openWorld: false }, trust: 'untrusted' })
  readPage(): string {
    return page;
  }

  @Tool({ description: 'Deletes a file.', annotations: { openWorld: false } })
  deleteFile(@Param('path') path: string): string {
    deleted.push(path);
    return 'Deleted.';
  }
}

let server: Loopback;
beforeAll(async () => void (server = await Loopback.start()));
afterAll(() => server.stop());

const says = (text: string): Reply => ({ pieces: [sse([delta({ role: 'assistant', content: text }), delta({}, 'stop')])] });
const calls = (name: string, args: object): Reply => ({
  pieces: [
    sse([delta({ tool_calls: [{ index: 0, id: name, function: { name, arguments: JSON.stringify(args) } }] }), delta({}, 'tool_calls')]),
  ],
});

async function run(row: InjectionCase, second: Reply): Promise<readonly string[]> {
  page = textOf(row);
  deleted.splice(0);
  server.reply(calls('read_page', {}), second, says('Done.'));
  // Even where calls are read out of text, which a provider has to ask for.
  const model = new OpenAIChatModel({ model: 'm', apiKey: 'k', baseURL: server.baseURL, quirks: { writtenCalls: true } });
  const result = await new AgentRunner({ model }).run(Reader, 'What does the page say?');
  expect(result).toHaveValidTranscript();
  expect(deleted).toEqual([]);
  return result.toolCalls.map(({ name, outcome, reason }) => `${name} ${reason ?? outcome}`);
}

const rows = cases.filter(({ channel }) => channel === 'text');

describe.each(rows)('$id, read by a tool', (row) => {
  test('reaches the model inside one message of a tool', async () => {
    await run(row, says('I have read it.'));
    const [, { body }] = server.requests as [unknown, (typeof server.requests)[number]];
    expect(body.messages!.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(body.messages!.at(-1)!['content']).toMatch(/^<untrusted_tool_output [^]*<\/untrusted_tool_output \w+>$/);
    expect(JSON.stringify(body.messages!.slice(0, 3))).not.toContain('notes.txt');
  });

  test('runs nothing when the model quotes it word for word', async () => {
    const outcomes = await run(row, says(page));
    expect(outcomes.filter((one) => one === 'delete_file ok')).toEqual([]);
  });

  test('changes no rule: what it asks for needs a person, whatever it says', async () => {
    expect(await run(row, calls('delete_file', { path: 'notes.txt' }))).toEqual(['read_page ok', 'delete_file approval_unavailable']);
  });
});

test('a call in a quotation is read as one, and still is not run', async () => {
  const row = rows.find(({ id }) => id === 'in063')!;
  expect(await run(row, says(textOf(row)))).toEqual(['read_page ok', 'delete_file approval_unavailable']);
});
