import type { Approver } from '../invocation/approval';
import type { Policy } from '../invocation/policy';
import type { ModelRef, ModelSettings, ModelTool, ToolChoice } from '../models/model';
import type { Contract } from '../schema/contract';
import type { BoundTool } from '../tools/tool-definition';
import type { Agent } from './agent';
import type { Limits } from './agent-options';
import type { Guardrails } from './guardrails';
import type { Hooks } from './hooks';

/** An agent ready for one run: instances built, tools and instructions frozen. Shared between runs where nothing depends on the run. */
export interface PreparedAgent {
  readonly name: string;
  readonly description: string | undefined;
  readonly instance: Agent<unknown, never>;
  readonly model: ModelRef | readonly ModelRef[] | undefined;
  /** The agent's and its toolsets' instructions, joined; `undefined` when there are none. */
  readonly instructions: string | undefined;
  readonly tools: ReadonlyMap<string, BoundTool>;
  /** The tools as the model is shown them, in order; the same frozen array for every request of a run. */
  readonly modelTools: readonly ModelTool[];
  readonly output: Contract | undefined;
  readonly hooks: readonly Hooks[];
  readonly policy: readonly Policy[];
  readonly guardrails: Required<Guardrails>;
  readonly approver: Approver | undefined;
  readonly limits: Limits;
  readonly modelSettings: ModelSettings;
  readonly parallelToolCalls: boolean;
  readonly maxConcurrency: number;
  readonly toolChoice: ToolChoice;
  readonly taint: 'ask' | 'deny' | 'off';
  readonly exposeErrors: boolean;
  readonly paging: boolean;
  /** Said once per run: a tool that could not be strict, a bare description. */
  readonly warnings: readonly string[];
}
