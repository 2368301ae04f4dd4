import {
  Agent,
  AgentConfig,
  Param,
  Tool,
  ToolDefinitionError,
  Toolset,
  UsageError,
  WiringError,
  defineTool,
  recordOf,
  toolset,
} from 'toolwright';
import type { RunContext } from 'toolwright';
import { definitionOf } from '../../src/agent/agent-definition';
import { prepareAgent, type AgentSetup } from '../../src/agent/prepare-agent';
import type { PreparedAgent } from '../../src/agent/prepared-agent';
import type { Container } from '../../src/container/container';
import { defaultRegistry } from '../../src/tools/tool-registry';

const context: RunContext = { deps: { admin: true }, state: {}, messages: [], metadata: {}, requestId: 'r1' };

/** Builds each class once, or each time where `transient` names it. */
class Shelf implements Container {
  readonly built = new Map<Function, object>();
  constructor(private readonly transient: readonly Function[] = []) {}
  get(token: any): any {
    if (this.transient.includes(token)) return new token() as object;
    if (!this.built.has(token)) this.built.set(token, new token() as object);
    return this.built.get(token);
  }
  has(): boolean {
    return true;
  }
}
const prepare = (cls: any, setup: Partial<AgentSetup> = {}): PreparedAgent | Promise<PreparedAgent> =>
  prepareAgent(definitionOf(cls, defaultRegistry), { container: new Shelf(), registry: defaultRegistry, context, ...setup });
const now = (prepared: PreparedAgent | Promise<PreparedAgent>): PreparedAgent => {
  if (prepared instanceof Promise) throw new Error('it should not have waited');
  return prepared;
};

@Toolset({ instructions: 'Paths are relative.' })
class Files {
  @Tool('Reads') read(@Param('path', 'A path') path: string): string {
    return path;
  }
  @Tool('Writes') write(@Param('path', 'A path') path: string): string {
    return path;
  }
}
@AgentConfig({ instructions: 'You read files.', toolsets: [Files] })
class Reader extends Agent {
  @Tool('Own') own(): void {}
}

test('where nothing depends on the run, preparing is synchronous and shared between runs', () => {
  const container = new Shelf();
  const first = now(prepare(Reader, { container }));
  expect(now(prepare(Reader, { container }))).toBe(first);
  expect([...first.tools.keys()]).toEqual(['own', 'read', 'write']);
  expect(first.modelTools.map((tool) => tool.name)).toEqual(['own', 'read', 'write']);
  expect(first.modelTools[1]).toMatchObject({ description: 'Reads', parameters: { type: 'object' }, strict: { type: 'object' } });
  expect(first.instructions).toBe('You read files.\n\nPaths are relative.');
  expect(first.tools.get('read')?.host).toBe(container.built.get(Files));
  expect(first.tools.get('own')?.host).toBe(first.instance);
  expect(Object.isFrozen(first.modelTools)).toBe(true);
  expect(now(prepare(Reader)).tools.get('read')?.host).not.toBe(first.tools.get('read')?.host);
});

test('transient services are new in each run, and what does not depend on them is kept', () => {
  const container = new Shelf([Files]);
  const first = now(prepare(Reader, { container }));
  const second = now(prepare(Reader, { container }));
  expect(second.tools.get('read')?.host).not.toBe(first.tools.get('read')?.host);
  expect(second.instance).toBe(first.instance);
  expect(second.modelTools).toBe(first.modelTools);
});

test('an instance that is given is the agent', () => {
  const instance = new Reader();
  const prepared = now(prepare(Reader, { instance }));
  expect(prepared.instance).toBe(instance);
  expect(prepared.tools.get('own')?.host).toBe(instance);
});

test('a container may give promises', async () => {
  const container: Container = { get: async (token: any) => new token() as object, has: () => true };
  const prepared = await prepare(Reader, { container });
  expect(prepared.instance).toBeInstanceOf(Reader);
  expect(prepared.tools.get('read')?.host).toBeInstanceOf(Files);
});

