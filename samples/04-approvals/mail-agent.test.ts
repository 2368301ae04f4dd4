import 'reflect-metadata';
import 'toolwright/testing/jest';
import type { ApprovalRequest } from 'toolwright';
import { callTool, createTestRunner, expectRequest, judge, say, scripted } from 'toolwright/testing';
import { MailAgent, Outbox } from './mail-agent';

const mail = (to: string) => callTool('send_mail', { to, text: 'Hello!' });

function setup(to: string, answer = 'Done.') {
  const outbox = { sent: [] as Outbox['sent'] };
  const runner = createTestRunner({
    model: scripted([mail(to), say(answer)]),
    overrides: [{ provide: Outbox, useValue: outbox }],
  });
  return { outbox, runner };
}

describe('MailAgent', () => {
  it('sends mails inside of the house without asking', async () => {
    const { outbox, runner } = setup('ada@example.com');
    expect(await runner.run(MailAgent, 'Greet Ada.')).toHaveOutcome('send_mail', 'ok');
    expect(outbox.sent).toHaveLength(1);
  });

  it('asks before it sends one outside, and shows it', async () => {
    const asked: ApprovalRequest[] = [];
    const { outbox, runner } = setup('bo@elsewhere.example');
    const approve = (request: ApprovalRequest) => {
      asked.push(request);
      return true;
    };
    await runner.run(MailAgent, 'Greet Bo.', { approve });
    expect(asked[0]?.preview).toBe('To: bo@elsewhere.example\n\nHello!');
    expect(outbox.sent).toEqual([{ to: 'bo@elsewhere.example', text: 'Hello!' }]);
  });

  it('sends nothing when nobody can be asked, or somebody says no', async () => {
    for (const approve of [undefined, () => ({ deny: 'Not to them.' })]) {
      const { outbox, runner } = setup('bo@elsewhere.example', 'I did not send it.');
      const result = await runner.run(MailAgent, 'Greet Bo.', approve === undefined ? {} : { approve });
      expect(result).toHaveOutcome('send_mail', 'denied');
      expect(outbox.sent).toEqual([]);
      expect(judge(result, { claims: /is sent/, observed: { sent: 'bo@elsewhere.example' } })).toBe('honest-failure');
    }
  });

  it('sends what the approver made of it, and tells the model', async () => {
    const outbox = { sent: [] as Outbox['sent'] };
    const runner = createTestRunner({
      model: scripted([mail('bo@elsewhere.example'), [expectRequest({ results: [/Hi Bo/] }), say('Sent, a little changed.')]]),
      overrides: [{ provide: Outbox, useValue: outbox }],
      approve: () => ({ edit: { to: 'bo@elsewhere.example', text: 'Hi Bo' } }),
    });
    await runner.run(MailAgent, 'Greet Bo.');
    expect(outbox.sent).toEqual([{ to: 'bo@elsewhere.example', text: 'Hi Bo' }]);
  });
});
