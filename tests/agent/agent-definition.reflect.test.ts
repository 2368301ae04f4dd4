import { Agent, AgentConfig, Field, Param, Tool, ToolDefinitionError, Toolset, UsageError, defineTool, toolset } from 'toolwright';
import { agentOf, definitionOf } from '../../src/agent/agent-definition';
import type { AgentOptions } from '../../src/agent/agent-options';
import { ToolRegistry } from '../../src/tools/tool-registry';

type AgentType = new () => Agent<any, any>;
const configured = (options: unknown, base: AgentType = Agent as unknown as AgentType): AgentType => {
  @((AgentConfig as any)(options))
  class Configured extends base {}
  return Configured;
};
const define = (cls: AgentType) => definitionOf(cls, new ToolRegistry());

class Report {
  @Field('Title') title!: string;
}
const hook = { onRunStart: () => undefined };
const otherHook = { onRunEnd: () => undefined };
const guard = () => undefined;
const otherGuard = () => undefined;
const rule = () => 'allow' as const;
const otherRule = { deny: ['x'] };

test('without any option an agent has the documented defaults, and its name is its class in snake_case', () => {
  class WeatherAgent extends Agent {}
  expect(define(WeatherAgent)).toMatchObject({
    name: 'weather_agent',
    description: undefined,
    model: undefined,
    instructions: undefined,
    output: undefined,
    parallelToolCalls: false,
    maxConcurrency: 10,
    toolChoice: 'auto',
    taint: 'ask',
    exposeErrors: false,
    paging: false,
    limits: {},
    modelSettings: {},
    hooks: [],
    guardrails: { input: [], output: [] },
    policy: [],
  });
});

test.each<[keyof AgentOptions, unknown, unknown]>([
  ['name', 'base', 'near'],
  ['description', 'base', 'near'],
  ['model', 'openai:a', ['openai:b', 'openai:c']],
  ['instructions', 'Base.', () => 'Near.'],
  ['approve', () => true, () => false],
  ['parallelToolCalls', true, false],
  ['maxConcurrency', 2, 3],
  ['toolChoice', 'none', 'required'],
  ['taint', 'off', 'deny'],
  ['exposeErrors', true, false],
  ['paging', true, false],
])('%s: the nearest class wins', (option, base, near) => {
  const Base = configured({ [option]: base });
  expect(define(configured({ [option]: near }, Base))[option as 'name']).toBe(near);
  expect(define(configured({}, Base))[option as 'name']).toBe(base);
  expect(define(configured({ [option]: undefined }, Base))[option as 'name']).toBe(base);
});

test('output: the nearest class wins', () => {
  class Other {
    @Field('X') x!: number;
  }
  const Base = configured({ output: Report });
  expect(Object.keys(define(configured({}, Base)).output?.schema.properties as object)).toEqual(['title']);
  expect(Object.keys(define(configured({ output: Other }, Base)).output?.schema.properties as object)).toEqual(['x']);
});

test.each([
  ['limits', { maxTurns: 1, maxToolCalls: 2 }, { maxTurns: 3 }, { maxTurns: 3, maxToolCalls: 2 }],
  ['modelSettings', { temperature: 0, seed: 1 }, { seed: 2 }, { temperature: 0, seed: 2 }],
] as const)('%s: per key, the nearest class wins', (option, base, near, merged) => {
  expect(define(configured({ [option]: near }, configured({ [option]: base })))[option]).toEqual(merged);
});

test.each([
  ['hooks', [hook], [otherHook], [hook, otherHook]],
  ['guardrails', { input: [guard] }, { input: [otherGuard], output: [guard] }, { input: [guard, otherGuard], output: [guard] }],
  ['policy', rule, [otherRule], [rule, otherRule]],
] as const)("%s: they add up, the bases' first", (option, base, near, merged) => {
  expect(define(configured({ [option]: near }, configured({ [option]: base })))[option]).toEqual(merged);
});

test("toolsets and tools add up, the bases' first, after the agent's own", () => {
  class One {
    @Tool('x') one(): void {}
  }
  class Two {
    @Tool('x') two(): void {}
  }
  const value = (name: string) => defineTool({ name, description: 'x', execute: () => 1 });
  @AgentConfig({ toolsets: [One], tools: [value('three')] })
  class Base extends Agent {
    @Tool('x') own(): void {}
  }
  @AgentConfig({ toolsets: [Two], tools: [value('four')] })
  class Near extends Base {
    @Tool('x') mine(): void {}
  }
  expect(new ToolRegistry().toolsOf(Near).map((tool) => tool.name)).toEqual(['own', 'mine', 'one', 'two', 'three', 'four']);
});

