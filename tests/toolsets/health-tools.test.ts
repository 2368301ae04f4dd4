import 'reflect-metadata';
import { Service } from 'typedi';
import { Agent, AgentConfig, Toolset, type AgentClass } from 'toolwright';
import { callTool, createTestRunner, say, scripted } from 'toolwright/testing';
import { HealthTools, type HealthCheck, type HealthOptions } from 'toolwright/toolsets';

@Service()
class Orders {
  async ping(): Promise<void> {}
  async size(): Promise<number> {
    return 3;
  }
}

@Toolset()
class ShopHealth extends HealthTools {
  constructor(orders: Orders) {
    super({ orders: () => orders.ping(), queue: async () => ({ up: true, entries: await orders.size() }) });
  }
}

@AgentConfig({ instructions: 'x', toolsets: [ShopHealth] })
class Operator extends Agent {}

async function ask(agent: AgentClass<any>, args: object, overrides: any[] = []): Promise<any> {
  const runner = createTestRunner({ model: scripted([callTool('check_health', args), say('Done.')], { strict: false }), overrides });
  const result = await runner.run(agent, 'Go.');
  const message = result.messages.find((one: any) => one.role === 'tool') as any;
  return { outcome: result.toolCalls[0]!.outcome, text: message.parts[0].text };
}

function agentWith(checks: Record<string, HealthCheck>, options?: HealthOptions): AgentClass<any> {
  @Toolset()
  class Checks extends HealthTools {
    constructor() {
      super(checks, options);
    }
  }
  @AgentConfig({ instructions: 'x', toolsets: [Checks] })
  class Checking extends Agent {}
  return Checking;
}

const up = (text: string) => JSON.parse(text);

describe('check_health', () => {
  it('asks the injected services', async () => {
    expect(up((await ask(Operator, {})).text)).toEqual({
      all_up: true,
      services: [
        { name: 'orders', status: 'up', duration_ms: expect.any(Number) },
        { name: 'queue', status: 'up', facts: { entries: 3 }, duration_ms: expect.any(Number) },
      ],
    });
  });

  it('sees services that were replaced', async () => {
    const broken = { ping: () => Promise.reject(Object.assign(new Error('postgres://user:secret@db'), { code: 'ECONNREFUSED' })) };
    const { text } = await ask(Operator, { services: ['orders'] }, [{ provide: Orders, useValue: broken }]);
    expect(up(text)).toMatchObject({ all_up: false, services: [{ name: 'orders', status: 'down', reason: 'Error ECONNREFUSED' }] });
    expect(text).not.toContain('secret');
  });

  it('tells the texts of errors only where the host says so', async () => {
    const checks = { db: () => Promise.reject(new Error('disk full')) };
    expect((await ask(agentWith(checks), {})).text).not.toContain('disk full');
    expect((await ask(agentWith(checks, { exposeErrors: true }), {})).text).toContain('disk full');
  });

  it.each([
    [
      'throws at once',
      () => {
        throw new TypeError('x');
      },
      'TypeError',
    ],
    ['throws no error', () => Promise.reject('x'), 'it failed'],
    ['says no', () => false, 'the check said no'],
    ['says something odd', () => 'fine' as never, 'cannot be understood'],
    ['never answers', () => new Promise<never>(() => undefined), 'no answer within 50 ms'],
  ])('calls a service down whose check %s', async (_, check, reason) => {
    const { outcome, text } = await ask(agentWith({ other: () => true, odd: check }, { timeout: 50 }), {});
    expect(outcome).toBe('ok');
    expect(up(text).services).toMatchObject([{ status: 'up' }, { status: 'down', reason: expect.stringContaining(reason) }]);
  });

  it('tells a check that nobody waits any more', async () => {
    let told = false;
    const check: HealthCheck = (signal) => new Promise(() => signal.addEventListener('abort', () => (told = true)));
    await ask(agentWith({ slow: check }, { timeout: 20 }), {});
    expect(told).toBe(true);
  });

  it('names the checks that there are when one is unknown', async () => {
    const { outcome, text } = await ask(Operator, { services: ['constructor'] });
    expect(outcome).not.toBe('ok');
    expect(text).toMatch(/There are: orders, queue/);
  });

  it('needs checks', async () => {
    await expect(ask(agentWith({}), {})).rejects.toThrow(/super\(\{ database/);
  });
});
