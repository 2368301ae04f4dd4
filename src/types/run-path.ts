/** One step of the way from the outermost run to a run inside it: which agent made which call. */
export interface PathStep {
  readonly agent: string;
  readonly callId: string;
}
