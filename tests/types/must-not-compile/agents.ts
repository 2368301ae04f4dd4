import { Token } from 'typedi';
import { z } from 'zod';
import {
  Agent,
  AgentConfig,
  AgentRunner,
  Param,
  Preview,
  Tool,
  ToolContext,
  agentTool,
  defineTool,
  handoff,
  jsonSchema,
  toolset,
} from 'toolwright';
import type { CallView, RunContext } from 'toolwright';
import { createTestRunner } from 'toolwright/testing';

export class Report {
  title!: string;
  points!: string[];
}
export class Other {
  x!: number;
}
export interface Deps {
  user: { id: string };
}

// @ts-expect-error a01 output differs
@AgentConfig({ output: Other })
export class A01 extends Agent<Report> {}
// @ts-expect-error a02 output given, agent returns text
@AgentConfig({ output: Report })
export class A02 extends Agent {}
// @ts-expect-error a03 typed agent, no output given
@AgentConfig({ model: 'x' })
export class A03 extends Agent<Report> {}
// @ts-expect-error a24 an output that says nothing to the compiler
@AgentConfig({ output: jsonSchema({}) })
export class A24 extends Agent<Report> {}
// @ts-expect-error a04 no agent
@AgentConfig({ model: 'x' })
export class A04 {}
// @ts-expect-error a05 unknown option
@AgentConfig({ modle: 'x' })
export class A05 extends Agent {}
// @ts-expect-error a06 instructions ask for deps
@AgentConfig({ instructions: (c: RunContext<{ db: string }>) => c.deps.db })
export class A06 extends Agent<string, Deps> {}
// @ts-expect-error a08 tool class without execute
@AgentConfig({ tools: [Report] })
export class A08 extends Agent {}
// @ts-expect-error a09 zod output
@AgentConfig({ output: z.object({ title: z.number() }) })
export class A09 extends Agent<{ title: string }> {}
@AgentConfig({ output: z.object({ title: z.string(), more: z.string() }) })
export class A10 extends Agent<{ title: string }> {}
@AgentConfig({ output: Report })
export class Good extends Agent<Report, Deps> {
  @Tool('x') query(@Param('sql') sql: string, @Param('n') n: number) {
    return sql + n;
  }
  // @ts-expect-error a11 preview of nothing
  @Preview('qery') p1(sql: string) {
    return sql;
  }
  // @ts-expect-error a12 preview with other parameters
  @Preview('query') p2(sql: number) {
    return sql;
  }
  @Preview('query') p3(sql: string) {
    return sql;
  }
}
abstract class Abstract extends Agent {
  abstract later(): void;
}
export async function run(runner: AgentRunner) {
  // @ts-expect-error a14 deps missing
  await runner.run(Good, 'x');
  // @ts-expect-error a15 deps of another type
  await runner.run(Good, 'x', { deps: { user: 3 } });
  const r = await runner.run(Good, 'x', { deps: { user: { id: 'a' } } });
  // @ts-expect-error a16 typed result
  r.output?.nothing;
  // @ts-expect-error a17 abstract agent
  await runner.run(Abstract, 'x');
  // @ts-expect-error a18 no agent
  await runner.run(Report, 'x');
  // @ts-expect-error a19 unknown run option
  await runner.run(Good, 'x', { deps: { user: { id: 'a' } }, limts: {} });
}
class Http {
  private socket = 1;
  get(url: string): Promise<string> {
    return Promise.resolve(url + this.socket);
  }
  post(url: string): Promise<string> {
    return this.get(url);
  }
}
const CLOCK = new Token<{ now(): Date }>('clock');
export function overrides(runner: AgentRunner) {
  // @ts-expect-error o01 misspelt member
  runner.withOverrides([{ provide: Http, useValue: { gett: async () => 'x' } }]);
  // @ts-expect-error o02 wrong return
  runner.withOverrides([{ provide: Http, useValue: { get: async () => 3 } }]);
  // @ts-expect-error o03 not a promise
  runner.withOverrides([{ provide: Http, useValue: { get: () => 'x' } }]);
  // @ts-expect-error o04 wrong value for a token
  runner.withOverrides([{ provide: CLOCK, useValue: { now: () => 3 } }]);
  class WrongHttp {
    get(url: number) {
      return url;
    }
  }
  // @ts-expect-error o05 wrong class
  runner.withOverrides([{ provide: Http, useClass: WrongHttp }]);
  // @ts-expect-error o06 both
  runner.withOverrides([{ provide: Http, useValue: {}, useFactory: () => ({}) }]);
  // @ts-expect-error o07 neither
  runner.withOverrides([{ provide: Http }]);
  // @ts-expect-error o08 factory
  runner.withOverrides([{ provide: Http, useFactory: () => ({ get: 3 }) }]);
  runner.withOverrides([
    { provide: Http, useValue: { get: async () => 'x' } },
    // @ts-expect-error o09 the second of two
    { provide: CLOCK, useValue: { nwo: 1 } },
  ]);
  // @ts-expect-error o10 in the test runner
  createTestRunner({ overrides: [{ provide: Http, useValue: { get: async () => 3 } }] });
  // not refused, o11: methods are bivariant in TypeScript
  runner.withOverrides([{ provide: Http, useValue: { get: async (url: 'a') => url } }]);
  // @ts-expect-error o12 no members in common
  runner.withOverrides([{ provide: Http, useValue: new Other() }]);
  // @ts-expect-error o13 a whole class in place of a value
  runner.withOverrides([{ provide: Http, useValue: Http }]);
}
export const d1 = defineTool({
  name: 'a',
  description: 'x',
  parameters: { a: Number },
  // @ts-expect-error d01 no such argument
  execute({ b }) {
    return b;
  },
});
export const d2 = defineTool({
  name: 'a',
  description: 'x',
  parameters: { a: Number },
  execute({ a }) {
    // @ts-expect-error d02 type
    return a.length;
  },
});
// @ts-expect-error d03 unknown option
export const d3 = defineTool({ name: 'a', description: 'x', parms: {}, execute() {} });
export const d4 = defineTool({
  name: 'a',
  description: 'x',
  parameters: { a: { type: String, optional: true } },
  execute({ a }) {
    // @ts-expect-error d04 may be missing
    return a.length;
  },
});
export const d5 = defineTool({
  name: 'a',
  description: 'x',
  // @ts-expect-error d05 unknown option of a parameter
  parameters: { a: { type: String, desciption: 'x' } },
  execute({ a }) {
    return a;
  },
});

