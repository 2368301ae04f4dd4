import type { BatchJournal, BatchProgress, InsideRun } from '../invocation/batch-progress';
import type { CallScope } from '../invocation/call-scope';
import type { ToolTally } from '../invocation/tool-tally';
import type { DelegateRequest } from '../tools/delegation';
import type { ToolContext } from '../tools/tool-context';
import type { BoundTool } from '../tools/tool-definition';
import type { Message, ToolMessage } from '../types/message';
import type { PendingCall } from '../types/pending-call';
import type { EventBody } from '../types/run-event';
import type { State } from '../types/state-operation';
import type { Usage } from '../types/usage';
import type { ActiveRun } from './active-run';
import type { Interruption } from './signals/interruption';
import type { RunSetup } from './run-setup';
import { handOver } from './hand-over';
import { runInside } from './run-inside';
import { tallyOf, type RunState } from './loop/run-state';

/** The bound on a call that has no timeout of its own, in milliseconds. */
const CEILING = 300_000;

const NONE: readonly PendingCall[] = Object.freeze([]);
const NO_RUNS: readonly InsideRun[] = Object.freeze([]);

/** What the gate sees of a run during one turn: looked up when it is asked for, since most calls ask for little. */
export class TurnScope implements CallScope {
  readonly ceiling = CEILING;
  readonly tools: ReadonlyMap<string, BoundTool>;
  readonly readOn?: (callId: string) => string;
  /** The calls that wait. */
  waiting: readonly PendingCall[] = NONE;
  /** The calls whose agents wait. */
  inside: readonly InsideRun[] = NO_RUNS;
  private readonly setup: RunSetup;
  /** As it was before the turn. */
  private readonly before: RunState;
  private transcript: readonly Message[] | undefined;

  constructor(
    private readonly run: ActiveRun,
    private readonly cut: Interruption,
  ) {
    const { setup, pager } = run;
    this.setup = setup;
    this.before = run.state;
    this.tools = pager?.tools ?? setup.agent.tools;
    if (pager !== undefined) this.readOn = pager.advice;
  }

  get progress(): BatchProgress | undefined {
    return this.before.pending?.progress;
  }
  get journal(): BatchJournal | undefined {
    return this.setup.journal;
  }
  wait(pending: PendingCall): void {
    this.waiting = [...this.waiting, pending];
  }

  hold(inside: InsideRun): void {
    this.inside = [...this.inside, inside];
  }

  get runId(): string {
    return this.setup.runId;
  }
  get deps(): unknown {
    return this.setup.deps;
  }
  get metadata(): RunSetup['metadata'] {
    return this.setup.metadata;
  }
  get limits(): RunSetup['limits'] {
    return this.setup.limits;
  }
  get environment(): RunSetup['environment'] {
    return this.setup.environment;
  }
  get exposeErrors(): boolean {
    return this.setup.agent.exposeErrors;
  }
  get taint(): CallScope['taint'] {
    return this.setup.agent.taint;
  }
  get hooks(): CallScope['hooks'] {
    return this.setup.agent.hooks;
  }
  get policy(): CallScope['policy'] {
    return this.setup.agent.policy;
  }
  get approver(): CallScope['approver'] {
    return this.setup.approver;
  }
  get locks(): CallScope['locks'] {
    return this.setup.locks;
  }
  get cache(): CallScope['cache'] {
    return this.setup.cache;
  }
  get throttle(): CallScope['throttle'] {
    return this.setup.throttle;
  }
  get state(): State {
    return this.before.memory;
  }
  get usage(): Usage {
    return this.before.usage;
  }
  get tainted(): boolean {
    return this.setup.taint.present;
  }
  get messages(): readonly Message[] {
    return (this.transcript ??= this.run.transcript.snapshot());
  }
  get aborted(): boolean {
    return this.cut.aborted;
  }
  get signal(): AbortSignal {
    return this.cut.signal;
  }

  tally(tool: string): ToolTally {
    return tallyOf(this.before, tool);
  }

  noteResult(message: ToolMessage): void {
    this.setup.taint.note(message);
  }

  delegate(request: DelegateRequest, context: ToolContext): Promise<unknown> {
    return request.kind === 'handoff' ? handOver(this.run, request, context) : runInside(this.run, request, context);
  }

  emit(event: EventBody): void {
    this.setup.emitter.emit(event);
  }
}
