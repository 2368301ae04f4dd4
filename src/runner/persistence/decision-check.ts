import type { RunContext } from '../../tools/tool-context';
import type { Decision } from '../../types/decision';
import type { PendingCall } from '../../types/pending-call';

/**
 * Says whether a decision may be taken, by whatever the host knows of who brings it: `context.deps` and `context.metadata` are those of the
 * resume. One that throws, or does not answer `true`, refuses.
 */
export type DecisionCheck = (
  asked: { readonly decision: Decision; readonly call: PendingCall },
  // The deps of any agent: what they are is the host's own knowledge.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  context: RunContext<any>,
) => boolean | Promise<boolean>;
