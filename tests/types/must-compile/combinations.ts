// Decorators and schemas of other packages, long signatures, deps asked for in several places.
import { type } from 'arktype';
import { IsString, IsOptional } from 'class-validator';
import {
  Agent,
  AgentConfig,
  Args,
  Ctx,
  Field,
  Integer,
  Param,
  Preview,
  Tool,
  ToolContext,
  arrayOf,
  defineTool,
  jsonSchema,
  toolset,
} from 'toolwright';
import type { CallView, Overrides, RunContext } from 'toolwright';
const Ark = type({ a: 'string', 'b?': 'number' });
class Order {
  @IsString() @Field('x') item!: string;
  @IsOptional() @Field({ type: Integer }) n?: number;
  @Field() private secret!: string;
  s() {
    return this.secret;
  }
}
class Page<T> {
  @Field({ type: arrayOf(Order) }) items!: T[];
  @Field() size!: number;
  @Field({ type: jsonSchema<unknown>({}) }) first!: T;
}
export class Six extends Agent<string, { a: string }> {
  @Tool('x') six(
    @Param('a') a: string,
    @Param('b') b: number,
    @Param('c') c: boolean,
    @Param('d') d: Date,
    @Param('e', { type: arrayOf(String) }) e: string[],
    @Param('f', { enum: ['x'] }) f: 'x',
    ctx: ToolContext,
  ) {
    return [a, b, c, d, e, f, ctx];
  }
  @Tool('x') ark(@Param('a', { type: Ark }) a: typeof Ark.infer) {
    return a;
  }
  @Tool('x') arkArgs(@Args(Ark) a: typeof Ark.infer) {
    return a;
  }
  @Tool('x') argsThunk(@Args(() => Order) a: Order, @Ctx() c?: ToolContext) {
    return [a, c];
  }
  @Tool('x') opt(@Param('n', { default: 3 }) n?: number) {
    return n;
  }
  @Tool('x') async *gen(@Param('n') n: number) {
    yield n;
    return n;
  }
  @Tool({ description: 'x', requiresApproval: (args: { n: number }, ctx: ToolContext<{ a: string }>) => args.n > ctx.deps.a.length }) ap(
    @Param('n') n: number,
  ) {
    return n;
  }
  @Preview('secret') hid(n: number) {
    return n;
  }
  private secret(n: number, more: string) {
    return [n, more];
  }
  u() {
    return this.secret(1, 'a');
  }
}
@AgentConfig({
  instructions: (c: RunContext<{ a: string }>) => c.deps.a,
  policy: (call: CallView, c: ToolContext<{ b: string }>) => (c.deps.b === call.id ? 'allow' : 'ask'),
})
export class Two extends Agent<string, { a: string; b: string }> {}
@AgentConfig({ output: () => Order, instructions: (c) => String(c.deps) })
export class Thunk extends Agent<Order> {}
@AgentConfig({
  approve: (request) => request.label === 'x',
  hooks: [
    {
      beforeTool(call) {
        return call.id ? { deny: 'x' } : undefined;
      },
    },
  ],
})
export class Inline extends Agent<string, { a: string; b: string }> {}
class Cls {
  beforeTool(call: CallView, context: ToolContext<{ b: string }>) {
    return void [call, context];
  }
}
@AgentConfig({
  hooks: [
    Cls,
    {
      onRunStart(c: RunContext<{ a: string }>) {
        void c;
      },
    },
  ],
})
export class HookClasses extends Agent<string, { a: string; b: string }> {}
@AgentConfig({
  toolsets: [
    toolset(Order)
      .filtered((t) => t.name !== 'x')
      .prepared((ts) => ts.slice(1)),
  ],
})
export class Empty2 extends Agent {}
export const p = new Page<Order>();
export const t = defineTool({ name: 'a', description: 'b', parameters: Ark, execute: ({ a, b }) => a + (b ?? 0).toFixed() });
export const t2 = defineTool({
  name: 'a',
  description: 'b',
  parameters: { x: { type: arrayOf(String), default: ['a'] } },
  execute: ({ x }) => x.push('b'),
});
export const t3 = defineTool({
  name: 'a',
  description: 'b',
  parameters: { x: { type: Order, default: { item: 'a' } as Order } },
  execute: ({ x }) => x.item,
});
declare function over<const P extends readonly unknown[]>(o: Overrides<P>): void;
abstract class Port {
  abstract go(n: number): Promise<string>;
}
over([
  { provide: Port, useFactory: async () => ({ go: async (n) => n.toFixed() }) },
  { provide: 'x', useValue: 3 },
  { provide: Symbol('x'), useValue: 3 },
]);
