import type { Approver } from '../invocation/approval';
import type { Policy } from '../invocation/policy';
import type { ModelRef, ModelSettings, ToolChoice } from '../models/model';
import type { RunContext } from '../tools/tool-context';
import type { ToolRef } from '../tools/tool-ref';
import type { ToolsetRef } from '../tools/toolset';
import type { TypeSpec } from '../types/type-spec';
import type { SubagentRef } from './agent';
import type { Guardrails } from './guardrails';
import type { Hooks } from './hooks';

/** Bounds of a run. Money in US dollars, time in milliseconds, tokens as the provider counts them. */
export interface Limits {
  /** Model requests with tools; one more without them may follow for a final answer. 10 by default. */
  readonly maxTurns?: number;
  /** Tool calls; a batch that would go over it runs nothing. 100 by default. */
  readonly maxToolCalls?: number;
  /** Tokens of all requests together, input and output, as the provider counts them. None by default. */
  readonly maxTokens?: number;
  /** US dollars for all requests together; needs a provider that tells costs, or `registerPrices`. None by default. */
  readonly maxCostUsd?: number;
  /** Milliseconds; a quarter of it, at most 30 seconds, is kept for a final answer. None by default. */
  readonly maxDurationMs?: number;
  /** How deep sub-agents may call further ones, counted from this run; 0 for none. 5 by default. */
  readonly maxDepth?: number;
  /** What happens at a limit: one last answer without tools (default), or a `LimitError`. */
  readonly onExceeded?: 'answer' | 'throw';
}

/** Hooks, or their class, which the container builds. */
export type HooksRef<Deps> = Hooks<Deps> | (new (...args: never[]) => Hooks<Deps>);
/** What stands before the conversation: text, or a function of the run's context that is called once, at run start. */
export type Instructions<Deps> = string | ((context: RunContext<Deps>) => string | Promise<string>);

/** Which contributed tools an agent takes, and which it believes. */
export interface ContributedOptions {
  /** Only the contributions of these names; all by default. */
  readonly only?: readonly string[];
  /**
   * Whether what unknown owners say of their tools counts: their annotations, that no approval is needed, that results can be trusted, their
   * instructions. For all, or for the contributions of these names. `false` by default.
   */
  readonly trustAnnotations?: boolean | readonly string[];
}

/** What `@AgentConfig` takes. How a subclass's options meet its base's is said at each. */
export interface AgentOptions<
  Output extends TypeSpec = TypeSpec,
  Deps = unknown,
  Toolsets extends ToolsetRef = ToolsetRef,
  Tools extends ToolRef = ToolRef,
> {
  /** The class's name in snake_case by default. Nearest wins. */
  readonly name?: string;
  /** What it is for; shown when it is another agent's tool. Nearest wins. */
  readonly description?: string;
  /** A provider string, a model, or a list of them to fall back along. Nearest wins. */
  readonly model?: ModelRef | readonly ModelRef[];
  /** Text, or a function of the run's context, called once at run start. Nearest wins. */
  readonly instructions?: Instructions<Deps>;
  /** The type of the answer; must agree with `extends Agent<Output>`. Nearest wins. */
  readonly output?: Output;
  /** A function, or a service's class. Nearest wins. */
  readonly approve?: Approver<Deps> | (new (...args: never[]) => { approve: unknown });
  /** Whether calls of one answer may run side by side. `false` by default. Nearest wins. */
  readonly parallelToolCalls?: boolean;
  /** Calls that run at once. 10 by default. Nearest wins. */
  readonly maxConcurrency?: number;
  /** For the first request; `auto` from then on. Nearest wins. */
  readonly toolChoice?: ToolChoice;
  /** What untrusted content in the context means for calls that change things or reach out. `ask` by default. Nearest wins. */
  readonly taint?: 'ask' | 'deny' | 'off';
  /** Whether the model reads the texts of unexpected errors. `false` by default. Nearest wins. */
  readonly exposeErrors?: boolean;
  /** Whether cut results can be read on with the `read_output` tool. `false` by default. Nearest wins. */
  readonly paging?: boolean;
  /** Whether it also has the tools that packages registered (`ToolRegistry.register`). `false` by default. Nearest wins. */
  readonly contributed?: boolean | ContributedOptions;
  /** Per key, nearest wins. */
  readonly limits?: Limits;
  /** Per key, nearest wins. */
  readonly modelSettings?: ModelSettings;
  /** Accumulate, bases first. */
  readonly toolsets?: readonly Toolsets[];
  /** Accumulate, bases first. */
  readonly tools?: readonly Tools[];
  /** Agents that this one can give tasks to, each a tool; `agentTool` in `tools` says more of one. Accumulate, bases first. */
  readonly subagents?: readonly SubagentRef[];
  /** Accumulate, bases first. */
  readonly hooks?: readonly HooksRef<Deps>[];
  /** Accumulate, bases first. */
  readonly guardrails?: Guardrails<Deps>;
  /** Accumulate; a denial always wins. */
  readonly policy?: Policy<Deps> | readonly Policy<Deps>[];
}
