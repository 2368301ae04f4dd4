import type { AgentRef } from '../agent/agent';
import type { AnyOverride } from '../container/container';
import { containerOf } from '../container/container-of';
import type { Overrides } from '../container/override';
import { aFunction, aList, aModel, anApprover, anObject, anything, checkedOptions, rulesOf } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import type { Approver } from '../invocation/approval';
import { Locks } from '../invocation/locks';
import { ResultCache } from '../invocation/result-cache';
import { Throttle } from '../invocation/throttle';
import type { ModelRef } from '../models/model';
import { defaultRegistry, type ToolRegistry } from '../tools/tool-registry';
import type { Environment } from '../types/environment';
import type { SessionStore } from '../types/session';
import type { Compaction } from './persistence/compaction';
import type { DecisionCheck } from './persistence/decision-check';
import type { RunEvent } from '../types/run-event';
import type { RunRecord } from '../types/run-record';
import type { RunResult } from '../types/run-result';
import { defaultEnvironment } from './default-environment';
import { Emitter } from './signals/emitter';
import { EventStream } from './signals/event-stream';
import type { RunInspection } from './persistence/inspect-run';
import { Interruption } from './signals/interruption';
import { Recorder } from './recording/recorder';
import type { BranchArguments, ReplayArguments, Rerun } from './replay-run';
import { RunHandle } from './run-handle';
import type { ResumeSource } from './persistence/open-session';
import type { ResumeArguments, RunArguments, RunInput, RunOptions } from './run-options';
import { seatFor, tellingEnd, type RunSeat } from './seat';
import type { SnapshotCodec } from './persistence/snapshot';
import type { RunnerParts } from './start-run';
import type { ToolOverride } from './tool-overrides';

/** What all runs of a runner share. Everything has a default. */
export interface RunnerOptions {
  /** typedi's default container by default; one of its instances, or any object with `get` and `has`. */
  readonly container?: object;
  /** For agents that name none. */
  readonly model?: ModelRef | readonly ModelRef[];
  /** Instead of the agents' own models, for tests; a run's `model` option still wins. */
  readonly modelOverride?: ModelRef | readonly ModelRef[];
  /** Take the place of the agents' own tools of their names, for tests. */
  readonly toolOverrides?: readonly ToolOverride[];
  /** Where tools and contributions are looked up; `defaultRegistry` by default. */
  readonly registry?: ToolRegistry;
  /** For agents that bring none. */
  readonly approve?: Approver;
  /** Where time, ids and chance come from: all, or only some of it. The system's by default. */
  readonly environment?: Partial<Environment>;
  /** Where conversations with a `session` are kept. */
  readonly sessions?: SessionStore;
  /** Looks at a session before a run goes on in it; see `compactByTokens`. */
  readonly compact?: Compaction;
  /** What happens to snapshots on their way out and in: encryption, for one. */
  readonly snapshotCodec?: SnapshotCodec;
  /** Asked about each decision that a `resume` brings, before anything is run; what is not plainly `true` refuses all of them. */
  readonly authorizeDecision?: DecisionCheck;
}

// What carries runs out is loaded with the first one: files that only declare agents start without it.
const startingRuns = once(() => import('./start-run'));
const replayingRuns = once(() => import('./replay-run'));
const resumingRuns = once(() => import('./resume-run'));
const inspectingRuns = once(() => import('./persistence/inspect-run'));

function once<T extends object>(load: () => Promise<T>): () => T | Promise<T> {
  let loaded: T | undefined;
  return () => loaded ?? load().then((module) => (loaded = module));
}

// Checked when the run starts; until then nothing is known of them.
type AnyRunOptions = object | undefined;

const RUNNER_RULES = rulesOf<RunnerOptions>({
  // Looked at by itself: it may be any container.
  container: anything,
  model: aModel,
  modelOverride: aModel,
  toolOverrides: aList,
  registry: anObject,
  approve: anApprover,
  environment: anObject,
  sessions: anObject,
  compact: aFunction,
  snapshotCodec: anObject,
  authorizeDecision: aFunction,
});

/**
 * Runs agents: resolves their tools, shows them to a model, and carries out what it calls.
 *
 * Runs of one runner share services, locks, cached results, and what rate limits and breakers count; nothing else.
 * @example
 * const { text } = await new AgentRunner().run(WeatherAgent, 'Do I need a coat in Oslo?');
 */
