import 'reflect-metadata';
import 'toolwright/testing/jest';
import { Container } from 'typedi';
import { ToolRegistry, type ApprovalRequest } from 'toolwright';
import { callTool, createTestRunner, expectRequest, say, scripted } from 'toolwright/testing';
import { DeskAgent, TrustingDeskAgent } from './desk-agent';
import { registerNotes } from './notes-package';

function setup() {
  const registry = new ToolRegistry();
  registerNotes(registry);
  const model = scripted([callTool('notes_add', { text: 'Call Bo.' }), callTool('notes_list'), say('Noted.')]);
  return { registry, model, runner: createTestRunner({ registry, model, container: Container.of('desk') }) };
}

afterEach(() => Container.reset('desk'));

describe('DeskAgent', () => {
  it('has the tools of the package beside its own', async () => {
    const registry = new ToolRegistry();
    registerNotes(registry);
    const model = scripted([[expectRequest({ tools: ['who_is_there', 'notes_list', 'notes_add'] }), say('Hello.')]]);
    await createTestRunner({ registry, model }).run(DeskAgent, 'Hello');
  });

  it('asks before each call of a package that nobody vouched for', async () => {
    const { runner } = setup();
    const asked: string[] = [];
    const approve = ({ label }: ApprovalRequest) => {
      asked.push(label);
      return true;
    };
    const result = await runner.run(DeskAgent, 'Remind me to call Bo.', { approve });
    expect(asked).toEqual(['Add (acme-notes)', 'List (acme-notes)']);
    expect(result).toHaveOutcome('notes_add', 'ok');
  });

  it('has no such tools where no package is', async () => {
    const model = scripted([[expectRequest({ tools: ['who_is_there'] }), say('Hello.')]]);
    await createTestRunner({ registry: new ToolRegistry(), model }).run(DeskAgent, 'Hello');
  });
});

describe('TrustingDeskAgent', () => {
  it('believes the package, and reads its instructions', async () => {
    const { runner, model } = setup();
    const result = await runner.run(TrustingDeskAgent, 'Remind me to call Bo.');
    expect(result).toHaveCalledTools([
      ['notes_add', { text: 'Call Bo.' }],
      ['notes_list', {}],
    ]);
    expect(result).toHaveOutcome('notes_list', 'ok');
    expect(model.requests[0]?.messages[0]).toMatchObject({ role: 'system', text: expect.stringContaining('one thought each') as string });
  });
});
