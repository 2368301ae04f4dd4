import type { PreparedAgent } from '../agent/prepared-agent';
import type { Approver } from '../invocation/approval';
import type { Locks } from '../invocation/locks';
import type { ResultCache } from '../invocation/result-cache';
import type { Throttle } from '../invocation/throttle';
import type { Model } from '../models/model';
import type { Delegation } from '../tools/delegation';
import type { RunContext } from '../tools/tool-context';
import type { Taint } from '../trust/taint';
import type { Environment } from '../types/environment';
import type { Message } from '../types/message';
import type { RunResult } from '../types/run-result';
import type { State } from '../types/state-operation';
import type { Around } from './around';
import type { NextAgent } from './next-agent';
import type { Emitter } from './signals/emitter';
import type { Inbox } from './conversation/inbox';
import type { Interruption } from './signals/interruption';
import type { RunInput, RunOptions } from './run-options';
import type { Journal } from './persistence/journal';
import type { RestoredRun } from './persistence/run-document';
import type { RunLimits } from './loop/run-state';
import type { RunSeat } from './seat';
import type { Tape } from './recording/tape';
import type { SnapshotCodec } from './persistence/snapshot';

/** Everything one run needs, ready: what the driver is given. */
export interface RunSetup {
  readonly runId: string;
  readonly agent: PreparedAgent;
  readonly model: Model;
  readonly limits: RunLimits;
  readonly deps: unknown;
  readonly metadata: { readonly [key: string]: unknown };
  readonly approver: Approver | undefined;
  /** The transcript before this run, valid. */
  readonly history: readonly Message[];
  /** What this run is asked. */
  readonly input: readonly Message[];
  readonly memory: State;
  readonly environment: Environment;
  readonly locks: Locks;
  readonly cache: ResultCache;
  readonly throttle: Throttle;
  readonly emitter: Emitter;
  readonly interruption: Interruption;
  readonly inbox: Inbox;
  readonly taint: Taint;
  /** Set for a run that goes on after an interruption. */
  readonly restored?: RestoredRun;
  /** Where the run is written down as it goes. */
  readonly journal?: Journal;
  /** The id of the session that the run belongs to. */
  readonly session?: string;
  readonly snapshotCodec?: SnapshotCodec | undefined;
  /** Set for a run that is carried out for a call of another. */
  readonly around?: Around;
  /** Set for a run that is recorded or replayed. */
  readonly tape?: Tape;
  /** Makes another agent ready to go on with this run. */
  makeReady(delegation: Delegation, run: Handing): Promise<NextAgent>;
  /** Runs an agent inside this run, on a seat of its own, and tells its end. */
  startInside(seat: RunSeat, agent: unknown, input: RunInput, options: RunOptions): Promise<RunResult<unknown>>;
  /** Goes on with an agent that waited inside this run. */
  resumeInside(
    seat: RunSeat,
    agent: unknown,
    restored: RestoredRun,
    options: Pick<RunOptions, 'deps' | 'metadata'>,
  ): Promise<RunResult<unknown>>;
}

/** What an agent that takes over must know of the run so far. */
export interface Handing {
  readonly setup: Pick<RunSetup, 'deps' | 'agent' | 'model'>;
  readonly view: RunContext;
}

/** What hooks, guardrails and factories see of a run; read when asked for, so it is always as of now. */
export class RunView implements RunContext {
  constructor(
    readonly requestId: string,
    readonly deps: unknown,
    readonly metadata: { readonly [key: string]: unknown },
    private readonly read: { state(): State; messages(): readonly Message[] },
  ) {}

  get state(): State {
    return this.read.state();
  }
  get messages(): readonly Message[] {
    return this.read.messages();
  }
}
