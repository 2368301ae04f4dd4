import type { PendingCall } from '../types/pending-call';

/** What a call gives whose agent waits: what it waits for, and the run as plain data. A class, so that no tool can give one by accident. */
export class WaitingInside {
  constructor(
    readonly pending: readonly PendingCall[],
    readonly run: unknown,
  ) {}
}

/** The ids of what waits inside a call begin with the call's own: those of the runs need not differ. */
export const insideId = (callId: string, inner: string): string => `${callId}/${inner}`;

/** The id within the run inside the call, or `undefined` for what is not in it. */
export function idInside(callId: string, id: string): string | undefined {
  return id.startsWith(`${callId}/`) ? id.slice(callId.length + 1) : undefined;
}
