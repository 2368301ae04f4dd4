import { Service, Token } from 'typedi';
import { z } from 'zod';
import {
  Agent,
  AgentConfig,
  AgentRunner,
  Args,
  Field,
  Param,
  Preview,
  Tool,
  ToolContext,
  Toolset,
  agentTool,
  arrayOf,
  defineTool,
  handoff,
  jsonSchema,
  toolset,
} from 'toolwright';
import type { AgentOptions, AgentRef, AnyAgent, ApprovalRequest, CallView, DepsOf, OutputOf, RunArguments, RunContext } from 'toolwright';

// ---- typed output and deps
export class Report {
  @Field('One line') title!: string;
  @Field({ type: arrayOf(String) }) points!: string[];
  private secret = 1;
  read() {
    return this.secret;
  }
}
export interface Deps {
  user: { id: string };
  db: { query(sql: string): Promise<unknown[]> };
}

@Service()
@AgentConfig({ model: 'openai:x', output: Report, instructions: (context: RunContext<Deps>) => `User ${context.deps.user.id}` })
export class Reporter extends Agent<Report, Deps> {
  @Tool('Query') async query(@Param('sql', 'One SELECT') sql: string, context: ToolContext<Pick<Deps, 'db'>>) {
    return context.deps.db.query(sql);
  }
  @Preview('query') previewQuery(sql: string) {
    return `Would run ${sql}`;
  }
}

@AgentConfig({ model: 'openai:x', output: z.object({ a: z.string() }) })
@Service()
export class ZodOut extends Agent<{ a: string }> {}

@AgentConfig({ output: jsonSchema<number[]>({ type: 'array' }) })
export class RawOut extends Agent<number[]> {}

export async function runs(runner: AgentRunner, deps: Deps) {
  const a = await runner.run(Reporter, 'go', { deps });
  if (a.stopReason !== 'completed') return undefined;
  const title: string = a.output.title;
  const b = await runner.run(ZodOut, 'go');
  const s: string | undefined = b.output?.a;
  const c = await runner.run(new RawOut(), 'go', { limits: { maxTurns: 2 } });
  const n: number | undefined = c.output?.[0];
  const handle = runner.stream(Reporter, 'go', { deps });
  for await (const event of handle) if (event.type === 'tool.end') console.log(event.outcome, event.name);
  const d = await handle.result;
  const points: readonly string[] = d.stopReason === 'completed' ? d.output.points : [];
  return [title, s, n, points];
}

// ---- generics over agents
export async function ask<O, D>(runner: AgentRunner, agent: AgentRef<O, D>, ...options: RunArguments<D>): Promise<O | undefined> {
  return (await runner.run(agent, 'x', ...options)).output;
}
export async function asks(runner: AgentRunner, deps: Deps) {
  const a: string | undefined = (await ask(runner, Reporter, { deps }))?.title;
  const b: string | undefined = (await ask(runner, ZodOut))?.a;
  return [a, b];
}
// an agent that needs less stands where more is supplied
export const less: AgentRef<string, { tenant: string; more: 1 }>[] = [];
export function pick() {
  less.push(Derived);
}

// ---- abstract base, inheritance, overriding with narrower parameters
export abstract class Base<D extends { tenant: string } = { tenant: string }> extends Agent<string, D> {
  protected abstract prefix(): string;
  @Tool('Search') async search(
    @Param('query') query: string,
    @Param('limit', { default: 10 }) limit: number,
    context: ToolContext<{ tenant: string }>,
  ) {
    return [this.prefix(), query, limit, context.deps.tenant];
  }
}
@AgentConfig({ model: 'openai:x' })
export class Derived extends Base {
  protected prefix() {
    return 'd';
  }
  @Tool('Search, narrower') override async search(
    @Param('query', { enum: ['a', 'b'] }) query: 'a' | 'b',
    @Param('limit', { default: 3 }) limit = 3,
    context: ToolContext<{ tenant: string }>,
  ) {
    return super.search(query, limit, context);
  }
}
@AgentConfig({ model: 'openai:x' })
export class Undecorated extends Base<{ tenant: string; extra: number }> {
  protected prefix() {
    return 'u';
  }
  override async search(query: string, limit: number, context: ToolContext<{ tenant: string }>) {
    return super.search(query + '!', limit, context);
  }
}

// ---- generic base agents
export abstract class Crud<T extends { id: string }, Create> extends Agent {
  protected abstract create(input: Create): Promise<T>;
  @Tool('Get') async get(@Param('id') _id: string): Promise<T | undefined> {
    return undefined;
  }
  @Tool('Add') async add(@Param('input', { type: jsonSchema<any>({}) }) input: Create) {
    return this.create(input);
  }
  @Tool('Keep') private keep(@Param('it', { type: jsonSchema<any>({}), optional: true }) it?: T | null) {
    return it;
  }
  all() {
    return this.keep();
  }
}

