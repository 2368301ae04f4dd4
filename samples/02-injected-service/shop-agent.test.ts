import 'reflect-metadata';
import 'toolwright/testing/jest';
import { callTool, createTestRunner, say, scripted } from 'toolwright/testing';
import { Orders, ShopAgent } from './shop-agent';

describe('ShopAgent', () => {
  it('looks an order up with the service that the container gives', async () => {
    const model = scripted([callTool('order_state', { order_id: 'A-17' }), say('It is on its way.')]);
    const result = await createTestRunner({ model }).run(ShopAgent, 'Where is A-17?', { deps: { customer: 'ada' } });
    expect(result).toHaveOutcome('order_state', 'ok');
  });

  it("does not show anybody else's order", async () => {
    const model = scripted([callTool('order_state', { order_id: 'B-4' }), say('I cannot find it.')]);
    const result = await createTestRunner({ model }).run(ShopAgent, 'Where is B-4?', { deps: { customer: 'ada' } });
    expect(result).toHaveOutcome('order_state', 'error');
    expect(JSON.stringify(result.messages)).not.toContain('packed');
  });

  it('takes another service in one line', async () => {
    const runner = createTestRunner({
      model: scripted([callTool('order_state', { order_id: 'Z-1' }), say('Delivered.')]),
      overrides: [{ provide: Orders, useValue: { byId: async (id) => ({ id, customer: 'zoe', state: 'delivered' }) } }],
    });
    const result = await runner.run(ShopAgent, 'Where is Z-1?', { deps: { customer: 'zoe' } });
    expect(result).toHaveOutcome('order_state', 'ok');
  });
});
