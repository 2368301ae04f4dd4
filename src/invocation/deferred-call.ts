import type { PendingCall } from '../types/pending-call';
import type { CallSubject, ReadyCall } from './call';
import { sentOf } from './call-arguments';
import type { CallScope } from './call-scope';
import { digestOf } from './digest';
import type { WaitingInside } from './inside-run';
import { toPlain } from './plain-value';
import { refuse, type RefusedCall } from './refusal';
import type { BoundTool } from '../tools/tool-definition';

/** A call that passed the gate as far as it goes here: a decision, or its result, comes from elsewhere. */
export interface DeferredCall extends CallSubject {
  readonly kind: 'deferred';
  readonly tool: BoundTool;
  readonly pending: PendingCall;
  /** Set when its agent waits: then `pending` is the first of what it waits for. */
  readonly inside?: WaitingInside;
}

/** What belongs to the question beside the call itself. */
export type DeferralFacts = Pick<PendingCall, 'why' | 'preview' | 'previewError' | 'signals' | 'data'> & {
  /** How long the question stands, in milliseconds. */
  readonly expires?: number | undefined;
};

const NOBODY_WAITS =
  'Denied: this call has to be decided, or executed, elsewhere, and nothing can wait for that here. It was not run. Do not repeat it; go on without it.';

/** Lets a call wait for somebody elsewhere; where nothing can wait, it is refused. */
export function defer(
  subject: CallSubject & { readonly tool: BoundTool },
  facts: DeferralFacts,
  scope: CallScope,
): DeferredCall | RefusedCall {
  if (scope.wait === undefined) return refuse(subject, 'denied', NOBODY_WAITS, scope, { reason: 'approval_unavailable' });
  scope.emit({ type: 'tool.defer', callId: subject.call.id, name: subject.tool.definition.name, cause: facts.why.cause });
  const { call, tool, note, sent } = subject;
  const { name, label } = tool.definition;
  const { why, preview, previewError, signals, data, expires } = facts;
  const shown = toPlain(subject.shown);
  const askedAt = scope.environment.now();
  const pending: PendingCall = {
    callId: call.id,
    name,
    label,
    arguments: shown,
    ...sentOf(sent),
    digest: digestOf([scope.runId, call.id, call.turn, call.index, name, shown, why.cause, ...(sent === undefined ? [] : [sent])]),
    why,
    ...(preview !== undefined && { preview: toPlain(preview) }),
    ...(previewError !== undefined && { previewError }),
    ...(signals !== undefined && signals.length > 0 && { signals }),
    ...(data !== undefined && { data }),
    askedAt,
    ...(expires !== undefined && { expiresAt: askedAt + expires }),
    ...(note !== undefined && { note }),
  };
  return { kind: 'deferred', call, tool, shown, ...sentOf(sent), note, pending };
}

const EXTERNAL = { cause: 'external', text: 'The tool is executed elsewhere.' } as const;

/** A call that may run: it waits if its tool is executed elsewhere. */
export function deferIfExternal<T extends { readonly kind: string }>(
  prepared: T | ReadyCall,
  scope: CallScope,
): T | ReadyCall | DeferredCall | RefusedCall {
  if (!isReady(prepared) || prepared.tool.definition.behaviour.external !== true) return prepared;
  return defer(prepared, { why: EXTERNAL }, scope);
}

const isReady = (prepared: { readonly kind: string }): prepared is ReadyCall => prepared.kind === 'ready';
