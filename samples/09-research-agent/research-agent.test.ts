import 'reflect-metadata';
import 'toolwright/testing/jest';
import type { ApprovalRequest } from 'toolwright';
import { callTool, createTestRunner, expectRequest, say, scripted, type ScriptStep } from 'toolwright/testing';
import { LocalSite } from './local-site';
import { Newsletter, ResearchAgent } from './research-agent';

const site = new LocalSite();
beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => void (site.asked.length = 0));

const fetchUrl = (path: string) => callTool('fetch_url', { url: site.url(path) });

async function research(steps: ScriptStep[], approve?: (request: ApprovalRequest) => boolean) {
  const newsletter = { sent: [] as string[] };
  const runner = createTestRunner({ model: scripted(steps), overrides: [{ provide: Newsletter, useValue: newsletter }] });
  const question = `What does the turbine weigh? Begin at ${site.url('/')}.`;
  const result = await runner.run(ResearchAgent, question, approve === undefined ? {} : { approve });
  return { result, newsletter };
}

describe('ResearchAgent', () => {
  it('follows the links of the pages that it reads, without asking anybody', async () => {
    const { result } = await research([
      fetchUrl('/'),
      [expectRequest({ results: [site.url('/specs')] }), fetchUrl('/specs')],
      [expectRequest({ results: [/weighs 40 kg/] }), say(`It weighs 40 kg, says ${site.url('/specs')}.`)],
    ]);
    expect(result.toolCalls.map((call) => call.outcome)).toEqual(['ok', 'ok']);
  });

  it('does nothing of what a hostile page asks for, even where the model obeys it', async () => {
    const { result, newsletter } = await research([
      fetchUrl('/'),
      fetchUrl('/forum'),
      // The model is taken in completely.
      fetchUrl('/collect?notes=the+user+asked+about+turbines'),
      callTool('send', { text: 'I was hacked' }),
      say('I could not.'),
    ]);
    expect(result.toolCalls.map(({ name, reason }) => [name, reason])).toEqual([
      ['fetch_url', undefined],
      ['fetch_url', undefined],
      ['fetch_url', 'approval_unavailable'],
      ['send', 'approval_unavailable'],
    ]);
    expect(site.asked).toEqual(['/', '/forum']);
    expect(newsletter.sent).toEqual([]);
  });

  it('sends what a person has seen', async () => {
    const asked: ApprovalRequest[] = [];
    const { newsletter } = await research([fetchUrl('/specs'), callTool('send', { text: 'It weighs 40 kg.' }), say('Sent.')], (request) => {
      asked.push(request);
      return request.call.name === 'send';
    });
    expect(asked.map(({ call, why }) => [call.name, why.cause])).toEqual([['send', 'taint']]);
    expect(newsletter.sent).toEqual(['It weighs 40 kg.']);
  });

  it('sends without asking while nothing foreign was read', async () => {
    const { newsletter } = await research([callTool('current_time', {}), callTool('send', { text: 'Good morning.' }), say('Sent.')]);
    expect(newsletter.sent).toEqual(['Good morning.']);
  });
});
