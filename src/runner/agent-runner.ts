import type { AgentRef } from '../agent/agent';
import type { AnyOverride } from '../container/container';
import { containerOf } from '../container/container-of';
import type { Overrides } from '../container/override';
import { errorFacts } from '../errors/error-facts';
import { didYouMean } from '../errors/nearest-name';
import { isRecord, shown } from '../errors/option-check';
import { UsageError } from '../errors/usage-error';
import type { Approver } from '../invocation/approval';
import { Locks } from '../invocation/locks';
import { ResultCache } from '../invocation/result-cache';
import { Throttle } from '../invocation/throttle';
import type { ModelRef } from '../models/model';
import { defaultRegistry, type ToolRegistry } from '../tools/tool-registry';
import { Taint } from '../trust/taint';
import type { Environment } from '../types/environment';
import type { RunResult } from '../types/run-result';
import { defaultEnvironment } from './default-environment';
import { Emitter } from './emitter';
import { EventStream } from './event-stream';
import { Inbox } from './inbox';
import { Interruption } from './interruption';
import { usageOf } from './run-failure';
import { RunHandle } from './run-handle';
import type { RunArguments, RunInput, RunOptions } from './run-options';
import { startRun, type RunnerParts, type RunSeat } from './start-run';
import type { ToolOverride } from './tool-overrides';

export interface RunnerOptions {
  /** typedi's default container by default; one of its instances, or any object with `get` and `has`. */
  readonly container?: object;
  /** For agents that name none. */
  readonly model?: ModelRef | readonly ModelRef[];
  /** Instead of the agents' own models, for tests; a run's `model` option still wins. */
  readonly modelOverride?: ModelRef | readonly ModelRef[];
  /** Take the place of the agents' own tools of their names, for tests. */
  readonly toolOverrides?: readonly ToolOverride[];
  readonly registry?: ToolRegistry;
  /** For agents that bring none. */
  readonly approve?: Approver;
  /** Where time, ids and chance come from: all, or only some of it. The system's by default. */
  readonly environment?: Partial<Environment>;
}

// Checked when the run starts; until then nothing is known of them.
type AnyRunOptions = object | undefined;

const OPTIONS = [
  'container',
  'model',
  'modelOverride',
  'toolOverrides',
  'registry',
  'approve',
  'environment',
] as const satisfies readonly (keyof RunnerOptions)[];

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
    checkRunnerOptions(options);
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
    };
  }

  /**
   * Runs an agent to its end. Without `onEvent` nothing is paid for events.
   * @throws ToolDefinitionError or WiringError before the first request, when the agent cannot be used as declared
   * @throws RunError on abort, a failing model, invalid output, a fatal tool; it carries what had been done, as `partial`
   */
  run<Output, Deps>(agent: AgentRef<Output, Deps>, input: RunInput, ...[options]: RunArguments<Deps>): Promise<RunResult<Output>> {
    const result = this.perform(this.seat(options, undefined), agent, input, options);
    // A run that nobody awaits must not end the process.
    result.catch(() => undefined);
    return result as Promise<RunResult<Output>>;
  }

  /** Starts a run and gives its handle: events, result, and what may be said to it. It begins in the next microtask. */
  start<Output, Deps>(agent: AgentRef<Output, Deps>, input: RunInput, ...[options]: RunArguments<Deps>): RunHandle<Output> {
    const interruption = new Interruption();
    const events = new EventStream(() => interruption.abort(new DOMException('The reader of the events left.', 'AbortError')));
    const seat = this.seat(options, events, interruption);
    const result = this.perform(seat, agent, input, options).then(
      (value) => {
        events.end();
        return value;
      },
      (error: unknown) => {
        events.end({ error });
        throw error;
      },
    );
    result.catch(() => undefined);
    return new RunHandle(seat.runId, result as Promise<RunResult<Output>>, events, interruption, seat);
  }

  /** `start`, named for reading the events as they come. */
  stream<Output, Deps>(agent: AgentRef<Output, Deps>, input: RunInput, ...options: RunArguments<Deps>): RunHandle<Output> {
    return this.start(agent, input, ...options);
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

  /** Disposes what this runner's container built itself. Runs that are started afterwards are refused. */
  async close(): Promise<void> {
    this.closed = true;
    await this.parts.container.close?.();
  }

  private seat(options: AnyRunOptions, events: EventStream | undefined, interruption = new Interruption()): RunSeat {
    const runId = this.parts.environment.id('run');
    const onEvent = (options as RunOptions | undefined)?.onEvent;
    const emitter = new Emitter(runId, this.parts.environment, events, typeof onEvent === 'function' ? onEvent : undefined);
    const taint = new Taint((present, from) => emitter.emit({ type: 'taint', present, ...(from !== undefined && { from }) }));
    return { runId, emitter, interruption, inbox: new Inbox(), taint };
  }

  private async perform(seat: RunSeat, agent: unknown, input: RunInput, options: AnyRunOptions): Promise<RunResult<unknown>> {
    const { emitter } = seat;
    try {
      // The caller may still look at the handle, or add a reader, before anything happens.
      await Promise.resolve();
      if (this.closed) throw new UsageError('This runner was closed. Make a new one.');
      const result = await startRun(this.parts, seat, agent, input, options);
      emitter.emit({ type: 'run.end', stopReason: result.stopReason, usage: result.usage });
      return result;
    } catch (error) {
      emitter.emit({ type: 'run.end', error: errorFacts(error), usage: usageOf(error) });
      throw error;
    }
  }
}

function checkRunnerOptions(options: unknown): void {
  if (!isRecord(options)) throw new UsageError(`new AgentRunner(options) takes an object; got ${shown(options)}.`);
  for (const name of Object.keys(options))
    if (!(OPTIONS as readonly string[]).includes(name))
      throw new UsageError(`AgentRunner has no option \`${name}\`.${didYouMean(name, OPTIONS)} Known: ${OPTIONS.join(', ')}.`);
}