// ---- mixins
type Ctor<T = object> = abstract new (...args: any[]) => T;
export function WithNotes<B extends Ctor<AnyAgent>>(Root: B) {
  abstract class Notes extends Root {
    notes: string[] = [];
    @Tool('Note') note(@Param('text') text: string, @Param('tags', { type: arrayOf(String), optional: true }) tags?: string[]) {
      this.notes.push(text + tags);
    }
  }
  return Notes;
}
export function WithClock<B extends Ctor<AnyAgent>>(Root: B) {
  abstract class Clock extends Root {
    @Tool('Now') now() {
      return new Date();
    }
  }
  return Clock;
}
@AgentConfig({ model: 'openai:x', output: Report })
export class Mixed extends WithClock(WithNotes(Agent<Report>)) {
  @Tool('Own') own(@Param('x') x: number) {
    return x + this.notes.length;
  }
}
export const mixedRun = (runner: AgentRunner) => runner.run(Mixed, 'x').then((r) => r.output?.title);

// ---- stacked with somebody else's decorators
export function Log(): MethodDecorator {
  return () => undefined;
}
function Cached<A extends unknown[], R>(_: { ttl: number }) {
  return (_target: object, _key: string | symbol, descriptor: TypedPropertyDescriptor<(...args: A) => Promise<R>>) => descriptor;
}
function Timed(_target: object, _key: string, descriptor: PropertyDescriptor): PropertyDescriptor {
  return descriptor;
}
function Trim(): ParameterDecorator {
  return () => undefined;
}
@AgentConfig({ model: 'openai:x' })
export class Stacked extends Agent {
  @Log() @Tool('x') @Timed async a(@Trim() @Param('s') s: string) {
    return s;
  }
  @Tool('x') @Cached({ ttl: 3 }) async b(@Param('s') @Trim() s: string) {
    return s;
  }
  @Cached({ ttl: 3 }) @Tool('x') async c(@Param('s') s: string) {
    return s;
  }
}

// ---- toolsets, tools as classes, values
@Service()
export class Disk {
  read(path: string) {
    return path;
  }
}
@Service()
@Toolset({ prefix: 'fs_', instructions: 'Paths are relative.' })
export class Files {
  constructor(private readonly disk: Disk) {}
  @Tool('Read') readFile(@Param('path') path: string) {
    return this.disk.read(path);
  }
  @Tool('List') listFiles() {
    return [];
  }
}
export class SearchDatabase {
  execute(@Param('query') query: string, context: ToolContext) {
    return query + context.callId;
  }
  static metadata() {
    return { name: 'search', description: 'Search' };
  }
}
export class Query {
  @Field('q') q!: string;
}
export class SearchByDto {
  execute(@Args() query: Query) {
    return query.q;
  }
}
export const sum = defineTool({
  name: 'sum',
  description: 'Adds',
  parameters: {
    a: Number,
    b: { type: Number, default: 1 },
    label: { enum: ['x', 'y'], optional: true },
    note: 'A note',
    tags: arrayOf(String),
    when: z.date(),
  },
  execute({ a, b, label, note, tags, when }, context) {
    const l: 'x' | 'y' | undefined = label;
    const t: string[] = tags;
    const w: Date = when;
    return [a + b, l, note.length, t, w, context.callId];
  },
});
export const byDto = defineTool({
  name: 'by_dto',
  description: 'x',
  parameters: Query,
  execute: (query, context: ToolContext<{ user: string }>) => query.q + context.deps.user,
});
export const byZod = defineTool({
  name: 'by_zod',
  description: 'x',
  parameters: z.object({ a: z.number() }),
  execute: ({ a }) => a.toFixed(2),
});
export const byThunk = defineTool({ name: 'by_thunk', description: 'x', parameters: () => Query, execute: (query) => query.q.length });
export const byRaw = defineTool({
  name: 'by_raw',
  description: 'x',
  parameters: jsonSchema<{ a: number }>({ type: 'object' }),
  execute: ({ a }) => a,
});
export const none = defineTool({ name: 'none', description: 'x', execute: () => 1 });
@AgentConfig({
  model: 'openai:x',
  toolsets: [
    Files,
    toolset(Files).prefixed('b_').only('read_file').renamed({ read_file: 'cat' }).configured({ requiresApproval: true }),
    toolset([sum, byZod]),
  ],
  tools: [SearchDatabase, SearchByDto, sum],
})
export class Composed extends Agent {}

// ---- overrides
export const CLOCK = new Token<{ now(): Date }>('clock');
@Service()
export class Http {
  private socket = 1;
  get(url: string): Promise<string> {
    return Promise.resolve(url + this.socket);
  }
  post(url: string): Promise<string> {
    return this.get(url);
  }
}
export abstract class Mailer {
  abstract send(to: string): Promise<void>;
}
export function overrides(runner: AgentRunner, calls: string[]) {
  return runner.withOverrides([
    {
      provide: Http,
      useValue: {
        get: async (url) => {
          calls.push(url.toUpperCase());
          return 'x';
        },
      },
    },
    { provide: Http, useFactory: (container) => ({ post: async () => String(container.has(Http)) }) },
    {
      provide: Http,
      useClass: class {
        async get(url: string) {
          return url;
        }
      },
    },
    { provide: Mailer, useValue: { send: async () => {} } },
    { provide: CLOCK, useValue: { now: () => new Date(0) } },
    { provide: 'api.key', useValue: 'secret' },
    { provide: Http, useValue: new Http() },
  ]);
}

