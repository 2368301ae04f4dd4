import { errorText } from '../errors/error-facts';
import { RunError } from '../errors/run-error';
import { FatalToolError, ToolFailure } from '../errors/tool-error';
import { onAbort } from '../invocation/abort-watch';
import { idInside, insideId, WaitingInside } from '../invocation/inside-run';
import type { Approver } from '../invocation/approval';
import type { DelegateRequest } from '../tools/delegation';
import type { ToolContext } from '../tools/tool-context';
import { ToolResult } from '../tools/tool-result';
import type { PendingCall } from '../types/pending-call';
import type { PathStep } from '../types/run-path';
import type { RunResult } from '../types/run-result';
import { userMessage } from './conversation/transcript';
import type { ActiveRun } from './active-run';
import type { Around } from './around';
import { Interruption } from './signals/interruption';
import { Ledger } from './ledger';
import { softDeadline } from './loop/limits';
import type { RestoredRun, RunDocument } from './persistence/run-document';
import { seatFor } from './seat';

/**
 * Runs an agent for a call of this run, to its end, and gives its answer as the call's result.
 *
 * @throws ToolFailure when that run failed, in words for the model; FatalToolError when a tool in it ended everything; the signal's reason
 */
export async function runInside(run: ActiveRun, request: DelegateRequest, context: ToolContext): Promise<ToolResult | WaitingInside> {
  const { setup } = run;
  if (setup.limits.maxDepth < 1) return ToolResult.content(tooDeep(request.name), { isError: true, trust: 'trusted' });
  const deps = await request.deps(setup.deps);
  const step: PathStep = { agent: setup.agent.name, callId: context.callId };
  const restored = restoredInside(run, context.callId);
  const before = restored?.document;
  const ledger = new Ledger(run.books(), before?.state.usage);
  // An attempt that is made again is another run.
  const again = context.attempt === 1 ? '' : `.${context.attempt}`;
  const runId = before?.runId ?? `${context.idempotencyKey}${again}`;
  const interruption = new Interruption();
  const unwatch = watching(context.signal, interruption);
  const emitter = setup.emitter.inside(runId, request.name, step);
  let paused: RunDocument | undefined;
  const pause = (document: RunDocument): void => void (paused = document);
  const around = { ...aroundFor(run, ledger, step, context, before?.elapsed), pause };
  const seat = { ...seatFor(runId, emitter, interruption), around };
  try {
    const { metadata } = setup;
    const result =
      restored === undefined
        ? await setup.startInside(seat, request.agent, [userMessage(request.input)], {
            deps,
            metadata,
            ...(request.limits && { limits: request.limits }),
          })
        : await setup.resumeInside(seat, request.agent, restored, { deps, metadata });
    if (result.stopReason === 'paused')
      return new WaitingInside(
        result.pending.map((call) => asInside(call, step)),
        paused,
      );
    return answerOf(result, request.name, seat.taint.present);
  } catch (error) {
    if (interruption.aborted) throw interruption.reason;
    throw failureOf(error, request.name, setup.agent.exposeErrors);
  } finally {
    unwatch();
    ledger.close();
  }
}

/** The run that this call began before it was interrupted, with what was decided about what waits in it. */
function restoredInside(run: ActiveRun, callId: string): RestoredRun | undefined {
  const progress = run.state.pending?.progress;
  const held = progress?.inside?.find((inside) => inside.callId === callId);
  if (held === undefined) return undefined;
  const answers = (progress?.answers ?? []).flatMap(([id, answer]) => {
    const inner = idInside(callId, id);
    return inner === undefined ? [] : [[inner, answer] as const];
  });
  return { document: held.run as RunDocument, from: run.setup.restored?.from ?? 'snapshot', answers };
}

/** What waits in the run of a call, as the run around it tells of it. */
function asInside(call: PendingCall, step: PathStep): PendingCall {
  return { ...call, callId: insideId(step.callId, call.callId), path: [step, ...(call.path ?? [])] };
}

