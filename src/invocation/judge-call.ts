import { errorFacts } from '../errors/error-facts';
import { shown } from '../errors/option-check';
import type { BoundTool, ToolDefinition } from '../tools/tool-definition';
import type { ApprovalCause } from './approval';
import { askApproval } from './ask-approval';
import type { ReadyCall } from './call';
import { decodeArguments, type ReadArguments } from './call-arguments';
import { CallContext } from './call-context';
import type { CallScope } from './call-scope';
import { viewOf } from './call-view';
import { bounded } from './deadline';
import type { EarlierCalls } from './earlier-calls';
import type { ToolHooks } from './hooks';
import { judgePolicies } from './judge-policy';
import { refuse, refuseAborted, type RefusalFacts, type RefusedCall, type TwinCall } from './refusal';

/** A call whose arguments fit: what steps 3 and 4 judge. */
export interface DecodedCall extends Omit<ReadyCall, 'kind'> {
  readonly kind: 'decoded';
}

/** Whether untrusted content in the context can use a call of this tool: to change something, or to carry something out. */
export function isGatedByTaint({ behaviour }: ToolDefinition): boolean {
  return behaviour.annotations.readOnly !== true || behaviour.annotations.openWorld !== false;
}

/** Whether anybody wants to be asked before this call; most calls pass without. */
export function needsJudgement({ definition }: BoundTool, scope: CallScope, tainted: boolean): boolean {
  return (
    definition.behaviour.requiresApproval !== false ||
    scope.policy.length > 0 ||
    scope.hooks.some((hook) => typeof hook.beforeTool === 'function') ||
    (tainted && scope.taint !== 'off' && isGatedByTaint(definition))
  );
}

/** Steps 3 and 4: hooks, policy, approval. Whatever throws or cannot be understood refuses the call. */
export async function judgeCall(
  decoded: DecodedCall,
  scope: CallScope,
  earlier: EarlierCalls,
): Promise<ReadyCall | RefusedCall | TwinCall> {
  const context = new CallContext(scope, decoded.call, decoded.tool.definition.name, 1, false, scope.environment.now());
  try {
    return await judge(decoded, false, context, scope, earlier);
  } catch (error) {
    if (scope.signal.aborted) return refuseAborted(decoded, scope);
    throw error;
  } finally {
    context.end();
  }
}

type Verdict = ReadyCall | RefusedCall | TwinCall;

/** @param approved whether an approver wrote these arguments: then nobody is asked again */
async function judge(
  asked: DecodedCall,
  approved: boolean,
  context: CallContext,
  scope: CallScope,
  earlier: EarlierCalls,
): Promise<Verdict> {
  const heard = await hearHooks(asked, context, scope);
  if (heard.kind === 'refused') return heard;

  const { tool } = heard;
  let verdict;
  try {
    verdict = await judgePolicies(
      scope.policy,
      () => viewOf(heard),
      context,
      (work) => waitFor(work, 'A policy', scope),
    );
  } catch (error) {
    return failClosed(heard, 'Denied: a policy could not decide on this call. It was not run.', { reason: 'policy' }, error, scope);
  }
  if (verdict.says === 'deny') {
    const why = verdict.text === undefined || verdict.text === '' ? 'It is not allowed here.' : verdict.text;
    return refuse(heard, 'denied', `Denied by policy: ${why}\nIt was not run. Do not repeat it.`, scope, { reason: 'policy' });
  }
  const gated = earlier.tainted && scope.taint !== 'off' && isGatedByTaint(tool.definition) && !(await isExempt(heard, context, scope));
  if (gated && scope.taint === 'deny') return refuse(heard, 'denied', TAINTED, scope, { reason: 'taint' });
  const twin = approved ? undefined : earlier.twinOf(tool, heard.shown, heard.call.id);
  if (twin !== undefined) return { ...heard, kind: 'twin', of: twin };
  if (approved) return { ...heard, kind: 'ready' };

  const why = await whyAsk(heard, verdict.says, gated, context, scope);
  if (why === undefined) return { ...heard, kind: 'ready' };
  const answer = await askApproval(heard, why, context, scope);
  if (answer.says === 'approve') return { ...heard, kind: 'ready' };
  if (answer.says === 'deny') return refuse(heard, 'denied', answer.text, scope, { reason: answer.reason, ...pick(answer.error) });
  const edited = await decodeArguments(answer.value, tool);
  if (!edited.ok) return refuse(heard, 'denied', invalidBy('The person who was asked', edited.text), scope, { reason: 'approval' });
  return judge(changed(heard, edited, 'a person who was asked for approval'), true, context, scope, earlier);
}

const TAINTED =
  'Denied: untrusted content was read in this conversation, and this call could act on what it says. It was not run. Do not repeat it; tell the user what you would have done.';

