import type { PreparedAgent } from '../agent/prepared-agent';
import type { Approver } from '../invocation/approval';
import type { Model } from '../models/model';
import type { PathStep } from '../types/run-path';
import type { Ledger } from './ledger';
import type { RunDocument } from './persistence/run-document';
import type { RunLimits } from './loop/run-state';

/** What a run that is carried out for a call takes from the run around it. */
export interface Around {
  /** The books of this run, within those of the one around it. */
  readonly ledger: Ledger;
  /** Whether foreign content is in the context that its task comes from. */
  readonly tainted: boolean;
  readonly taint: PreparedAgent['taint'];
  /** Asked where the agent brings no approver of its own. */
  readonly approver: Approver | undefined;
  /** For an agent that names no model, where the runner has none either. */
  readonly model: Model;
  /** How deep it may go on, and how long it may take. */
  readonly limits: Pick<RunLimits, 'maxDepth' | 'maxDurationMs'>;
  readonly path: readonly PathStep[];
  /** Given the run when it waits: it goes on with the one around it. */
  pause(run: RunDocument): void;
}

const STRICTNESS = ['off', 'ask', 'deny'] as const;

/** The agent as it runs for another: as strict about foreign content as that one, at the least. */
export function asStrict(agent: PreparedAgent, { taint }: Pick<PreparedAgent, 'taint'>): PreparedAgent {
  return STRICTNESS.indexOf(agent.taint) >= STRICTNESS.indexOf(taint) ? agent : Object.freeze({ ...agent, taint });
}

/** The limits of an agent, within what the run around it leaves of depth and time. What may be spent is looked up as it goes. */
export function withinLimits(own: RunLimits, { limits }: Around): RunLimits {
  const { maxDurationMs } = limits;
  return {
    ...own,
    maxDepth: Math.min(own.maxDepth, limits.maxDepth),
    ...(maxDurationMs !== undefined && { maxDurationMs: Math.min(maxDurationMs, own.maxDurationMs ?? Infinity) }),
  };
}
