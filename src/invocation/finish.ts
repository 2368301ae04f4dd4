import { errorText } from '../errors/error-facts';
import { shown } from '../errors/option-check';
import { ToolResult } from '../tools/tool-result';
import { suspicion } from '../trust/foreign';
import type { ToolMessage } from '../types/message';
import type { Outcome } from '../types/outcome';
import type { ToolCallRecord } from '../types/run-result';
import type { CallResult, CallSubject, Settlement } from './call';
import { CallContext } from './call-context';
import type { CallScope } from './call-scope';
import { viewOf } from './call-view';
import { bounded } from './deadline';
import type { MaybePromise } from './maybe-promise';
import { isThenable } from './maybe-promise';
import { readResult, textParts, type ToolAnswer } from './read-result';

/** Step 6: from a settlement to the call's one result and its one `tool.end`. */
export function finish(subject: CallSubject, settlement: Settlement, scope: CallScope): MaybePromise<CallResult> {
  const said = answerOf(subject, settlement, scope);
  const outcome = settlement.outcome === 'ok' && said.isError ? 'error' : settlement.outcome;
  const isWatched = scope.hooks.some((hook) => typeof hook.afterTool === 'function');
  return isWatched ? hearHooks(subject, settlement, said, outcome, scope) : close(subject, settlement, said, outcome, scope);
}

function answerOf({ call, tool }: CallSubject, settlement: Settlement, scope: CallScope): ToolAnswer {
  if (settlement.fromTool === true) return readResult(settlement.value, tool?.definition, scope.readOn?.(call.id) ?? '');
  return { parts: textParts(String(settlement.value)), isError: false, trust: 'trusted', operations: [] };
}

/** How long hooks may still look at calls of a run that is aborted, in milliseconds. */
const LAST_LOOK = 1_000;

async function hearHooks(
  subject: CallSubject,
  settlement: Settlement,
  first: ToolAnswer,
  firstOutcome: Outcome,
  scope: CallScope,
): Promise<CallResult> {
  let said = first;
  let outcome = firstOutcome;
  const { environment, signal } = scope;
  const name = subject.tool?.definition.name ?? subject.call.name;
  const context = new CallContext(scope, subject.call, name, Math.max(1, settlement.attempts), false, environment.now());
  for (const hook of scope.hooks) {
    if (typeof hook.afterTool !== 'function') continue;
    try {
      const given = hook.afterTool(viewOf(subject), recordOf(subject, settlement, said, outcome), context);
      const replacement = !isThenable(given)
        ? given
        : signal.aborted
          ? await bounded(given, 'afterTool', LAST_LOOK)
          : await bounded(given, 'afterTool', scope.ceiling, signal);
      if (replacement === undefined) continue;
      said = replaced(said, replacement, subject, scope);
      if (outcome === 'ok' && said.isError) outcome = 'error';
    } catch (error) {
      scope.emit({
        type: 'warning',
        text: `afterTool for \`${name}\` failed, so the result stays as it was: ${errorText(error)}`,
      });
    }
  }
  context.end();
  return close(subject, settlement, said, outcome, scope);
}

/** What a hook puts in place of the content. What was foreign stays foreign, unless the hook says otherwise. */
function replaced(said: ToolAnswer, replacement: unknown, { call, tool }: CallSubject, scope: CallScope): ToolAnswer {
  if (typeof replacement !== 'string' && !ToolResult.is(replacement))
    throw new Error(`it must give nothing, a text or a ToolResult, not ${shown(replacement)}.`);
  const { overflow: _, ...kept } = said;
  const { trust, operations, details, effects, ...content } = readResult(replacement, tool?.definition, scope.readOn?.(call.id) ?? '');
  return {
    ...kept,
    ...content,
    trust: ToolResult.is(replacement) && replacement.trust !== undefined ? trust : said.trust,
    ...(details === undefined ? undefined : { details }),
    ...(effects === undefined ? undefined : { effects }),
    operations: operations.length === 0 ? said.operations : [...said.operations, ...operations],
  };
}

function recordOf(
  { call, tool, shown: args, note }: CallSubject,
  { reason, attempts, startedAt, endedAt }: Settlement,
  { parts, trust, details, effects }: ToolAnswer,
  outcome: Outcome,
): ToolCallRecord {
  return {
    id: call.id,
    name: tool?.definition.name ?? call.name,
    arguments: args,
    outcome,
    ...(reason === undefined ? undefined : { reason }),
    turn: call.turn,
    content: note === undefined ? parts : [...textParts(note), ...parts],
    ...(trust === 'untrusted' && { trust }),
    ...(details === undefined ? undefined : { details }),
    ...(effects === undefined ? undefined : { effects }),
    durationMs: Math.max(0, endedAt - startedAt),
    attempts,
  };
}

function close(subject: CallSubject, settlement: Settlement, said: ToolAnswer, outcome: Outcome, scope: CallScope): CallResult {
  const record = recordOf(subject, settlement, said, outcome);
  const { id, name, content, reason, details, durationMs } = record;
  const message: ToolMessage = {
    v: 1,
    role: 'tool',
    callId: id,
    name,
    parts: content,
    outcome,
    trust: said.trust,
    ...(said.trust === 'untrusted' ? { marker: scope.environment.id('marker') } : undefined),
  };
  scope.noteResult(message);
  const suspicious = suspicion(message);
  if (suspicious !== undefined) scope.emit({ type: 'warning', text: suspicious });
  scope.emit({
    type: 'tool.end',
    callId: id,
    name,
    outcome,
    ...(reason === undefined ? undefined : { reason }),
    content,
    ...(message.trust === 'untrusted' && { trust: message.trust }),
    ...(details === undefined ? undefined : { details }),
    ...(settlement.error === undefined ? undefined : { error: settlement.error }),
    durationMs,
  });
  return {
    kind: 'result',
    message,
    record,
    operations: said.operations,
    repair: settlement.repair === true,
    executed: settlement.attempts > 0,
    direct: outcome === 'ok' && subject.tool?.definition.behaviour.returnDirect === true,
    ...(said.overflow === undefined ? undefined : { overflow: said.overflow }),
    ...(settlement.fatal === undefined ? undefined : { fatal: settlement.fatal }),
  };
}
