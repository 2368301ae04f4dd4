import { agentOf, definitionOf } from '../agent/agent-definition';
import { prepareAgent, type PrepareOptions } from '../agent/prepare-agent';
import type { PreparedAgent } from '../agent/prepared-agent';
import type { Container } from '../container/container';
import { ModelNotConfiguredError, UsageError } from '../errors/usage-error';
import { onAbort } from '../invocation/abort-watch';
import type { Approver } from '../invocation/approval';
import type { Locks } from '../invocation/locks';
import type { ResultCache } from '../invocation/result-cache';
import type { Throttle } from '../invocation/throttle';
import type { Model, ModelRef } from '../models/model';
import { resolveModel } from '../models/resolve-model';
import type { Delegation } from '../tools/delegation';
import type { ToolRegistry } from '../tools/tool-registry';
import type { RunContext } from '../tools/tool-context';
import type { Environment } from '../types/environment';
import type { SessionStore } from '../types/session';
import type { RunFacts, RunResult } from '../types/run-result';
import { NO_USAGE } from '../types/usage';
import { agentNamed, checkAgentsBehind } from './agents-behind';
import { asStrict, withinLimits } from './around';
import type { Compaction } from './persistence/compaction';
import type { DecisionCheck } from './persistence/decision-check';
import { drive } from './driver';
import type { Interruption } from './signals/interruption';
import { withDefaults } from './loop/limits';
import { openSession, sessionToContinue, takenUnlessCutOff } from './persistence/open-session';
import { giveFree } from './persistence/patient-store';
import { abortedError } from './run-failure';
import type { RestoredRun } from './persistence/run-document';
import { RunJournal } from './persistence/run-journal';
import type { RunInput, RunOptions } from './run-options';
import { checkRunOptions, readHistory, readInput, readState } from './run-options-reader';
import type { NextAgent } from './next-agent';
import { RunView, type Handing, type RunSetup } from './run-setup';
import { tellingEnd, type RunSeat } from './seat';
import { shownMessages, type OpenSession } from './persistence/session-log';
import { tapedAgent } from './recording/taped-agent';
import type { SnapshotCodec } from './persistence/snapshot';
import { withToolOverrides, type ToolOverride } from './tool-overrides';
import { repaired } from './conversation/transcript';

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
  readonly snapshotCodec: SnapshotCodec | undefined;
  readonly sessions: SessionStore | undefined;
  readonly compact: Compaction | undefined;
  readonly authorizeDecision: DecisionCheck | undefined;
  /** The snapshots that were resumed by this runner. */
  readonly claimed: Set<string>;
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
  // Checked here; of the deps' type only the caller knew.
  given: object | undefined,
): Promise<RunResult<unknown>> {
  const options = checkRunOptions(given);
  const { interruption, emitter } = seat;
  const unfollow = follow(options.signal, interruption);
  let session: OpenSession | undefined;
  let before: Pick<RunFacts, 'messages' | 'state'> | undefined;
  try {
    if (options.session !== undefined) {
      const opening = sessionOf(parts, options, interruption, (text) => emitter.warn(text));
      session = await takenUnlessCutOff(opening, (taken) => taken, interruption);
    }
    const history = session === undefined ? readHistory(options) : { messages: shownMessages(session.view), mended: false };
    const { messages: asked, changed } = repaired(readInput(input));
    if (asked.length === 0 && history.messages.length === 0)
      throw new UsageError('The run is asked nothing: neither its input nor an earlier transcript holds a message.');
    if (history.mended || changed)
      emitter.warn(
        'The transcript given to the run was not valid: calls without their results, or results without their call, were mended.',
      );
    const memory = readState(options.state === undefined && session?.view.memory !== undefined ? { state: session.view.memory } : options);
    before = { messages: history.messages, state: memory };
    const metadata = options.metadata ?? NO_METADATA;
    if (interruption.aborted) throw interruption.reason;

    const context = new RunView(seat.runId, options.deps, metadata, {
      state: () => memory,
      messages: () => [...history.messages, ...asked],
    });
    const preparing = preparedFor(parts, seat, ref, options, context);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    const agent = seat.tape === undefined ? prepared : tapedAgent(prepared, seat.tape, interruption);
    const setup = setupFor(parts, seat, agent, options, { history: history.messages, input: asked, memory, metadata });
    seat.tape?.begin(setup, options);
    return await drive(session === undefined ? setup : { ...setup, ...inSession(session, history.messages.length) });
  } catch (error) {
    // Aborted before the driver took over: nothing has been done yet.
    if (interruption.aborted && error === interruption.reason)
      throw abortedError(error, nothingDone(seat, before ?? { messages: readHistory(options).messages, state: readState(options) }));
    throw error;
  } finally {
    unfollow();
    if (session !== undefined) await giveFree(session.lock);
  }
}

/** The agent ready for a run on this seat; at once, where nothing about it depends on the run. */
export function preparedFor(
  parts: RunnerParts,
  { around, interruption }: RunSeat,
  ref: unknown,
  options: PrepareOptions,
  context: RunContext,
): PreparedAgent | Promise<PreparedAgent> {
  const { container, registry } = parts;
  const { cls, instance } = agentOf(ref);
  const definition = definitionOf(cls, registry);
  if (around === undefined) checkAgentsBehind(definition, container, registry);
  const preparing = prepareAgent(definition, { container, registry, context, instance, options });
  const adapted = (prepared: PreparedAgent): PreparedAgent => {
    const own =
      parts.toolOverrides.length === 0 ? prepared : withToolOverrides(prepared, parts.toolOverrides, registry, around !== undefined);
    return around === undefined ? own : asStrict(own, around);
  };
  return preparing instanceof Promise ? interruption.race(preparing).then(adapted) : adapted(preparing);
}