export class Db {
  @Tool('q') rows(@Param('q') q: string, context: ToolContext<{ db: string }>) {
    return q + context.deps.db;
  }
}
export class Who {
  @Tool('q') who(context: ToolContext<{ user: string }>) {
    return context.deps.user;
  }
  plain(a: number) {
    return a;
  }
  private hidden(context: ToolContext<{ x: 1 }>) {
    return context;
  }
  x() {
    return this.hidden;
  }
}
@AgentConfig({ model: 'x', toolsets: [Db, Who, toolset(Db).prefixed('x_'), Files] })
export class WithDeps extends Agent<string, { db: string; user: string }> {}
export function WithDb<B extends Ctor<AnyAgent>>(Root: B) {
  abstract class D extends Root {
    @Tool('q') rows(@Param('q') q: string, context: ToolContext<{ db: string }>) {
      return q + context.deps.db;
    }
  }
  return D;
}
@AgentConfig({ model: 'x' })
export class MixedDeps extends WithDb(Agent<string, { db: string; user: string }>) {}
export const mixedDeps = async (runner: AgentRunner) => (await runner.run(MixedDeps, 'x', { deps: { db: 'a', user: 'b' } })).output?.length;

// ---- hooks and approval as methods of the agent
@AgentConfig({ model: 'x' })
export class Hooked extends Agent<string, { user: string }> {
  override beforeTool(call: CallView, context: ToolContext<{ user: string }>) {
    return call.name === context.deps.user ? { deny: 'no' } : undefined;
  }
  override onRunStart(context: RunContext<{ user: string }>) {
    console.log(context.deps.user);
  }
  override approve(request: ApprovalRequest) {
    return request.label === 'x';
  }
}

// ---- names offered after wrappers, instances and factories as toolsets, tools that ask for deps
export const wrapped = toolset(Files).prefixed('fs_').only('fs_read_file', 'fs_renamed').without('fs_list_files');
export const greet = defineTool({
  name: 'greet',
  description: 'Greets',
  parameters: { times: { type: Number, default: 1 } },
  annotations: { readOnly: true },
  requiresApproval: ({ times }) => times > 3,
  lock: ({ times }) => String(times),
  execute: ({ times }, context: ToolContext<{ user: string }>) => context.deps.user.repeat(times),
  preview: ({ times }) => `Greets ${times} times`,
});
@AgentConfig({
  model: 'x',
  tools: [greet],
  toolsets: [
    new Who(),
    (context: RunContext<{ user: string }>) => (context.deps.user === 'x' ? [] : [Who]),
    () => [],
    async (context) => (context.messages.length > 1 ? Who : []),
    wrapped,
  ],
})
export class ListsAll extends Agent<string, { user: string; db: string }> {}

// ---- agents that call others, and hand over
class Free extends Agent {}
class Mapped extends Agent<number, { db: string }> {}
class SameDeps extends Agent<string, { user: string }> {}
@AgentConfig({
  subagents: [Free, new Free()],
  tools: [
    agentTool(Free, { name: 'a' }),
    agentTool(Mapped, { deps: (around: { user: string }) => ({ db: around.user }), limits: { maxTurns: 3 } }),
    agentTool(Mapped, {
      input: { topic: String },
      deps: () => Promise.resolve({ db: 'x' }),
      requiresApproval: ({ topic }) => topic !== '',
    }),
    handoff(Free),
    handoff(SameDeps, { description: 'Knows more.' }),
    defineTool({ name: 'plain', description: 'x', execute: () => 1 }),
  ],
})
export class Leads extends Agent<string, { user: string; more: number }> {}
@AgentConfig({ output: Number, tools: [handoff(Mapped, { deps: (deps: { user: string }) => ({ db: deps.user }) })] })
export class HandsOver extends Agent<number, { user: string }> {}

// ---- options that stand elsewhere
const shared = { model: 'openai:x', limits: { maxTurns: 3 } } satisfies AgentOptions;
@AgentConfig(shared)
export class Shared extends Agent {}
@AgentConfig({ ...shared, output: Report })
export class SharedReport extends Agent<Report> {}

// ---- what an agent answers with and needs, read from an instance's type or from the class
export const title: OutputOf<Reporter>['title'] = 'x';
export const point: OutputOf<typeof Reporter>['points'][number] = 'x';
export const user: DepsOf<Reporter>['user'] = { id: 'x' };
export const tenant: DepsOf<typeof Base> = { tenant: 'x' };
