import 'reflect-metadata';
import * as toolwright from 'toolwright';
import * as testing from 'toolwright/testing';
import * as typedi from 'typedi';
import { runBlock } from '../docs/run-block';

const SOURCE = `
  import { Inject, Service } from 'typedi';
  import { Agent, AgentConfig, Tool } from 'toolwright';
  @Service() class Dep { word() { return 'injected'; } }
  @AgentConfig({}) export class Asks extends Agent {
    @Inject() dep!: Dep;
    @Tool('Asks.') ask() { return this.dep.word(); }
  }
`;

test.each([true, false])('8: a property that is injected is there, with useDefineForClassFields: %p', async (useDefineForClassFields) => {
  const { Asks } = await runBlock(SOURCE, { modules: { toolwright, typedi } }, { useDefineForClassFields });
  const model = testing.scripted([testing.callTool('ask'), testing.say('Done.')]);
  const { toolCalls } = await new toolwright.AgentRunner({ model }).run(Asks as toolwright.AgentClass<toolwright.Agent>, 'Go');
  expect(toolCalls[0]!.content).toEqual([{ type: 'text', text: 'injected' }]);
});
