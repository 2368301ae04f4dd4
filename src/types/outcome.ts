/** How a call ended. */
export type Outcome = 'ok' | 'error' | 'invalid' | 'unknown' | 'denied' | 'timeout' | 'aborted' | 'unsettled';

/** Why a call was refused: by whom or by which bound. */
export type RefusalReason =
  | 'hook'
  | 'policy'
  | 'approval'
  | 'approval_unavailable'
  | 'taint'
  | 'limit'
  | 'content_filter'
  | 'max_calls'
  | 'repairs'
  | 'rate_limit'
  | 'breaker'
  | 'disabled';

/** Why a call is put before a person. */
export type ApprovalCause = 'tool' | 'policy' | 'taint';

/** Whether content may be believed: the host's own, or somebody else's. */
export type Trust = 'trusted' | 'untrusted';
