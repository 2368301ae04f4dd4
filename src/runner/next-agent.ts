import type { PreparedAgent } from '../agent/prepared-agent';
import type { Approver } from '../invocation/approval';
import type { Model } from '../models/model';

/** The agent that goes on with a run, ready. */
export interface NextAgent {
  readonly agent: PreparedAgent;
  readonly model: Model;
  readonly approver: Approver | undefined;
  readonly deps: unknown;
}

/** A hand-off that a call of the turn has asked for: the agent is there once it is made ready. */
export interface Handover {
  readonly callId: string;
  readonly name: string;
  readonly next?: NextAgent;
}