/** Whether the tool says that foreign words can do nothing with this call. What throws, or is not plainly `true`, exempts nothing. */
async function isExempt(call: DecodedCall, context: CallContext, scope: CallScope): Promise<boolean> {
  const { taintExempt } = call.tool.definition.behaviour;
  if (taintExempt === undefined) return false;
  try {
    return (await waitFor(taintExempt(call.args, context), 'The taint exemption', scope)) === true;
  } catch {
    if (scope.signal.aborted) throw scope.signal.reason;
    return false;
  }
}

/** Step 3, first half: hooks in order, each seeing what those before it made of the arguments. */
async function hearHooks(asked: DecodedCall, context: CallContext, scope: CallScope): Promise<DecodedCall | RefusedCall> {
  let heard = asked;
  for (const hook of scope.hooks) {
    if (typeof hook.beforeTool !== 'function') continue;
    let decision;
    try {
      decision = understoodHook(await waitFor(hook.beforeTool(viewOf(heard), context), 'A hook', scope));
    } catch (error) {
      return failClosed(heard, 'Denied: a check before this call failed. It was not run.', { reason: 'hook' }, error, scope);
    }
    if (decision === undefined) continue;
    if ('deny' in decision) {
      const why = decision.deny === '' ? 'It is not allowed here.' : decision.deny;
      return refuse(heard, 'denied', `Denied: ${why}\nIt was not run.`, scope, { reason: 'hook' });
    }
    const read = await decodeArguments(decision.arguments, heard.tool);
    if (!read.ok) return refuse(heard, 'denied', invalidBy('A check before this call', read.text), scope, { reason: 'hook' });
    heard = changed(heard, read, 'a check before the call');
  }
  return heard;
}

function understoodHook(decision: Awaited<ReturnType<NonNullable<ToolHooks['beforeTool']>>>) {
  if (decision === undefined) return undefined;
  if (typeof decision === 'object' && decision !== null) {
    if ('deny' in decision && typeof decision.deny === 'string') return decision;
    if ('arguments' in decision && typeof decision.arguments === 'object' && decision.arguments !== null) return decision;
  }
  throw new Error(`beforeTool must give nothing, { deny: '…' } or { arguments: { … } }, not ${shown(decision)}.`);
}

/** Step 4: why a person must be asked, or `undefined`. A policy's `allow` waives what the tool asks for, never what taint asks for. */
async function whyAsk(
  call: DecodedCall,
  policy: 'nothing' | 'allow' | 'ask',
  tainted: boolean,
  context: CallContext,
  scope: CallScope,
): Promise<{ readonly cause: ApprovalCause; readonly text: string } | undefined> {
  if (tainted) return { cause: 'taint', text: 'Untrusted content is in the conversation, and this call could act on what it says.' };
  if (policy === 'ask') return { cause: 'policy', text: 'A policy asks for approval of this call.' };
  const { requiresApproval } = call.tool.definition.behaviour;
  if (policy === 'allow' || requiresApproval === false) return undefined;
  if (requiresApproval === true) return { cause: 'tool', text: 'The tool requires approval.' };
  try {
    const answer = await waitFor(requiresApproval(call.args, context), 'The approval predicate', scope);
    return answer === false ? undefined : { cause: 'tool', text: 'The tool requires approval for these arguments.' };
  } catch {
    if (scope.signal.aborted) throw scope.signal.reason;
    return { cause: 'tool', text: 'The tool could not tell whether this call requires approval.' };
  }
}

function changed(call: DecodedCall, read: Extract<ReadArguments, { readonly ok: true }>, by: string): DecodedCall {
  return {
    ...call,
    args: read.args,
    shown: read.shown,
    note: `Note: the arguments were changed by ${by}. Executed with: ${noted(read.shown)}`,
  };
}

const MAX_NOTE = 1_000;

function noted(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > MAX_NOTE ? `${text.slice(0, MAX_NOTE)}…` : text;
}

function invalidBy(who: string, faults: string): string {
  return `Denied: ${who} changed the arguments into ones that the tool does not take, so it was not run. This is not your mistake; do not repeat the call.\n${faults}`;
}

function failClosed(call: DecodedCall, text: string, facts: RefusalFacts, error: unknown, scope: CallScope): RefusedCall {
  if (scope.signal.aborted) return refuseAborted(call, scope);
  const about = errorFacts(error);
  const said = scope.exposeErrors ? `${text} ${about.message}` : text;
  return refuse(call, 'denied', `${said} Do not repeat it.`, scope, { ...facts, error: about });
}

const pick = (error: RefusalFacts['error']): RefusalFacts => (error === undefined ? {} : { error });

/** Waits for the host's word no longer than a call without a timeout may take; a plain value is not waited for. */
function waitFor<T>(work: T | PromiseLike<T>, what: string, scope: CallScope): T | Promise<T> {
  const waits = typeof work === 'object' && work !== null && typeof (work as Partial<PromiseLike<T>>).then === 'function';
  return waits ? bounded(work, what, scope.ceiling, scope.signal) : (work as T);
}
