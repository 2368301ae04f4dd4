import { errorFacts } from '../errors/error-facts';
import { withoutSecrets } from '../trust/redaction';
import { shown } from '../errors/option-check';
import type { BoundTool } from '../tools/tool-definition';
import type { ForeignFacts } from '../trust/foreign';
import type { ApprovalCause } from '../types/outcome';
import { askApproval } from './ask-approval';
import type { CallSubject, ReadyCall } from './call';
import { decodeChanged, type ReadArguments } from './call-arguments';
import { CallContext } from './call-context';
import type { CallScope } from './call-scope';
import { defer, type DeferredCall } from './deferred-call';
import { viewOf } from './call-view';
import type { EarlierCalls } from './earlier-calls';
import type { ToolHooks } from './hooks';
import { judgePolicies } from './judge-policy';
import { refuse, refuseAborted, type RefusalFacts, type RefusedCall, type TwinCall } from './refusal';
import { isGatedByTaint, TAINTED, taintDecides, taintText } from './taint-gate';
import { waitForHost } from './wait-for-host';

/** A call whose arguments fit: what steps 3 and 4 judge. */
export interface DecodedCall extends Omit<ReadyCall, 'kind'> {
  readonly kind: 'decoded';
}

/** Whether anybody wants to be asked before this call; most calls pass without. */
export function needsJudgement({ definition }: BoundTool, scope: CallScope): boolean {
  return (
    definition.behaviour.requiresApproval !== false ||
    scope.policy.length > 0 ||
    scope.hooks.some((hook) => typeof hook.beforeTool === 'function') ||
    (scope.tainted && scope.taint !== 'off' && isGatedByTaint(definition))
  );
}

/** Steps 3 and 4: hooks, policy, approval. Whatever throws or cannot be understood refuses the call. */
export async function judgeCall(decoded: DecodedCall, scope: CallScope, earlier: EarlierCalls): Promise<Verdict> {
  return inContext(decoded, scope, (context) => judge(decoded, false, context, scope, earlier));
}

/** A call that was approved while its run waited: what policies and taint forbid by now is still forbidden. */
export async function judgeApproved(decoded: DecodedCall, scope: CallScope): Promise<ReadyCall | RefusedCall> {
  return inContext(decoded, scope, async (context) => {
    const policy = await hearPolicies(decoded, context, scope);
    return typeof policy === 'string' ? { ...decoded, kind: 'ready' } : policy;
  });
}

/** A call that was edited while its run waited. */
export async function judgeEdited(
  decoded: DecodedCall,
  value: { readonly [key: string]: unknown },
  scope: CallScope,
  earlier: EarlierCalls,
): Promise<Verdict> {
  return inContext(decoded, scope, (context) => edit(decoded, value, context, scope, earlier));
}

async function inContext<T>(
  judged: CallSubject & { readonly tool: BoundTool },
  scope: CallScope,
  work: (context: CallContext) => Promise<T>,
): Promise<T | RefusedCall> {
  const context = new CallContext(scope, judged.call, judged.tool.definition.name, 1, false, scope.environment.now());
  try {
    return await work(context);
  } catch (error) {
    if (scope.signal.aborted) return refuseAborted(judged, scope);
    throw error;
  } finally {
    context.end();
  }
}

type Verdict = ReadyCall | RefusedCall | TwinCall | DeferredCall;

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
  const policy = await hearPolicies(heard, context, scope);
  if (typeof policy !== 'string') return policy;
  const gated = scope.tainted && (await taintDecides(heard, context, scope));
  if (gated && scope.taint === 'deny') return refuse(heard, 'denied', TAINTED, scope, { reason: 'taint' });
  const twin = approved ? undefined : earlier.twinOf(tool, heard.shown, heard.call.id);
  if (twin !== undefined) return { ...heard, kind: 'twin', of: twin };
  if (approved) return { ...heard, kind: 'ready' };

  const foreign = scope.tainted ? earlier.foreignFacts() : NOTHING_FOREIGN;
  const why = gated ? { cause: 'taint' as const, text: taintText(foreign) } : await whyAsk(heard, policy, context, scope);
  return why === undefined ? { ...heard, kind: 'ready' } : ask(heard, why, foreign, context, scope, earlier);
}

/** Step 4: what the approver makes of a call; one that was edited is judged once more. */
async function ask(
  heard: DecodedCall,
  why: { readonly cause: ApprovalCause; readonly text: string },
  { signals }: ForeignFacts,
  context: CallContext,
  scope: CallScope,
  earlier: EarlierCalls,
): Promise<Verdict> {
  const answer = await askApproval(heard, why, signals, context, scope);
  switch (answer.says) {
    case 'approve':
      return { ...heard, kind: 'ready' };
    case 'deny':
      return refuse(heard, 'denied', answer.text, scope, { reason: answer.reason, ...pick(answer.error) });
    case 'defer':
      return defer(heard, answer.facts, scope);
    case 'edit':
      return edit(heard, answer.value, context, scope, earlier);
  }
}

