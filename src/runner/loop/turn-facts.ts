/** A call with its result, as far as the course of the run depends on it. */
export interface SettledCall {
  readonly tool: string;
  /** Name, arguments and result in one text: what the loop guard compares. */
  readonly says: string;
  readonly polling: boolean;
  readonly ok: boolean;
  readonly executed: boolean;
  readonly repair: boolean;
  readonly direct: boolean;
}

/** How one attempt at the final answer reads: `index` is its place among the answer's calls, -1 for the answer's text. */
export interface OutputReading {
  readonly index: number;
  readonly ok: boolean;
  /** What is wrong with it, for the model; empty when nothing is. */
  readonly text: string;
}
