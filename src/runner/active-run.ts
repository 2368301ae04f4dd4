import type { ModelTool } from '../models/model';
import type { SystemMessage } from '../types/message';
import type { RunFacts, ToolCallRecord } from '../types/run-result';
import type { OutputAttempt } from './read-answer';
import { Ledger } from './ledger';
import { Pager } from './pager';
import type { RunDocument } from './run-document';
import { RunHooks } from './run-hooks';
import { RunView, type RunSetup } from './run-setup';
import { initialState, type RunState } from './run-state';
import { asksNatively, outputPlan, type OutputPlan } from './structured-output';
import { Transcript } from './transcript';

/** A run under way: what its steps share. The course of it is in `state`; the rest is what a snapshot need not hold. */
export class ActiveRun {
  state: RunState;
  readonly transcript: Transcript;
  readonly hooks: RunHooks;
  readonly view: RunView;
  readonly system: readonly SystemMessage[];
  readonly plan: OutputPlan | undefined;
  readonly pager: Pager | undefined;
  /** The same array for every request, so that an adapter converts it once. */
  readonly modelTools: readonly ModelTool[];
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
  /** As they were when the run began. */
  readonly instructions: string | undefined;
  /** Kept for a run inside another, and as soon as there is one inside this. */
  ledger: Ledger | undefined;

  constructor(readonly setup: RunSetup) {
    const { agent, model, history, memory, limits, environment } = setup;
    const before = setup.restored?.document;
    this.startedAt = environment.now() - (before?.elapsed ?? 0);
    this.transcript = before === undefined ? new Transcript(history) : new Transcript(before.messages, before.start);
    this.instructions = before === undefined ? agent.instructions : before.instructions;
    this.system = this.instructions === undefined ? [] : [{ v: 1, role: 'system', text: this.instructions }];
    this.plan = outputPlan(agent);
    this.pager = agent.paging ? new Pager(agent.tools) : undefined;
    const outputTool = this.plan === undefined || asksNatively(model) ? undefined : this.plan.tool;
    this.modelTools = listed(agent.modelTools, this.pager?.modelTool, outputTool);
    const initial = initialState(
      {
        limits,
        toolChoice: agent.toolChoice,
        answer:
          this.plan === undefined ? { by: 'text' } : outputTool === undefined ? { by: 'schema' } : { by: 'tool', tool: outputTool.name },
      },
      { length: history.length, memory, tainted: false },
    );
    this.ledger = setup.around?.ledger.begin(this);
    this.state = before === undefined ? initial : this.restored(before, initial);
    this.view = new RunView(setup.runId, setup.deps, setup.metadata, {
      state: () => this.state.memory,
      messages: () => this.transcript.snapshot(),
    });
    this.hooks = new RunHooks(agent.hooks, this.view, setup.interruption, setup.emitter);
  }

  /** What only grows is taken over; the terms are those of this process, within the run's own limits. */
  private restored(before: RunDocument, initial: RunState): RunState {
    this.records.push(...before.records);
    this.pager?.restore(before.paged);
    this.pauses = before.pauses;
    return { ...initial, ...before.state, terms: { ...before.state.terms, limits: initial.terms.limits, answer: initial.terms.answer } };
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