/** The call with a person's arguments, once more through hooks and policies. */
async function edit(
  heard: DecodedCall,
  value: { readonly [key: string]: unknown },
  context: CallContext,
  scope: CallScope,
  earlier: EarlierCalls,
): Promise<Verdict> {
  const edited = await decodeChanged(value, heard, heard.tool, scope);
  if (!edited.ok) return refuse(heard, 'denied', invalidBy('The person who was asked', edited.faults), scope, { reason: 'approval' });
  return judge(changed(heard, edited, 'a person who was asked for approval'), true, context, scope, earlier);
}

/** Step 3, second half: what policies say, or the refusal. */
async function hearPolicies(call: DecodedCall, context: CallContext, scope: CallScope): Promise<'nothing' | 'allow' | 'ask' | RefusedCall> {
  let verdict;
  try {
    verdict = await judgePolicies(
      scope.policy,
      () => viewOf(call),
      context,
      (work) => waitForHost(work, 'A policy', scope),
    );
  } catch (error) {
    return failClosed(call, 'Denied: a policy could not decide on this call. It was not run.', { reason: 'policy' }, error, scope);
  }
  if (verdict.says !== 'deny') return verdict.says;
  const why = verdict.text === undefined || verdict.text === '' ? 'It is not allowed here.' : verdict.text;
  return refuse(call, 'denied', `Denied by policy: ${why}\nIt was not run. Do not repeat it.`, scope, { reason: 'policy' });
}

const NOTHING_FOREIGN: ForeignFacts = Object.freeze({ from: [], signals: [] });

/** What taint says of a call that was ready before foreign content was there. All else about it is decided already. */
export async function judgeTaint(ready: ReadyCall, scope: CallScope, earlier: EarlierCalls): Promise<Verdict> {
  return inContext(ready, scope, async (context) => {
    if (!scope.tainted || !(await taintDecides(ready, context, scope))) return ready;
    if (scope.taint === 'deny') return refuse(ready, 'denied', TAINTED, scope, { reason: 'taint' });
    const foreign = earlier.foreignFacts();
    return ask({ ...ready, kind: 'decoded' }, { cause: 'taint', text: taintText(foreign) }, foreign, context, scope, earlier);
  });
}

/** Step 3, first half: hooks in order, each seeing what those before it made of the arguments. */
async function hearHooks(asked: DecodedCall, context: CallContext, scope: CallScope): Promise<DecodedCall | RefusedCall> {
  let heard = asked;
  for (const hook of scope.hooks) {
    if (typeof hook.beforeTool !== 'function') continue;
    let decision;
    try {
      decision = understoodHook(await waitForHost(hook.beforeTool(viewOf(heard), context), 'A hook', scope));
    } catch (error) {
      return failClosed(heard, 'Denied: a check before this call failed. It was not run.', { reason: 'hook' }, error, scope);
    }
    if (decision === undefined) continue;
    if ('deny' in decision) {
      const why = decision.deny === '' ? 'It is not allowed here.' : decision.deny;
      return refuse(heard, 'denied', `Denied: ${why}\nIt was not run.`, scope, { reason: 'hook' });
    }
    const read = await decodeChanged(decision.arguments, heard, heard.tool, scope);
    if (!read.ok) return refuse(heard, 'denied', invalidBy('A check before this call', read.faults), scope, { reason: 'hook' });
    heard = changed(heard, read, 'a check before the call');
  }
  return heard;
}

function understoodHook(decision: Awaited<ReturnType<NonNullable<ToolHooks['beforeTool']>>>) {
  if (decision === undefined) return undefined;
  if (typeof decision === 'object' && decision !== null) {
    if ('deny' in decision) {
      if (typeof decision.deny === 'string') return decision;
    } else if ('arguments' in decision && typeof decision.arguments === 'object' && decision.arguments !== null) return decision;
  }
  throw new Error(`beforeTool must give nothing, { deny: '…' } or { arguments: { … } }, not ${shown(decision)}.`);
}

/** Why a person must be asked where taint does not say so, or `undefined`. A policy's `allow` waives what the tool asks for. */
async function whyAsk(
  call: DecodedCall,
  policy: 'nothing' | 'allow' | 'ask',
  context: CallContext,
  scope: CallScope,
): Promise<{ readonly cause: ApprovalCause; readonly text: string } | undefined> {
  if (policy === 'ask') return { cause: 'policy', text: 'A policy asks for approval of this call.' };
  const { requiresApproval } = call.tool.definition.behaviour;
  if (policy === 'allow' || requiresApproval === false) return undefined;
  if (requiresApproval === true) return { cause: 'tool', text: 'The tool requires approval.' };
  try {
    const answer = await waitForHost(requiresApproval(call.args, context), 'The approval predicate', scope);
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
    sent: read.sent,
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
  const said = scope.exposeErrors ? `${text} ${withoutSecrets(about.message)}` : text;
  return refuse(call, 'denied', `${said} Do not repeat it.`, scope, { ...facts, error: about });
}

const pick = (error: RefusalFacts['error']): RefusalFacts => (error === undefined ? {} : { error });