export class AgentRunner {
  private readonly parts: RunnerParts;
  private closed = false;

  /** @throws UsageError for an option that does not exist, or a container that is none */
  constructor(private readonly options: RunnerOptions = {}) {
    checkedOptions(options, RUNNER_RULES, 'new AgentRunner()');
    this.parts = {
      container: containerOf(options.container),
      registry: options.registry ?? defaultRegistry,
      environment: options.environment === undefined ? defaultEnvironment : { ...defaultEnvironment, ...options.environment },
      approver: options.approve,
      model: options.model,
      modelOverride: options.modelOverride,
      toolOverrides: options.toolOverrides ?? [],
      locks: new Locks(),
      cache: new ResultCache(),
      throttle: new Throttle(),
      snapshotCodec: options.snapshotCodec,
      sessions: options.sessions,
      compact: options.compact,
      authorizeDecision: options.authorizeDecision,
      claimed: new Set(),
    };
  }

  /**
   * Runs an agent to its end. Without `onEvent` nothing is paid for events.
   * @throws ToolDefinitionError or WiringError before the first request, when the agent cannot be used as declared
   * @throws RunError on abort, a failing model, invalid output, a fatal tool; it carries what had been done, as `partial`
   */
  run<Output, Deps>(agent: AgentRef<Output, Deps>, input: RunInput, ...[options]: RunArguments<Deps>): Promise<RunResult<Output>> {
    const seat = this.seat(options, undefined);
    return this.silently<Output>(this.perform(seat, async () => (await startingRuns()).startRun(this.parts, seat, agent, input, options)));
  }

  /** Starts a run and gives its handle: events, result, and what may be said to it. It begins in the next microtask. */
  start<Output, Deps>(agent: AgentRef<Output, Deps>, input: RunInput, ...[options]: RunArguments<Deps>): RunHandle<Output> {
    return this.handled<Output>(options, async (seat) => (await startingRuns()).startRun(this.parts, seat, agent, input, options));
  }

  /** `start`, named for reading the events as they come. */
  stream<Output, Deps>(agent: AgentRef<Output, Deps>, input: RunInput, ...options: RunArguments<Deps>): RunHandle<Output> {
    return this.start(agent, input, ...options);
  }

  /**
   * Goes on with a run that paused, or that was cut off with its process: each decided call is carried out once, finished ones are not
   * run again, and the run's budgets count on. Decisions are bound to the call, its tool and its arguments; calls without one go on waiting.
   *
   * @param from `result.snapshot`, or the session that the run belongs to
   * @throws SnapshotError, DecisionError, SessionError or SessionBusyError before anything is run
   * @example
   * const paused = await runner.run(MailAgent, 'Write to Bo.', { approve: () => 'defer' });
   * if (paused.stopReason === 'paused')
   *   await runner.resume(MailAgent, paused.snapshot, { decisions: paused.pending.map((call) => decide(call, 'approve')) });
   */
  resume<Output, Deps>(agent: AgentRef<Output, Deps>, from: ResumeSource, ...[options]: ResumeArguments<Deps>): Promise<RunResult<Output>> {
    const seat = this.seat(options, undefined);
    return this.silently<Output>(this.perform(seat, async () => (await resumingRuns()).resumeRun(this.parts, seat, agent, from, options)));
  }

  /** As `resume`, with the handle of the run. */
  resumeStream<Output, Deps>(agent: AgentRef<Output, Deps>, from: ResumeSource, ...[options]: ResumeArguments<Deps>): RunHandle<Output> {
    return this.handled<Output>(options, async (seat) => (await resumingRuns()).resumeRun(this.parts, seat, agent, from, options));
  }

  /**
   * Where a paused run, or a session, stands: what waits for a decision, what was said. Nothing is run or changed.
   * @throws SnapshotError or SessionError for what cannot be read
   */
  async inspect(from: ResumeSource): Promise<RunInspection> {
    return (await inspectingRuns()).inspectRun(from, this.parts);
  }

  /**
   * Runs a recorded run again, without its model and its tools: the same code gives the same result and the same events, byte for byte.
   * @param record what the option `record` of a run was given
   * @throws ReplayError where the code asks something else than was recorded, with what differs
   * @throws what the recorded run ended with
   * @example await runner.replay(WeatherAgent, JSON.parse(await readFile('run.json', 'utf8')));
   */
  replay<Output, Deps>(agent: AgentRef<Output, Deps>, record: RunRecord, ...[options]: ReplayArguments<Deps>): Promise<RunResult<Output>> {
    return this.silently<Output>((async () => this.rerun(agent, (await replayingRuns()).replayOf(record, options)))());
  }

