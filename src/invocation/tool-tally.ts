import type { CallResult } from './call';

/** What is counted per tool in one run; plain data that lives in the run's state. */
export interface ToolTally {
  /** Repairs spent since the last success. */
  readonly repairs: number;
  /** Executions so far. */
  readonly executions: number;
}

/** A tool's tally after one more of its calls. */
export function tallied(tally: ToolTally, result: CallResult): ToolTally {
  const repairs = result.repair ? tally.repairs + 1 : result.record.outcome === 'ok' ? 0 : tally.repairs;
  return { repairs, executions: tally.executions + (result.executed ? 1 : 0) };
}