test('wiring faults of several classes come in one error; other errors come as they are', async () => {
  const failing = (fail: (token: Function) => unknown): Container => ({ get: fail, has: () => true });
  const wiring = (token: Function): WiringError =>
    new WiringError(token.name, [{ where: token.name, what: 'it lacks something.', fix: 'give it' }]);
  const both = failing((token) => {
    throw wiring(token);
  });
  expect(() => prepare(Reader, { container: both })).toThrow(/reader cannot be built[^]*1\. Reader[^]*2\. Files/);
  await expect(prepare(Reader, { container: failing(async (token) => Promise.reject(wiring(token))) })).rejects.toThrow(/Reader[^]*Files/);
  const crash = new Error('crash');
  await expect(
    prepare(Reader, { container: failing((token) => (token === Files ? Promise.reject(crash) : new (token as any)())) }),
  ).rejects.toBe(crash);
  expect(() => prepare(Reader, { container: failing(() => undefined) })).toThrow(/the container gave undefined/);
});

test('instructions may be a function of the context, called once per run', async () => {
  const instructions = jest.fn((run: RunContext<any>) => Promise.resolve(`For ${run.requestId}`));
  @AgentConfig({ instructions } as never)
  class Asked extends Agent {}
  expect((await prepare(Asked)).instructions).toBe('For r1');
  expect(instructions).toHaveBeenCalledTimes(1);
  expect(instructions).toHaveBeenCalledWith(context);
});

test('factories, filters, preparations and predicates are asked once, with the context', async () => {
  const asked: string[] = [];
  class Extra {
    @Tool({ description: 'x', enabled: (run: RunContext<any>) => (run.deps as { admin: boolean }).admin }) yes(): void {}
    @Tool({ description: 'x', enabled: () => false }) no(): void {}
    @Tool({
      description: 'x',
      enabled: () => {
        throw new Error('broken');
      },
    })
    broken(): void {}
  }
  @((AgentConfig as any)({
    toolsets: [
      toolset(Files).filtered((tool, run) => {
        asked.push(`filter ${tool.name} ${run.requestId}`);
        return tool.name === 'read';
      }),
      (run: RunContext) => {
        asked.push(`factory ${run.requestId}`);
        return [Extra, async () => toolset([defineTool({ name: 'value', description: 'x', execute: () => 1 })])];
      },
      toolset(Files)
        .prefixed('p_')
        .prepared((tools) =>
          tools
            .slice()
            .reverse()
            .map((tool) => ({ ...tool, description: `${tool.description}!` })),
        ),
    ],
  }))
  class Dynamic extends Agent {}
  const prepared = await prepare(Dynamic);
  expect(prepared.modelTools.map((tool) => `${tool.name}: ${tool.description}`)).toEqual([
    'read: Reads',
    'yes: x',
    'value: x',
    'p_write: Writes!',
    'p_read: Reads!',
  ]);
  expect(asked).toEqual(['filter read r1', 'filter write r1', 'factory r1']);
  expect(prepared.warnings).toEqual([expect.stringMatching(/`broken` is left out: its `enabled` threw "broken"/)]);
  expect(prepared.tools.get('p_read')?.host).toBeInstanceOf(Files);
  expect(prepared.instructions).toBe('Paths are relative.');
});

test("a run's toolsets and instructions come after and instead of the agent's", async () => {
  class More {
    @Tool('x') more(): void {}
  }
  const prepared = await prepare(Reader, { options: { toolsets: [More, new Files()].slice(0, 1), instructions: 'Only now.' } });
  expect(prepared.modelTools.map((tool) => tool.name)).toEqual(['own', 'read', 'write', 'more']);
  expect(prepared.instructions).toBe('Only now.\n\nPaths are relative.');
  await expect(prepare(Reader, { options: { toolsets: [toolset(Files).only('read')] } })).rejects.toThrow(
    /`read`: Files\.read is listed twice/,
  );
});

test("a run's limits, settings, hooks and approver meet the agent's", () => {
  class AuditHooks {
    beforeTool(): void {}
  }
  const runHook = { afterTool: () => undefined };
  @AgentConfig({ limits: { maxTurns: 3, maxToolCalls: 5 }, modelSettings: { seed: 1 }, hooks: [AuditHooks] })
  class Hooked extends Agent {
    override onRunStart(): void {}
  }
  const approve = () => true;
  const container = new Shelf();
  const prepared = now(
    prepare(Hooked, {
      container,
      options: {
        hooks: [runHook, AuditHooks],
        approve,
        limits: { maxTurns: 1, maxToolCalls: undefined },
        modelSettings: { temperature: 0 },
      },
    }),
  );
  const audit = container.built.get(AuditHooks);
  expect(prepared.hooks).toEqual([audit, prepared.instance, runHook, audit]);
  expect(prepared).toMatchObject({
    limits: { maxTurns: 1, maxToolCalls: 5 },
    modelSettings: { seed: 1, temperature: 0 },
    approver: approve,
  });
  expect(now(prepare(Hooked, { container }))).toMatchObject({ limits: { maxTurns: 3 }, approver: undefined });
  expect(() => prepare(Hooked, { options: { limits: { maxTurn: 1 } as never } })).toThrow(UsageError);
});