@AgentConfig({ model: 'x' })
export abstract class GenericBase<O> extends Agent<O> {
  @Tool('x') a(@Param('x') x: string) {
    return x;
  }
}
@AgentConfig({ model: 'x' })
export abstract class GenericDeps<D extends { tenant: string }> extends Agent<string, D> {
  @Tool('x') a(@Param('x') x: string, context: ToolContext<{ tenant: string }>) {
    return x + context.deps.tenant;
  }
}
@AgentConfig({ model: 'x', instructions: (c: RunContext<{ tenant: string }>) => c.deps.tenant })
export abstract class GenericDeps2<D extends { tenant: string }> extends Agent<string, D> {
  @Tool('x') ok(context: ToolContext<D>) {
    return context.deps.tenant;
  }
}
// @ts-expect-error g01 more than the bound promises
@AgentConfig({ model: 'x' })
export abstract class GenericDeps3<D extends { tenant: string }> extends Agent<string, D> {
  @Tool('x') g01(context: ToolContext<{ tenant: string; more: 1 }>) {
    return context.deps.more;
  }
}
@AgentConfig({ model: 'x', output: Report })
export class FromGeneric extends GenericBase<Report> {}
// @ts-expect-error g02 the output of a base's configuration is not seen: it must be repeated
@AgentConfig({ model: 'y' })
export class SubOfTyped extends Good {}

class Db {
  @Tool('q') rows(@Param('q') q: string, context: ToolContext<{ db: string }>) {
    return q + context.deps.db;
  }
}
// @ts-expect-error t01 a toolset asks for more
@AgentConfig({ model: 'x', toolsets: [Db] })
export class T01 extends Agent<string, { user: string }> {}
// @ts-expect-error t02 a view of a toolset asks for more
@AgentConfig({ model: 'x', toolsets: [toolset(Db).prefixed('a')] })
export class T02 extends Agent {}
type Ctor<T = object> = abstract new (...args: any[]) => T;
function WithDb<B extends Ctor<Agent<unknown, never>>>(Root: B) {
  abstract class D extends Root {
    @Tool('q') rows(@Param('q') q: string, context: ToolContext<{ db: string }>) {
      return q + context.deps.db;
    }
  }
  return D;
}
// @ts-expect-error t03 a mixin asks for more
@AgentConfig({ model: 'x' })
export class T03 extends WithDb(Agent<string, { user: string }>) {}
export class T04 extends WithDb(Agent<string, { db: string }>) {}
// @ts-expect-error t04 deps are missing through a mixin
export const t04 = (runner: AgentRunner) => runner.run(T04, 'x');