  /**
   * A new run that is like a recorded one up to the answer of one turn, which is another; from there on it asks the model and runs tools.
   * @param options `turn` and `answer`, and what a run is given
   * @throws ReplayError where the code asks something else than was recorded before that turn
   * @example await runner.branch(WeatherAgent, record, { turn: 2, answer: 'It rains.' });
   */
  branch<Output, Deps>(agent: AgentRef<Output, Deps>, record: RunRecord, ...[options]: BranchArguments<Deps>): Promise<RunResult<Output>> {
    const { environment } = this.parts;
    return this.silently<Output>((async () => this.rerun(agent, (await replayingRuns()).branchOf(record, options, environment)))());
  }

  /**
   * A runner in which some services are others: for its runs, agents and all between them and an overridden service are
   * built anew; this runner never hears of it. Overrides add up.
   * @example runner.withOverrides([{ provide: Forecasts, useValue: { at: async () => ({ celsius: 2 }) } }])
   */
  withOverrides<const P extends readonly unknown[]>(overrides: Overrides<P>): AgentRunner {
    const { container } = this.parts;
    const fork = container.fork?.(overrides as unknown as readonly AnyOverride[]);
    if (fork === undefined) throw new UsageError('The container of this runner cannot be forked, so nothing can be overridden in it.');
    return new AgentRunner({ ...this.options, container: fork });
  }

  /**
   * Disposes what this runner's container built itself, at once: abort runs that are under way, or await them, before. Runs that are started
   * afterwards are refused.
   */
  async close(): Promise<void> {
    this.closed = true;
    await this.parts.container.close?.();
  }

  private seat(options: AnyRunOptions, events: EventStream | undefined, interruption = new Interruption()): RunSeat {
    const { environment } = this.parts;
    const { onEvent, record } = (options ?? {}) as RunOptions;
    const runId = environment.id('run');
    const listener = typeof onEvent === 'function' ? onEvent : undefined;
    if (typeof record !== 'function') return seatFor(runId, new Emitter(runId, environment, events, listener), interruption);
    const tape = new Recorder(environment, record);
    const both = { push: (event: RunEvent): void => (tape.push(event), events?.push(event)) };
    return { ...seatFor(runId, new Emitter(runId, tape.environment, both, listener), interruption), tape };
  }

  private async rerun(agent: unknown, { tape, runId, input, options }: Rerun): Promise<RunResult<unknown>> {
    const id = runId ?? this.parts.environment.id('run');
    const { onEvent } = options as RunOptions;
    const emitter = new Emitter(id, tape.environment, tape, typeof onEvent === 'function' ? onEvent : undefined);
    const seat: RunSeat = { ...seatFor(id, emitter, new Interruption()), tape };
    return this.perform(seat, async () => (await startingRuns()).startRun(this.parts, seat, agent, input, options));
  }

  private handled<Output>(options: AnyRunOptions, run: (seat: RunSeat) => Promise<RunResult<unknown>>): RunHandle<Output> {
    const interruption = new Interruption();
    const events = new EventStream(() => interruption.abort(new DOMException('The reader of the events left.', 'AbortError')));
    const seat = this.seat(options, events, interruption);
    const result = this.perform(seat, () => run(seat)).then(
      (value) => {
        events.end();
        return value;
      },
      (error: unknown) => {
        events.end({ error });
        throw error;
      },
    );
    return new RunHandle(this.silently<Output>(result), events, interruption, seat);
  }

  /** A run that nobody awaits must not end the process. */
  private silently<Output>(result: Promise<RunResult<unknown>>): Promise<RunResult<Output>> {
    result.catch(() => undefined);
    return result as Promise<RunResult<Output>>;
  }

  private perform(seat: RunSeat, run: () => Promise<RunResult<unknown>>): Promise<RunResult<unknown>> {
    const told = tellingEnd(seat.emitter, async () => {
      // The caller may still look at the handle, or add a reader, before anything happens.
      await Promise.resolve();
      if (this.closed) throw new UsageError('This runner was closed. Make a new one.');
      return run();
    });
    const { tape } = seat;
    return tape === undefined ? told : told.finally(() => tape.end());
  }
}
