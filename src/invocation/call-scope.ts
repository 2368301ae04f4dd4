import type { BoundTool } from '../tools/tool-definition';
import type { DelegateRequest } from '../tools/delegation';
import type { ContextLimits, ToolContext } from '../tools/tool-context';
import type { Environment } from '../types/environment';
import type { Message, ToolMessage } from '../types/message';
import type { EventBody } from '../types/run-event';
import type { State } from '../types/state-operation';
import type { Usage } from '../types/usage';
import type { PendingCall } from '../types/pending-call';
import type { Approver } from './approval';
import type { BatchJournal, BatchProgress, InsideRun } from './batch-progress';
import type { ToolHooks } from './hooks';
import type { Locks } from './locks';
import type { Policy } from './policy';
import type { ResultCache } from './result-cache';
import type { Throttle } from './throttle';
import type { ToolTally } from './tool-tally';

/** What the gate needs to know of the run that a call belongs to. */
export interface CallScope {
  readonly runId: string;
  readonly tools: ReadonlyMap<string, BoundTool>;
  readonly deps: unknown;
  readonly metadata: { readonly [key: string]: unknown };
  /** The state as it was before this turn. */
  readonly state: State;
  readonly messages: readonly Message[];
  readonly usage: Usage;
  readonly limits: ContextLimits;
  /** Whether the run, or this turn of it, was cut off; asked without making the signal. */
  readonly aborted: boolean;
  /** Made when it is first asked for. */
  readonly signal: AbortSignal;
  readonly environment: Environment;
  readonly exposeErrors: boolean;
  /** The bound on a call that has no timeout of its own, in milliseconds. */
  readonly ceiling: number;
  /** Whether untrusted content is in the context at this moment, and what follows from it. */
  readonly tainted: boolean;
  readonly taint: 'ask' | 'deny' | 'off';
  readonly hooks: readonly ToolHooks[];
  readonly policy: readonly Policy[];
  readonly approver: Approver | undefined;
  /** Serialises calls by key, across the runs of one runner. */
  readonly locks: Locks;
  /** Results of read-only tools with `cache`, across the runs of one runner. */
  readonly cache: ResultCache;
  /** What `rateLimit` and `breaker` count, across the runs of one runner. */
  readonly throttle: Throttle;
  /** How the rest of a cut result can be read, said inside the result; absent where there is no way. */
  readonly readOn?: (callId: string) => string;
  /** How far this batch came before it was interrupted; absent for one that begins. */
  readonly progress?: BatchProgress | undefined;
  /** Where what happens to the calls is written down; absent where nothing is kept. */
  readonly journal?: BatchJournal | undefined;
  /** Told of each call that waits for a decision from elsewhere; absent where nothing can wait. */
  readonly wait?: ((pending: PendingCall) => void) | undefined;
  tally(tool: string): ToolTally;
  /** Takes note of a result that enters the context; `tainted` is to be true from then on if it is foreign. */
  noteResult(message: ToolMessage): void;
  /** Keeps a call whose agent waits; absent where nothing can wait. */
  hold?(inside: InsideRun): void;
  /** Runs another agent for a call; absent where there is no run to run it in. */
  delegate?(request: DelegateRequest, context: ToolContext): Promise<unknown>;
  emit(event: EventBody): void;
}