function watching(signal: AbortSignal, interruption: Interruption): () => void {
  if (signal.aborted) interruption.abort(signal.reason);
  return onAbort(signal, () => interruption.abort(signal.reason));
}

function aroundFor(run: ActiveRun, ledger: Ledger, step: PathStep, context: ToolContext, elapsed = 0): Omit<Around, 'pause'> {
  const { setup } = run;
  const { limits, approver, agent, model, environment, around } = setup;
  const deadline = softDeadline(limits);
  const timeLeft = deadline === undefined ? undefined : Math.max(1, deadline - (environment.now() - run.startedAt));
  return {
    ledger,
    tainted: setup.taint.present,
    taint: agent.taint,
    approver: approver === undefined ? undefined : passedOn(approver, step, context),
    model,
    limits: { maxDepth: limits.maxDepth - 1, ...(timeLeft !== undefined && { maxDurationMs: elapsed + timeLeft }) },
    path: [...(around?.path ?? []), step],
  };
}

/** The approver of this run, asked about a call inside: it learns the way there, and sees this run's context and deps as always. */
function passedOn(approver: Approver, step: PathStep, context: ToolContext): Approver {
  return (request) => {
    const asked = { ...request, path: [step, ...(request.path ?? [])] };
    return typeof approver === 'function' ? approver(asked, context) : approver.approve(asked, context);
  };
}

const tooDeep = (name: string): string =>
  `Not run: agents may not call further agents any deeper here, so ${name} was not asked. Do the work yourself, or say what is missing.`;

/** How the run ended, in words for the model around it; what is not its whole answer says so. */
function answerOf(result: RunResult<unknown>, name: string, tainted: boolean): ToolResult {
  const { stopReason, runId, usage, text } = result;
  const effects = result.toolCalls.flatMap((call) => call.effects ?? []);
  const common = {
    ...(tainted && { trust: 'untrusted' as const }),
    ...(effects.length > 0 && { effects }),
    details: { agent: name, runId, stopReason, usage },
  };
  const said =
    result.output === undefined || result.output === text
      ? ({ type: 'text', text } as const)
      : ({ type: 'json', value: result.output } as const);
  const nothing = said.type === 'text' && text === '';
  switch (stopReason) {
    case 'completed':
    case 'direct':
      return ToolResult.content([said], common);
    case 'limit':
    case 'loop': {
      const why = stopReason === 'loop' ? 'it repeated itself without getting further' : `it reached a limit (${result.limit})`;
      const note = `The agent ${name} was stopped before it was done: ${why}.`;
      if (nothing) return ToolResult.content(`${note} It gave no answer.`, { ...common, isError: true });
      return ToolResult.content([{ type: 'text', text: `${note} Its last answer:` }, said], common);
    }
    case 'paused':
      throw new Error('A run that waits has no answer yet.');
    case 'refused':
      return ToolResult.content(`The agent ${name} did not answer: ${result.refusal}`, { ...common, isError: true });
  }
}

const WHY: ReadonlyMap<string, string> = new Map([
  ['MODEL', 'its model could not be asked.'],
  ['OUTPUT', 'its answer did not take the form that was asked for.'],
  ['LIMIT', 'it reached a limit.'],
]);

function failureOf(error: unknown, name: string, expose: boolean): ToolFailure | FatalToolError {
  const isRun = RunError.is(error);
  if (isRun && FatalToolError.is(error.cause)) return error.cause;
  const why = (isRun ? WHY.get(error.code) : undefined) ?? 'it could not be carried out.';
  const worked = isRun && (error.partial?.usage.toolCalls ?? 0) > 0 ? ' It may have done part of its work.' : '';
  return new ToolFailure(`The agent ${name} failed: ${why}${expose ? ` ${errorText(error)}` : ''}${worked}`, { cause: error });
}
