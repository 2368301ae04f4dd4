import 'reflect-metadata';
import { Expose, Transform } from 'class-transformer';
import { Agent, AgentConfig, AgentRunner, Args, arrayOf, decide, defineTool, Field, Tool, type RunOptions } from 'toolwright';
import { callTool, say, scripted } from 'toolwright/testing';
import { z } from 'zod';

const ran: unknown[] = [];
beforeEach(() => void ran.splice(0));

class Line {
  @Expose({ name: 'item_name' })
  @Field({ type: String })
  itemName!: string;

  @Transform(({ value }) => (value as number) * 100)
  @Field({ type: Number, description: 'In euros' })
  price!: number;
}

class Order {
  @Expose({ name: 'customer_id' })
  @Field({ type: String })
  customerId!: string;

  @Field({ type: arrayOf(Line) })
  lines!: Line[];

  @Field({ type: String, default: 'none' })
  note!: string;
}

const wire = {
  customer_id: 'c1',
  lines: [
    { item_name: 'cup', price: 3 },
    { item_name: 'pot', price: 20 },
  ],
};
const cup = { itemName: 'cup', price: 300 };
const pot = { itemName: 'pot', price: 2000 };
/** What the tool gets when nobody changes anything. */
const decoded = { customerId: 'c1', lines: [cup, pot], note: 'none' };

@AgentConfig({ instructions: 'You order.' })
class Shop extends Agent {
  @Tool({ description: 'Orders things.', requiresApproval: true })
  order(@Args(Order) order: Order): string {
    ran.push(JSON.parse(JSON.stringify(order)));
    return 'ordered';
  }
}

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  requiresApproval: true,
  parameters: z.object({ amount: z.number().transform((euros) => euros * 100), to: z.string() }),
  execute: (args) => {
    ran.push(args);
    return 'paid';
  },
});

@AgentConfig({ instructions: 'You pay.', tools: [pay] })
class Payer extends Agent {}

type Change = (shown: any) => Record<string, unknown>;
type Way = (agent: new () => Agent, call: ReturnType<typeof callTool>, change: Change) => Promise<void>;

const run = async (agent: new () => Agent, call: ReturnType<typeof callTool>, options: RunOptions): Promise<void> => {
  await new AgentRunner({ model: scripted([call, say('Done.')]) }).run(agent, 'Go', options);
};
const WAYS: { readonly [name: string]: Way } = {
  'a hook': (agent, call, change) =>
    run(agent, call, { approve: () => 'approve', hooks: [{ beforeTool: ({ arguments: shown }) => ({ arguments: change(shown) }) }] }),
  'an approver': (agent, call, change) => run(agent, call, { approve: (request) => ({ edit: change(request.call.arguments) }) }),
  'two hooks, one after the other': (agent, call, change) =>
    run(agent, call, {
      approve: () => 'approve',
      hooks: [
        { beforeTool: ({ arguments: shown }) => ({ arguments: change(shown) }) },
        { beforeTool: ({ arguments: shown }) => ({ arguments: { ...(shown as object) } }) },
      ],
    }),
  'a decision on a run that waited': async (agent, call, change) => {
    const runner = new AgentRunner({ model: scripted([call, say('Done.')]) });
    const paused = await runner.run(agent, 'Go', { approve: () => 'defer' });
    if (paused.stopReason !== 'paused') throw new Error(paused.stopReason);
    const decisions = paused.pending.map((pending) => decide(pending, { edit: change(pending.arguments) }));
    await runner.resume(agent, JSON.parse(JSON.stringify(paused.snapshot)) as never, { decisions });
  },
};

describe.each(Object.entries(WAYS))('what %s leaves as it was is decoded once', (_, change) => {
  test.each<[string, Change, unknown]>([
    ['nothing changed', (shown) => ({ ...shown }), decoded],
    ['a default changed', (shown) => ({ ...shown, note: 'gift' }), { ...decoded, note: 'gift' }],
    ['a renamed property changed', (shown) => ({ ...shown, customerId: 'c2' }), { ...decoded, customerId: 'c2' }],
    ['by its name on the wire', ({ customerId: _, ...shown }) => ({ ...shown, customer_id: 'c2' }), { ...decoded, customerId: 'c2' }],
    ['a list turned round', (shown) => ({ ...shown, lines: [...shown.lines].reverse() }), { ...decoded, lines: [pot, cup] }],
    ['an item taken out', (shown) => ({ ...shown, lines: shown.lines.slice(1) }), { ...decoded, lines: [pot] }],
    [
      'a part of an item changed',
      (shown) => ({ ...shown, lines: [{ ...shown.lines[0], itemName: 'mug' }, shown.lines[1]] }),
      { ...decoded, lines: [{ ...cup, itemName: 'mug' }, pot] },
    ],
    [
      'a new item, as the model would write it',
      (shown) => ({ ...shown, lines: [...shown.lines, { item_name: 'lid', price: 1 }] }),
      { ...decoded, lines: [cup, pot, { itemName: 'lid', price: 100 }] },
    ],
  ])('%s', async (_, by, expected) => {
    await change(Shop, callTool('order', wire), by);
    expect(ran).toEqual([expected]);
  });

  test('also where a schema of another library transforms', async () => {
    await change(Payer, callTool('pay', { amount: 5, to: 'bo' }), (shown) => ({ ...shown, to: 'al' }));
    expect(ran).toEqual([{ amount: 500, to: 'al' }]);
  });

  test.each(['extra', '__proto__'])('a key that nobody knows is refused: %s', async (key) => {
    await change(Shop, callTool('order', wire), (shown) => Object.fromEntries([...Object.entries(shown as object), [key, 1]]));
    expect(ran).toEqual([]);
  });
});