const needsDb = defineTool({ name: 'a', description: 'x', execute: (_args, context: ToolContext<{ db: string }>) => context.deps.db });
// @ts-expect-error t05 a tool that is a value asks for more
@AgentConfig({ model: 'x', tools: [needsDb] })
export class T05 extends Agent<string, { user: string }> {}
// @ts-expect-error t06 and so in a list
@AgentConfig({ model: 'x', toolsets: [toolset([needsDb])] })
export class T06 extends Agent<string, { user: string }> {}
// @ts-expect-error t07 an instance
@AgentConfig({ model: 'x', toolsets: [new Db()] })
export class T07 extends Agent {}
// @ts-expect-error t08 a factory
@AgentConfig({ model: 'x', toolsets: [(context: RunContext<{ db: string }>) => (context.deps.db === '' ? [] : [])] })
export class T08 extends Agent {}
class OneTool {
  execute(@Param('q') q: string, context: ToolContext<{ db: string }>) {
    return q + context.deps.db;
  }
}
// @ts-expect-error t09 a class that is a tool
@AgentConfig({ model: 'x', tools: [OneTool] })
export class T09 extends Agent {}
// @ts-expect-error t10 a hook written as a method
@AgentConfig({ model: 'x' })
export class T10 extends Agent<string, { user: string }> {
  override onRunStart(context: RunContext<{ db: string }>) {
    return void context.deps.db;
  }
}
// @ts-expect-error d06 a default of another type
export const d6 = defineTool({ name: 'a', description: 'x', parameters: { a: { type: Number, default: 'one' } }, execute: ({ a }) => a });
// @ts-expect-error d07 a default outside the enum
export const d7 = defineTool({ name: 'a', description: 'x', parameters: { a: { enum: ['x', 'y'], default: 'z' } }, execute: ({ a }) => a });
export const d8 = defineTool({
  name: 'a',
  description: 'x',
  parameters: { a: Number },
  // @ts-expect-error d08 the predicate's arguments are typed
  requiresApproval: ({ b }) => b > 1,
  execute: ({ a }) => a,
});
class AskingHooks {
  beforeTool(call: CallView, context: ToolContext<{ db: string }>) {
    return void [call, context];
  }
}
// @ts-expect-error t11 hooks ask for more
@AgentConfig({ hooks: [AskingHooks] })
export class T11 extends Agent<string, { user: string }> {}
// @ts-expect-error t12 a policy asks for more, where instructions do not
@AgentConfig({
  instructions: (c: RunContext<{ user: string }>) => c.deps.user,
  policy: (_call, c: ToolContext<{ db: string }>) => (c.deps.db ? 'ask' : 'allow'),
})
export class T12 extends Agent<string, { user: string }> {}
// @ts-expect-error t13 a guardrail asks for more
@AgentConfig({ guardrails: { input: [(_text, c: RunContext<{ db: string }>) => ({ refuse: c.deps.db })] } })
export class T13 extends Agent<string, { user: string }> {}
// @ts-expect-error t14 the approver asks for more
@AgentConfig({ approve: (_request, c: ToolContext<{ db: string }>) => c.deps.db === 'x' })
export class T14 extends Agent<string, { user: string }> {}

class NoAgent {}
class Free extends Agent {}
class NeedsDb extends Agent<string, { db: string }> {}
class Numbers extends Agent<number> {}
// @ts-expect-error s01 a sub-agent is no agent
@AgentConfig({ subagents: [NoAgent] })
export class S01 extends Agent {}
// @ts-expect-error s02 a sub-agent needs deps that nobody maps
@AgentConfig({ subagents: [Free, NeedsDb] })
export class S02 extends Agent<string, { db: string }> {}
// @ts-expect-error s03 and so as a tool
export const s3 = agentTool(NeedsDb);
// @ts-expect-error s04 mapped to something else
export const s4 = agentTool(NeedsDb, { deps: (around: { user: string }) => ({ user: around.user }) });
// @ts-expect-error s05 the mapping asks for deps that the agent does not have
@AgentConfig({ tools: [agentTool(NeedsDb, { deps: (around: { name: string }) => ({ db: around.name }) })] })
export class S05 extends Agent<string, { user: string }> {}
// @ts-expect-error s06 a hand-off to an agent whose deps are not there
@AgentConfig({ tools: [handoff(NeedsDb)] })
export class S06 extends Agent<string, { user: string }> {}
// @ts-expect-error s07 a hand-off to an agent that answers with something else
@AgentConfig({ tools: [handoff(Numbers)] })
export class S07 extends Agent {}
// @ts-expect-error s08 the predicate's arguments are typed by the input
export const s8 = agentTool(Free, { input: { topic: String }, requiresApproval: ({ topics }) => topics === '' });
// @ts-expect-error s09 an unknown option
export const s9 = agentTool(Free, { inputs: { topic: String } });
// @ts-expect-error s10 no agent at all
export const s10 = handoff(NoAgent);
