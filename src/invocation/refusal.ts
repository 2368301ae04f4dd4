import type { Outcome, RefusalReason } from '../types/outcome';
import type { ErrorFacts } from '../types/run-result';
import type { CallSubject, Settlement } from './call';
import type { CallScope } from './call-scope';
import { abortedText } from './settlement-texts';

/** A call that is not run, and how its result will read. */
export interface RefusedCall extends CallSubject {
  readonly kind: 'refused';
  readonly settlement: Settlement;
}

/** A call that repeats an earlier one of the same answer, whose result it shares. */
export interface TwinCall extends CallSubject {
  readonly kind: 'twin';
  /** The id of the call that it repeats. */
  readonly of: string;
}

export interface RefusalFacts {
  readonly reason?: RefusalReason;
  readonly repair?: boolean;
  readonly error?: ErrorFacts;
}

/** Refuses a call: `text` is what the model is told. */
export function refuse(subject: CallSubject, outcome: Outcome, text: string, scope: CallScope, facts: RefusalFacts = {}): RefusedCall {
  const { call, tool, shown, note } = subject;
  const now = scope.environment.now();
  return {
    kind: 'refused',
    call,
    tool,
    shown,
    note,
    settlement: { outcome, value: text, attempts: 0, startedAt: now, endedAt: now, ...facts },
  };
}

export function refuseAborted(subject: CallSubject, scope: CallScope): RefusedCall {
  return refuse(subject, 'aborted', abortedText(subject.tool?.definition, false), scope);
}