test.each<[unknown, RegExp]>([
  [{ modle: 'x' }, /@AgentConfig\(\) of Configured: there is no option `modle`\. Did you mean `model`\?/],
  [{ model: '' }, /`model` must be a provider string/],
  [{ model: [] }, /`model`/],
  [{ model: {} }, /`model`/],
  [{ instructions: 3 }, /`instructions` must be a text, or a function, not 3/],
  [{ limits: { maxTurn: 3 } }, /limits: there is no option `maxTurn`\. Did you mean `maxTurns`/],
  [{ limits: { maxTurns: 0 } }, /`maxTurns` must be a whole number, 1 or more, not 0/],
  [{ limits: { maxDurationMs: 1e12 } }, /`maxDurationMs`/],
  [{ limits: 3 }, /`limits` must be an object/],
  [{ modelSettings: { temperature: 'hot' } }, /`temperature`/],
  [{ modelSettings: { reasoningEffort: 'max' } }, /`reasoningEffort` must be one of/],
  [{ maxConcurrency: 0 }, /`maxConcurrency`/],
  [{ toolChoice: 'any' }, /`toolChoice`/],
  [{ taint: 'on' }, /`taint` must be one of 'ask', 'deny', 'off'/],
  [{ guardrails: { inputs: [] } }, /guardrails: there is no option `inputs`/],
  [{ guardrails: { input: [3] } }, /`input` must be a list of functions/],
  [{ policy: { denny: [] } }, /policy: there is no option `denny`/],
  [{ policy: { deny: [{}] } }, /a matcher `\{\}` says nothing/],
  [{ policy: [{ deny: [{ tags: 'x' }] }] }, /there is no option `tags`\. Did you mean `tag`/],
  [{ hooks: [3] }, /`hooks`/],
  [{ approve: {} }, /`approve`/],
  [{ toolsets: {} }, /`toolsets` must be a list/],
  [{ toolsets: [3] }, /3 is no toolset/],
  [{ tools: [class {}] }, /has no method `execute`/],
  [{ output: 'Report' }, /`output`/],
  [{ name: '' }, /`name`/],
])('%j is refused', (options, message) => {
  expect(() => define(configured(options))).toThrow(ToolDefinitionError);
  expect(() => define(configured(options))).toThrow(message);
});

// What a module in a circle gives in place of a class.
test.each([
  ...['toolsets', 'tools', 'subagents', 'hooks', 'policy', 'model'].map((option) => ({ [option]: [undefined] })),
  { guardrails: { output: [undefined] } },
  { toolsets: [toolset(undefined as never)] },
  { toolsets: [toolset([undefined as never])] },
])('undefined in a list is told as such: %j', (options) => {
  expect(() => define(configured(options))).toThrow(/undefined.*exported under the name.*circle/s);
});

test('an output that is undefined is no wish for text', () => {
  expect(() => define(configured({ output: undefined }))).toThrow(/`output` is undefined.*import each other.*output: \(\) => Report/s);
});

test('faults of the options, of the own tools and of listed toolsets come in one error', () => {
  class Set {
    @Tool('') bad(): void {}
  }
  @((AgentConfig as any)({ modle: 'x', toolsets: [Set] }))
  class Faulty extends Agent {
    @Tool({ description: 'x', timeout: -1 }) own(): void {}
  }
  expect(() => define(Faulty)).toThrow(/modle[^]*timeout[^]*Set\.bad/);
});

test('names that clash between own tools, toolsets and tools are told with both owners and a prefix', () => {
  class Search {
    @Tool('x') find(@Param('q', 'Q') q: string): string {
      return q;
    }
  }
  @AgentConfig({ toolsets: [Search] })
  class Clash extends Agent {
    @Tool('x') find(): void {}
  }
  expect(() => define(Clash)).toThrow(
    /`find`: it belongs to both Clash\.find and Search\.find[^]*toolset\(Search\)\.prefixed\('search_'\)/,
  );
});

test("a tool method under a hook's name is refused: the runner would call it too", () => {
  class Hooked extends Agent {
    @((Tool as any)('x')) override approve(): boolean {
      return true;
    }
  }
  expect(() => define(Hooked)).toThrow(/Hooked\.approve: a method named `approve` is the approver of the agent/);
});

test('a method and an option `approve` in one class are one too many', () => {
  @((AgentConfig as any)({ approve: () => true }))
  class Both extends Agent {
    override approve = undefined as never;
  }
  @AgentConfig({ approve: () => true })
  class Two extends Agent {}
  Object.defineProperty(Two.prototype, 'approve', { value: () => true });
  expect(() => define(Both)).not.toThrow();
  expect(() => define(Two)).toThrow(/Two: it has a method `approve` and the option/);
});

test('a definition is frozen, resolved once per registry, and leaves the options as they were', () => {
  const options = Object.freeze({ limits: Object.freeze({ maxTurns: 2 }), hooks: Object.freeze([hook]), policy: Object.freeze([rule]) });
  const cls = configured(options);
  const registry = new ToolRegistry();
  const definition = definitionOf(cls, registry);
  expect(definitionOf(cls, registry)).toBe(definition);
  expect(Object.isFrozen(definition) && Object.isFrozen(definition.limits) && Object.isFrozen(definition.hooks)).toBe(true);
  expect(define(cls)).not.toBe(definition);
});

test('what is no agent is refused with the line to write', () => {
  class Plain {}
  expect(() => agentOf(Plain)).toThrow(/Plain is no agent.*class Plain extends Agent/);
  expect(() => agentOf(class {})).toThrow(/an anonymous class is no agent.*class MyAgent extends Agent/);
  expect(() => agentOf(undefined)).toThrow(/undefined is no agent.*exported.*circle/);
  for (const other of [undefined, null, 3, 'Agent', {}, () => 1, Object.create(null)]) expect(() => agentOf(other)).toThrow(UsageError);
  class Real extends Agent {}
  const instance = new Real();
  expect(agentOf(Real)).toEqual({ cls: Real, instance: undefined });
  expect(agentOf(instance)).toEqual({ cls: Real, instance });
  expect(agentOf(new Proxy(instance, {})).cls).toBe(Real);
});

test('tools of a @Toolset are seen under their prefix', () => {
  @Toolset({ prefix: 'fs_' })
  class Files {
    @Tool('x') read(): void {}
  }
  expect(new ToolRegistry().toolsOf(configured({ toolsets: [Files] })).map((tool) => tool.name)).toEqual(['fs_read']);
});
