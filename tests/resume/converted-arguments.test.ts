import 'reflect-metadata';
import { Agent, AgentConfig, AgentRunner, decide, defineTool } from 'toolwright';
import { callTool, createTestRunner, say, scripted } from 'toolwright/testing';
import { z } from 'zod';

const Price = z.object({ price: z.number().transform((cents) => cents / 100) });

function shop(over: Partial<Parameters<typeof defineTool>[0]> = {}) {
  const seen: unknown[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    parameters: Price,
    ...(over as object),
    execute: ({ price }, context) => {
      seen.push(price);
      if (context.attempt === 1 && over.retries === 1) throw new Error('once more');
      return 'paid';
    },
    preview: ({ price }) => `Pays ${price} euros`,
  });
  @AgentConfig({ instructions: 'You pay.', tools: [pay] })
  class Shop extends Agent {}
  return { Shop, seen };
}

const script = () => scripted([callTool('pay', { price: 1250 }), say('Done.')]);

test('arguments that a schema transforms are transformed once, also when the call waits and is resumed', async () => {
  const { Shop, seen } = shop({ requiresApproval: true });
  const paused = await new AgentRunner().run(Shop, 'Pay.', {
    model: scripted([callTool('pay', { price: 1250 })]),
    approve: () => 'defer' as const,
  });
  if (paused.stopReason !== 'paused') throw new Error('It did not pause.');
  expect(paused.pending[0]).toMatchObject({ arguments: { price: 12.5 }, preview: 'Pays 12.5 euros' });
  const decisions = paused.pending.map((call) => decide(call, 'approve'));
  await new AgentRunner().resume(Shop, paused.snapshot, { decisions, model: scripted([say('Done.')]) });
  expect(seen).toEqual([12.5]);
});

test('and when an attempt is repeated', async () => {
  const { Shop, seen } = shop({ retries: 1 });
  await createTestRunner({ model: script() }).run(Shop, 'Pay.');
  expect(seen).toEqual([12.5, 12.5]);
});

test('what can be decoded again is not kept twice', async () => {
  const { Shop } = shop({ requiresApproval: true, parameters: { price: Number } } as never);
  const paused = await new AgentRunner().run(Shop, 'Pay.', {
    model: scripted([callTool('pay', { price: '1250' })]),
    approve: () => 'defer' as const,
  });
  if (paused.stopReason !== 'paused') throw new Error('It did not pause.');
  expect(paused.pending[0]).toMatchObject({ arguments: { price: 1250 } });
  expect(paused.pending[0]).not.toHaveProperty('sent');
});
