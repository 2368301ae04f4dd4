import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, AgentConfig, defineTool, Param, Tool } from 'toolwright';
import * as kit from 'toolwright/testing';
import { callTool, createTestRunner, mockTool, recordEvents, say, scripted, spyTool, testContext } from 'toolwright/testing';

class Prices {
  of(_word: string): number {
    throw new Error('No network in a test.');
  }
}

@AgentConfig({ model: 'openai:never-asked', instructions: 'You know prices.', name: 'clerk' })
class ClerkAgent extends Agent {
  constructor(private readonly prices: Prices) {
    super();
  }
  @Tool({ description: 'A price.', annotations: { readOnly: true } })
  price(@Param('of', { type: String }) of: string): number {
    return this.prices.of(of);
  }
  @Tool('Sells something.')
  sell(@Param('what', { type: String, minLength: 3 }) what: string): string {
    return `really sold ${what}`;
  }
}

@AgentConfig({ instructions: 'You run a shop.', subagents: [ClerkAgent] })
class ShopAgent extends Agent {}

/** What the tools of sub-agents gave, in a run of the shop. */
async function inShop(
  options: Pick<Parameters<typeof createTestRunner>[0], 'tools' | 'overrides'>,
  ...calls: ReturnType<typeof callTool>[]
) {
  const model = scripted([callTool('clerk', { task: 'Sell.' }), ...calls, say('Sold.'), say('Bye.')]);
  const recorder = recordEvents();
  const overrides = [{ provide: Prices, useValue: {} }] as const;
  const result = await createTestRunner({ model, overrides, ...options }).run(ShopAgent, 'Go', { onEvent: recorder.onEvent });
  const inside = recorder.events.flatMap((event) => (event.type === 'tool.end' && event.path !== undefined ? [event] : []));
  return { result, model, inside: inside.map(({ outcome, content }) => [outcome, content[0]?.type === 'text' ? content[0].text : '']) };
}

describe('a runner for tests of an agent that calls others', () => {
  it('uses its model and its services in them too', async () => {
    const overrides = [{ provide: Prices, useValue: { of: () => 7 } }] as const;
    const { inside, model } = await inShop({ overrides }, callTool('price', { of: 'tea' }));
    expect(inside).toEqual([['ok', '7']]);
    expect(model.requests).toHaveLength(4);
  });

  it("puts doubles in the place of their tools, under those tools' contracts", async () => {
    const sell = mockTool('sell', 'sold in a test');
    const { inside } = await inShop({ tools: [sell] }, callTool('sell', { what: 'a' }), callTool('sell', { what: 'tea' }));
    expect(inside.map(([outcome]) => outcome)).toEqual(['invalid', 'ok']);
    expect(inside[1]).toEqual(['ok', 'sold in a test']);
    expect(sell.calls.map((call) => call.arguments)).toEqual([{ what: 'tea' }]);
  });

  it('watches their tools', async () => {
    const sell = spyTool('sell');
    const { inside } = await inShop({ tools: [sell] }, callTool('sell', { what: 'tea' }));
    expect(inside).toEqual([['ok', 'really sold tea']]);
    sell.assertCalled({ what: 'tea' });
  });

  it('keeps its fakes to itself, however many run side by side', async () => {
    const given = Array.from({ length: 20 }, (_, price) => price);
    const runs = await Promise.all(
      given.map((price) => inShop({ overrides: [{ provide: Prices, useValue: { of: () => price } }] }, callTool('price', { of: 'tea' }))),
    );
    expect(runs.map(({ inside }) => inside)).toEqual(given.map((price) => [['ok', String(price)]]));
  });

  it('says who needs a service that nobody provides, through all agents and services in between', async () => {
    abstract class Ledger {
      abstract write(line: string): void;
    }
    class Till {
      constructor(readonly ledger: Ledger) {}
    }
    Reflect.defineMetadata('design:paramtypes', [Object], Till);
    class CashierAgent extends Agent {
      constructor(readonly till: Till) {
        super();
      }
    }
    Reflect.defineMetadata('design:paramtypes', [Till], CashierAgent);
    AgentConfig({ instructions: 'You take money.', name: 'cashier' })(CashierAgent);
    @AgentConfig({ instructions: 'You own a shop.', subagents: [CashierAgent] })
    class OwnerAgent extends Agent {}

    const running = createTestRunner({ model: scripted([]) }).run(OwnerAgent, 'Go');
    await expect(running).rejects.toMatchObject({
      name: 'WiringError',
      message: expect.stringContaining('CashierAgent -> Till') as string,
    });
    await expect(running).rejects.toThrow(/parameter #0/);
  });
});

describe('a double', () => {
  it('of a tool as a value lets it work, and remembers', async () => {
    const double = spyTool(
      defineTool({ name: 'twice', description: 'Doubles.', parameters: { n: Number }, execute: ({ n }: { n: number }) => 2 * n }),
    );
    @AgentConfig({ instructions: 'You double.', tools: [double] })
    class DoublingAgent extends Agent {}
    const result = await createTestRunner({ model: scripted([callTool('twice', { n: 21 }), say('42')]) }).run(DoublingAgent, '?');
    expect(result).toHaveOutcome('twice', 'ok');
    expect(result.toolCalls[0]?.content).toEqual([{ type: 'text', text: '42' }]);
    expect(double.callCount).toBe(1);
  });

  it('by name cannot be executed on its own, and says what to do', () => {
    expect(() => spyTool('sell').call(undefined, {}, testContext())).toThrow(/createTestRunner/);
  });
});

describe("the page's table of what is known from elsewhere", () => {
  const page = readFileSync(join(__dirname, '../../docs/testing.md'), 'utf8');
  const HELPERS = {
    mock_tool: 'mockTool',
    mock_tool_fn: 'mockTool',
    spy_tool: 'spyTool',
    spy_tool_fn: 'spyTool',
    get_calls: 'calls',
    clear_calls: 'clear',
    call_count: 'callCount',
    test_context: 'testContext',
    failing_tool: 'failingTool',
    error_tool: 'errorTool',
    slow_tool: 'slowTool',
    assert_called: 'assertCalled',
    assert_not_called: 'assertNotCalled',
  };

  test.each(Object.entries(HELPERS))('names %s, and %s is there', (theirs, ours) => {
    const row = page.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${theirs}\``));
    expect(row).toContain(ours);
    expect(ours in kit || ours in mockTool('any', 1)).toBe(true);
  });
});
