// Compiled once more without `strict`: nothing is known of `undefined` and `null` then, and nothing may be refused for it.
import { Agent, AgentConfig, Field, Integer, Param, Tool, ToolContext, arrayOf, nullable } from 'toolwright';
import type { RunContext } from 'toolwright';

export class Line {
  @Field('What') what!: string;
  @Field({ type: Integer, default: 1 }) count!: number;
}

@AgentConfig({ instructions: (context: RunContext<{ user: string }>) => context.deps.user })
export class Loose extends Agent<string, { user: string }> {
  @Tool('x') required(@Param('n') n: number) {
    return n;
  }
  @Tool('x') optional(@Param('n', { optional: true }) n?: number) {
    return n;
  }
  @Tool('x') defaulted(@Param('n', { default: 3 }) n = 3) {
    return n;
  }
  @Tool('x') nullable(@Param('s', { type: nullable(String) }) s: string | null) {
    return s;
  }
  @Tool('x') lines(@Param('lines', { type: arrayOf(Line), minItems: 1 }) lines: Line[], context: ToolContext<{ user: string }>) {
    return [lines, context.deps.user];
  }
  // @ts-expect-error an array says nothing of what is inside
  @Tool('x') erased(@Param('xs') xs: number[]) {
    return xs;
  }
  // @ts-expect-error another type
  @Tool('x') wrong(@Param('n', { type: String }) n: number) {
    return n;
  }
  override onRunStart(context: RunContext<{ user: string }>) {
    console.log(context.deps.user);
  }
}

@AgentConfig({ output: Line })
export class Typed extends Agent<Line> {}

// @ts-expect-error disagrees
@AgentConfig({ output: Line })
export class Disagrees extends Agent<number[]> {}

export class AsksTooMuch extends Agent<string, { user: string }> {
  // @ts-expect-error deps that the agent does not have
  @Tool('x') deps(context: ToolContext<{ db: string }>) {
    return context.deps.db;
  }
}