/** Everything that the driver needs for a run on this seat. */
export function setupFor(
  parts: RunnerParts,
  seat: RunSeat,
  agent: PreparedAgent,
  options: Pick<RunOptions, 'model' | 'deps'> & PrepareOptions,
  given: Pick<RunSetup, 'history' | 'input' | 'memory' | 'metadata'>,
): RunSetup {
  const { around } = seat;
  const limits = withDefaults(agent.limits);
  const { locks, cache, throttle, snapshotCodec } = parts;
  return {
    agent,
    model: modelFor(parts, agent, options, around?.model),
    limits: around === undefined ? limits : withinLimits(limits, around),
    deps: options.deps,
    approver: agent.approver ?? (around === undefined ? parts.approver : around.approver),
    environment: seat.tape?.environment ?? parts.environment,
    locks,
    cache,
    throttle,
    snapshotCodec,
    makeReady: (delegation, run) => nextAgent(parts, seat, delegation, options, run),
    startInside: (inside, inner, task, its) => tellingEnd(inside.emitter, () => startRun(parts, inside, inner, task, its)),
    resumeInside: (inside, inner, restored, its) => tellingEnd(inside.emitter, () => resumeInside(parts, inside, inner, restored, its)),
    ...given,
    ...seat,
  };
}

/** Goes on with a run that waited inside another, with what was decided. */
async function resumeInside(
  parts: RunnerParts,
  seat: RunSeat,
  ref: unknown,
  restored: RestoredRun,
  { deps, metadata = NO_METADATA }: Pick<RunOptions, 'deps' | 'metadata'>,
): Promise<RunResult<unknown>> {
  const { document } = restored;
  const { state, messages } = document;
  const context = new RunView(seat.runId, deps, metadata, { state: () => state.memory, messages: () => messages });
  const options = { deps, limits: state.terms.limits };
  const preparing = preparedFor(parts, seat, agentNamed(document.agent, ref, parts.registry), options, context);
  const agent = preparing instanceof Promise ? await preparing : preparing;
  return drive({ ...setupFor(parts, seat, agent, options, { history: [], input: [], memory: state.memory, metadata }), restored });
}

/** Another agent for a run under way. What was given with the run holds on, but for what took the place of the first agent's own. */
async function nextAgent(
  parts: RunnerParts,
  { around, interruption, runId, tape }: RunSeat,
  delegation: Delegation,
  { model, hooks, approve, modelSettings }: Pick<RunOptions, 'model'> & PrepareOptions,
  { setup, view }: Handing,
): Promise<NextAgent> {
  const { container, registry, toolOverrides } = parts;
  const deps = await interruption.race(Promise.resolve(delegation.deps(setup.deps)));
  const { cls, instance } = agentOf(delegation.agent);
  const context = new RunView(runId, deps, view.metadata, { state: () => view.state, messages: () => view.messages });
  const options = { ...(hooks && { hooks }), ...(approve && { approve }), ...(modelSettings && { modelSettings }) };
  const preparing = prepareAgent(definitionOf(cls, registry), { container, registry, context, instance, options });
  const prepared = preparing instanceof Promise ? await interruption.race(preparing) : preparing;
  const own = toolOverrides.length === 0 ? prepared : withToolOverrides(prepared, toolOverrides, registry, true);
  const strict = asStrict(own, setup.agent);
  const agent = tape === undefined ? strict : tapedAgent(strict, tape, interruption);
  return {
    agent,
    model: modelFor(parts, agent, { ...(model !== undefined && { model }) }, around?.model ?? setup.model),
    approver: agent.approver ?? (around === undefined ? parts.approver : around.approver),
    deps,
  };
}

/** The session that the run goes on in, as it is shown from now on. */
async function sessionOf(
  parts: RunnerParts,
  options: RunOptions,
  interruption: Interruption,
  warn: (text: string) => void,
): Promise<OpenSession> {
  if (options.messages !== undefined || options.continueFrom !== undefined)
    throw new UsageError('Give a run a `session`, or `messages`, or `continueFrom`: a session brings its own messages along.');
  const session = await openSession(parts.sessions, options.session);
  try {
    return await sessionToContinue(session, parts.compact, interruption, warn);
  } catch (error) {
    await giveFree(session.lock);
    throw error;
  }
}

const inSession = ({ id, store, lock }: OpenSession, written: number): Pick<RunSetup, 'session' | 'journal'> => ({
  session: id,
  journal: new RunJournal(store, lock, { messages: written, records: 0 }),
});

const NO_METADATA = Object.freeze({});

function nothingDone(seat: RunSeat, { messages, state }: Pick<RunFacts, 'messages' | 'state'>): RunFacts {
  return {
    runId: seat.runId,
    text: '',
    messages,
    newMessages: [],
    usage: NO_USAGE,
    state,
    toolCalls: [],
    warnings: seat.emitter.warnings.slice(),
  };
}

/** One listener on the caller's signal for all runs that it was given to, and none after the last of them. */
export function follow(signal: AbortSignal | undefined, interruption: Interruption): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    interruption.abort(signal.reason);
    return () => undefined;
  }
  return onAbort(signal, () => interruption.abort(signal.reason));
}

/** The run's option, a test's, the agent's own, the runner's, that of the run around it. */
function modelFor(parts: RunnerParts, agent: PreparedAgent, options: Pick<RunOptions, 'model'>, around: Model | undefined): Model {
  const ref = options.model ?? parts.modelOverride ?? agent.model ?? parts.model ?? around;
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
