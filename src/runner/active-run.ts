import type { ModelTool } from '../models/model';
import type { SystemMessage } from '../types/message';
import type { RunFacts, ToolCallRecord } from '../types/run-result';
import type { OutputAttempt } from './answer/read-answer';
import { HostTime } from './signals/host-time';
import { Ledger } from './ledger';
import type { Handover, NextAgent } from './next-agent';
import { Pager } from './paging/pager';
import type { RunDocument } from './persistence/run-document';
import { RunHooks } from './run-hooks';
import { RunView, type RunSetup } from './run-setup';
import { initialState, type AgentTerms, type RunState } from './loop/run-state';
import { asksNatively, outputPlan, type OutputPlan } from './answer/structured-output';
import { Transcript } from './conversation/transcript';

/** A run under way: what its steps share. The course of it is in `state`; the rest is what a snapshot need not hold. */
export class ActiveRun {
  state: RunState;
  readonly transcript: Transcript;
  // What depends on the agent: a hand-off changes it.
  view: RunView;
  hooks: RunHooks;
  readonly host: HostTime;
  system: readonly SystemMessage[] = [];
  plan: OutputPlan | undefined;
  pager: Pager | undefined;
  /** The same array for every request of an agent, so that an adapter converts it once. */
  modelTools: readonly ModelTool[] = [];
  readonly startedAt: number;
  readonly records: ToolCallRecord[] = [];
  /** The attempts at the final answer in the answer that is being carried out. */
  attempts: readonly OutputAttempt[] = [];
  /** The text of the last answer, and its value where it is output. */
  text = '';
  output: { readonly value: unknown } | undefined;
  /** What a tool threw to end the run. */
  fatal: unknown;
  /** How often the run has paused. */
  pauses = 0;
  /** As they were when the agent began. */
  instructions: string | undefined;
  /** What a call of this turn asked for. */
  handover: Handover | undefined;
  /** What kept the next agent from taking over: it ends the run as soon as the turn before it counts. */
  failed: { readonly error: unknown } | undefined;
  /** Kept for a run inside another, and as soon as there is one inside this. */
  ledger: Ledger | undefined;

  constructor(public setup: RunSetup) {
    const { agent, history, memory, limits, environment } = setup;
    const before = setup.restored?.document;
    this.startedAt = environment.now() - (before?.elapsed ?? 0);
    this.transcript = before === undefined ? new Transcript(history) : new Transcript(before.messages, before.start);
    const terms = before === undefined ? this.engage(agent.instructions) : this.engage(before.instructions, before.state.terms);
    const initial = initialState({ limits, ...terms }, { length: history.length, memory, tainted: false });
    this.ledger = setup.around?.ledger.begin(this);
    this.state = before === undefined ? initial : this.restored(before, initial);
    this.view = this.viewWith(setup.deps);
    this.host = new HostTime(setup.interruption, () => (limits.maxDurationMs ?? Infinity) - (environment.now() - this.startedAt));
    this.hooks = new RunHooks(agent.hooks, this.view, this.host, setup.emitter);
  }

  /**
   * What the agent of the setup asks of the run.
   * @param before its terms in the run so far: a turn that waits may have given its final answer by a tool, whatever the model can now
   */
  private engage(instructions: string | undefined, before?: AgentTerms): AgentTerms {
    const { agent, model } = this.setup;
    this.instructions = instructions;
    this.system = instructions === undefined ? [] : [{ v: 1, role: 'system', text: instructions }];
    this.plan = outputPlan(agent);
    const kept = this.pager?.entries();
    this.pager = agent.paging ? new Pager(agent.tools) : undefined;
    if (kept !== undefined) this.pager?.restore(kept);
    const byTool = before?.answer.by === 'tool' || !asksNatively(model);
    const outputTool = byTool ? this.plan?.tool : undefined;
    this.modelTools = listed(agent.modelTools, this.pager?.modelTool, outputTool);
    return {
      toolChoice: agent.toolChoice,
      answer:
        this.plan === undefined ? { by: 'text' } : outputTool === undefined ? { by: 'schema' } : { by: 'tool', tool: outputTool.name },
    };
  }

  /** Another agent goes on, with all that the run is; gives what changes in its terms. */
  takeOver(next: NextAgent): AgentTerms {
    this.setup = { ...this.setup, ...next };
    this.view = this.viewWith(next.deps);
    this.hooks = new RunHooks(next.agent.hooks, this.view, this.host, this.setup.emitter, this.hooks);
    return this.engage(next.agent.instructions);
  }

  private viewWith(deps: unknown): RunView {
    return new RunView(this.setup.runId, deps, this.setup.metadata, {
      state: () => this.state.memory,
      messages: () => this.transcript.snapshot(),
    });
  }

  /** What only grows is taken over; the terms are those of this process, within the run's own limits. */
  private restored(before: RunDocument, initial: RunState): RunState {
    this.records.push(...before.records);
    this.pager?.restore(before.paged);
    this.pauses = before.pauses;
    return { ...initial, ...before.state, terms: { ...before.state.terms, limits: initial.terms.limits, answer: initial.terms.answer } };
  }

  /** The name of the tool that the final answer is given by, where it is. */
  get outputTool(): string | undefined {
    const { answer } = this.state.terms;
    return answer.by === 'tool' ? answer.tool : undefined;
  }

  readonly warn = (text: string): void => this.setup.emitter.warn(text);

  /** The clock, the transcript and what is in it, as every outcome carries them. */
  now(): { readonly elapsed: number; readonly length: number; readonly tainted: boolean } {
    const { environment, taint } = this.setup;
    return { elapsed: environment.now() - this.startedAt, length: this.transcript.length, tainted: taint.present };
  }

  /** The books of this run, in which those of a run inside it are kept. */
  books(): Ledger {
    return (this.ledger ??= new Ledger().begin(this));
  }

  throwIfAborted(): void {
    const { interruption } = this.setup;
    if (interruption.aborted) throw interruption.reason;
  }

  /** What has been done so far. */
  facts(): RunFacts {
    return {
      runId: this.setup.runId,
      agent: this.setup.agent.name,
      text: this.text,
      messages: this.transcript.snapshot(),
      newMessages: this.transcript.added(),
      usage: this.ledger === undefined ? this.state.usage : this.ledger.spent(),
      state: this.state.memory,
      toolCalls: this.records.slice(),
      warnings: this.setup.emitter.warnings.slice(),
    };
  }
}

const lists = new WeakMap<readonly ModelTool[], WeakMap<ModelTool, readonly ModelTool[]>>();

/** The agent's tools with those of the run's own behind them: one array for each combination, kept for later runs. */
function listed(tools: readonly ModelTool[], ...more: readonly (ModelTool | undefined)[]): readonly ModelTool[] {
  return more.reduce<readonly ModelTool[]>((list, tool) => (tool === undefined ? list : extended(list, tool)), tools);
}

function extended(tools: readonly ModelTool[], tool: ModelTool): readonly ModelTool[] {
  let byTool = lists.get(tools);
  if (byTool === undefined) lists.set(tools, (byTool = new WeakMap()));
  let list = byTool.get(tool);
  if (list === undefined) byTool.set(tool, (list = Object.freeze([...tools, tool])));
  return list;
}