test('an approver may be a service, a function, or a method of the agent; the nearest decides', () => {
  class Desk {
    approve(): boolean {
      return true;
    }
  }
  @AgentConfig({ approve: Desk as never })
  class ByService extends Agent {}
  class ByMethod extends ByService {
    override approve = () => false;
  }
  class BySubMethod extends ByService {}
  Object.defineProperty(BySubMethod.prototype, 'approve', { value: () => true });
  @AgentConfig({ approve: Desk as never })
  class ByServiceAgain extends BySubMethod {}
  expect(now(prepare(ByService)).approver).toBeInstanceOf(Desk);
  for (const cls of [ByMethod, BySubMethod]) expect(now(prepare(cls)).approver).toBeInstanceOf(cls);
  expect(now(prepare(ByServiceAgain)).approver).toBeInstanceOf(Desk);
});

test('a tool that strict mode cannot say is sent without it, with one warning that names the path; `strict: false` asks for that', () => {
  class Open extends Agent {
    @Tool('x') tagged(@Param('tags', { type: recordOf(Number) }) tags: Record<string, number>): unknown {
      return tags;
    }
    @Tool({ description: 'x', strict: false }) meant(@Param('tags', { type: recordOf(Number) }) tags: Record<string, number>): unknown {
      return tags;
    }
    @Tool({ description: 'x', strict: false }) loose(@Param('a', 'A') a: string): string {
      return a;
    }
  }
  const prepared = now(prepare(Open));
  expect(prepared.modelTools.every((tool) => tool.strict === undefined)).toBe(true);
  expect(prepared.warnings).toEqual([expect.stringMatching(/`tagged` is sent without strict mode: .*tags/)]);
});

test.each<[string, object, RegExp]>([
  [
    'instructions that throw',
    {
      instructions: () => {
        throw new Error('x');
      },
    },
    /The instructions of .* threw/,
  ],
  ['instructions that are no text', { instructions: () => 3 }, /must be a text, not 3/],
  [
    'a factory that throws',
    {
      toolsets: [
        () => {
          throw new Error('x');
        },
      ],
    },
    /factory of .* threw/,
  ],
  ['a factory that returns nothing', { toolsets: [() => undefined] }, /undefined is no toolset/],
  [
    'a factory that returns itself',
    {
      toolsets: [
        function self(): unknown {
          return self;
        },
      ],
    },
    /8 levels deep/,
  ],
  [
    'a filter that throws',
    {
      toolsets: [
        toolset(Files).filtered(() => {
          throw new Error('x');
        }),
      ],
    },
    /The filter of toolset\(Files\) threw for the tool `read`/,
  ],
  ['a preparation that returns no list', { toolsets: [toolset(Files).prepared(() => 3 as never)] }, /must return a list of tools, not 3/],
  [
    'a preparation that returns strangers',
    { toolsets: [toolset(Files).prepared(() => [{}] as never)] },
    /returned an object among the tools/,
  ],
  [
    'a preparation that makes an illegal name',
    { toolsets: [toolset(Files).prepared((tools) => tools.map((tool) => ({ ...tool, name: 'a b' })))] },
    /not legal/,
  ],
  [
    'an unknown view after a filter',
    {
      toolsets: [
        toolset(Files)
          .filtered(() => true)
          .only('raed'),
      ],
    },
    /Did you mean `read`/,
  ],
])('%s: no run begins, and the error says why', async (_, options, message) => {
  @((AgentConfig as any)(options))
  class Broken extends Agent {}
  const attempt = (async () => prepare(Broken))();
  await expect(attempt).rejects.toThrow(message);
  const error: unknown = await attempt.catch((caught: unknown) => caught);
  expect(UsageError.is(error) || ToolDefinitionError.is(error)).toBe(true);
});

test('a tool choice must name a tool that there is', () => {
  @AgentConfig({ toolChoice: { tool: 'raed' }, toolsets: [Files] })
  class Choosing extends Agent {}
  expect(() => prepare(Choosing)).toThrow(/names the tool `raed`, which it does not have\. Did you mean `read`/);
});
