import { agentOf, definitionOf } from '../agent/agent-definition';
import { prepareAgent } from '../agent/prepare-agent';
import type { PreparedAgent } from '../agent/prepared-agent';
import type { Container } from '../container/container';
import { ModelNotConfiguredError, UsageError } from '../errors/usage-error';
import type { Approver } from '../invocation/approval';
import type { Locks } from '../invocation/locks';
import type { ResultCache } from '../invocation/result-cache';
import type { Throttle } from '../invocation/throttle';
import type { Model, ModelRef } from '../models/model';
import { resolveModel } from '../models/resolve-model';
import type { ToolRegistry } from '../tools/tool-registry';
import type { Taint } from '../trust/taint';
import type { Environment } from '../types/environment';
import type { RunFacts, RunResult } from '../types/run-result';
import { NO_USAGE } from '../types/usage';
import { drive } from './driver';
import type { Emitter } from './emitter';
import type { Inbox } from './inbox';
import type { Interruption } from './interruption';
import { withDefaults } from './limits';
import { abortedError } from './run-failure';
import type { RunInput, RunOptions } from './run-options';
import { checkRunOptions, readHistory, readInput, readState } from './run-options-reader';
import { RunView } from './run-setup';
import { withToolOverrides, type ToolOverride } from './tool-overrides';

/** What all runs of one runner share. */
export interface RunnerParts {
  readonly container: Container;
  readonly registry: ToolRegistry;
  readonly environment: Environment;
  readonly approver: Approver | undefined;
  /** For agents that name no model. */
  readonly model: ModelRef | readonly ModelRef[] | undefined;
  /** Instead of the agents' own models. */
  readonly modelOverride: ModelRef | readonly ModelRef[] | undefined;
  /** Instead of the agents' own tools of these names. */
  readonly toolOverrides: readonly ToolOverride[];
  readonly locks: Locks;
  readonly cache: ResultCache;
  readonly throttle: Throttle;
}

/** What belongs to one run before anything of it is known. */
export interface RunSeat {
  readonly runId: string;
  readonly emitter: Emitter;
  readonly interruption: Interruption;
  readonly inbox: Inbox;
  readonly taint: Taint;
}

/**
 * Makes a run ready and drives it: reads the options, prepares the agent, chooses the model.
 * @throws UsageError, ToolDefinitionError, WiringError, ModelNotConfiguredError before the first request; a RunError after it
 */
export async function startRun(
  parts: RunnerParts,
  seat: RunSeat,
  ref: unknown,
  input: RunInput,
  given: RunOptions | undefined,
): Promise<RunResult<unknown>> {
  const options = checkRunOptions(given);
  const { interruption, emitter } = seat;
  const unfollow = follow(options.signal, interruption);
  try {
    const history = readHistory(options);
    const asked = readInput(input);
    if (asked.length === 0 && history.messages.length === 0)
      throw new UsageError('The run is asked nothing: the input is an empty list, and there is no earlier transcript.');
    if (history.mended)
      emitter.warn(
        'The transcript given to the run was not valid: calls without their results, or results without their call, were mended.',
      );
    const memory = readState(options);
    const metadata = options.metadata ?? NO_METADATA;
    if (interruption.aborted) throw interruption.reason;

    const { cls, instance } = agentOf(ref);
    const context = new RunView(seat.runId, options.deps, metadata, {
      state: () => memory,
      messages: () => [...history.messages, ...asked],
    });
    const preparing = prepareAgent(definitionOf(cls, parts.registry), {
      container: parts.container,
      registry: parts.registry,
      context,
      instance,
      options,
    });
    const prepared = preparing instanceof Promise ? await interruption.race(preparing) : preparing;
    const agent = parts.toolOverrides.length === 0 ? prepared : withToolOverrides(prepared, parts.toolOverrides);
    return await drive({
      agent,
      model: modelFor(parts, agent, options),
      limits: withDefaults(agent.limits),
      deps: options.deps,
      metadata,
      approver: agent.approver ?? parts.approver,
      history: history.messages,
      input: asked,
      memory,
      environment: parts.environment,
      locks: parts.locks,
      cache: parts.cache,
      throttle: parts.throttle,
      ...seat,
    });
  } catch (error) {
    // Aborted before the driver took over: nothing has been done yet.
    if (interruption.aborted && error === interruption.reason) throw abortedError(error, nothingDone(seat, options));
    throw error;
  } finally {
    unfollow();
  }
}

const NO_METADATA = Object.freeze({});

function nothingDone(seat: RunSeat, options: RunOptions): RunFacts {
  return {
    runId: seat.runId,
    text: '',
    messages: readHistory(options).messages,
    newMessages: [],
    usage: NO_USAGE,
    state: readState(options),
    toolCalls: [],
    warnings: seat.emitter.warnings.slice(),
  };
}

/** One listener on the caller's signal for the whole run, and none after it. */
function follow(signal: AbortSignal | undefined, interruption: Interruption): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    interruption.abort(signal.reason);
    return () => undefined;
  }
  const onAbort = (): void => interruption.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

/** The run's option, a test's, the agent's own, the runner's. */
function modelFor(parts: RunnerParts, agent: PreparedAgent, options: RunOptions): Model {
  const ref = options.model ?? parts.modelOverride ?? agent.model ?? parts.model;
  if (ref === undefined || (Array.isArray(ref) && ref.length === 0))
    throw new ModelNotConfiguredError(
      `No model is set for ${agent.name}. Write \`@AgentConfig({ model: 'openai:gpt-5-mini' })\`, \`new AgentRunner({ model })\`, or give the run a \`model\`.`,
    );
  const model = resolveModel(ref, parts.environment);
  if (agent.tools.size > 0 && !model.capabilities.tools)
    throw new UsageError(
      `${agent.name} has tools, and ${model.name} cannot call any. Take another model, or wrap it: \`promptedTools(model)\`.`,
    );
  return model;
}
