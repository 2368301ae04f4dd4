import type { BatchJournal } from '../../invocation/batch-progress';
import type { ToolCallRecord } from '../../types/run-result';
import type { State } from '../../types/state-operation';
import type { RunPoint } from './run-document';
import type { Transcript } from '../conversation/transcript';

/** Where a run is written down as it goes. */
export interface Journal extends BatchJournal {
  /** The run is about to do what the point says. */
  checkpoint(point: RunPoint, transcript: Transcript, records: readonly ToolCallRecord[]): Promise<void>;
  /** The run is over, however it ended. */
  end(runId: string, transcript: Transcript, memory: State): Promise<void>;
}
