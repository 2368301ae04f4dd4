import { NO_USAGE, type Usage } from '../types/usage';
import { addUsage, usageSince } from './loop/add-usage';
import type { Caps, RequestCost, RunState } from './loop/run-state';

/** The part of a running run that its ledger reads. */
interface Spender {
  readonly state: RunState;
}

/**
 * What a run and the runs inside it consume, as it goes: what is left for those inside is never more than what the runs around them may
 * still spend, side by side as well.
 */
export class Ledger {
  private run: Spender | undefined;
  private readonly inside = new Set<Ledger>();
  private ended: Usage = NO_USAGE;
  private aside: Aside = NOTHING;

  /**
   * @param around of the run that this one is inside of
   * @param before what this run consumed before it was interrupted: the one around it has counted that
   */
  constructor(
    private readonly around?: Ledger,
    private readonly before: Usage = NO_USAGE,
  ) {
    around?.inside.add(this);
  }

  /** The run is there: from now on its own consumption counts. */
  begin(run: Spender): this {
    this.run = run;
    return this;
  }

  /** This run is over: what it consumed is the affair of the one around it. */
  close(): void {
    const { around } = this;
    if (around === undefined || !around.inside.delete(this)) return;
    around.ended = addUsage(around.ended, usageSince(this.spent(), this.before));
  }

  /** Everything so far, the runs inside included. */
  spent(): Usage {
    let spent = addUsage(this.run?.state.usage ?? NO_USAGE, this.ended);
    for (const ledger of this.inside) spent = addUsage(spent, usageSince(ledger.spent(), ledger.before));
    return spent;
  }

  /** What the step that begins now will probably consume: until the next one it is not there for others. */
  putAside(aside: Aside): void {
    this.aside = aside;
  }

  /** What ended runs inside consumed that was not taken yet. */
  get untold(): Usage {
    return this.ended;
  }

  /** Takes over what runs inside consumed when this was recorded. */
  restore(untold: Usage): void {
    this.ended = untold;
  }

  /** What ended runs inside consumed since this was last asked. */
  take(): Usage {
    const { ended } = this;
    this.ended = NO_USAGE;
    return ended;
  }

  /** The most that this run may have spent in all, so that the limits of the runs around it hold; `undefined` where there are none. */
  caps(): Caps | undefined {
    const left = this.around?.left();
    if (left === undefined) return undefined;
    const { tokens, costUsd, toolCalls } = this.taken();
    return { tokens: plus(left.tokens, tokens), costUsd: plus(left.costUsd, costUsd), toolCalls: plus(left.toolCalls, toolCalls) };
  }

  /** What is spent, with what is put aside for the steps under way. */
  private taken(): { readonly tokens: number; readonly costUsd: number; readonly toolCalls: number } {
    const { totalTokens, costUsd = 0, toolCalls } = this.spent();
    const open = [...this.open()];
    return {
      tokens: open.reduce((sum, { aside }) => sum + (aside.totalTokens ?? 0), totalTokens),
      costUsd: open.reduce((sum, { aside }) => sum + (aside.costUsd ?? 0), costUsd),
      toolCalls: open.reduce((sum, { aside }) => sum + (aside.toolCalls ?? 0), toolCalls),
    };
  }

  private *open(): Generator<Ledger> {
    yield this;
    for (const ledger of this.inside) yield* ledger.open();
  }

  /** What may still be spent inside; one more request of this run's own stays in reserve, for its answer. */
  private left(): Caps {
    const outer = this.around?.left() ?? {};
    if (this.run === undefined) return outer;
    const { terms, lastRequest } = this.run.state;
    const { maxTokens, maxCostUsd, maxToolCalls } = terms.limits;
    const { tokens, costUsd, toolCalls } = this.taken();
    return {
      tokens: least(outer.tokens, plus(maxTokens, -tokens - lastRequest.totalTokens)),
      costUsd: least(outer.costUsd, plus(maxCostUsd, -costUsd - lastRequest.costUsd)),
      toolCalls: least(outer.toolCalls, maxToolCalls - toolCalls),
    };
  }
}

/** What a step takes, before it is known exactly. */
type Aside = Partial<Pick<RequestCost, 'totalTokens' | 'costUsd'>> & { readonly toolCalls?: number };
const NOTHING: Aside = Object.freeze({});

const plus = (bound: number | undefined, more: number): number | undefined => (bound === undefined ? undefined : bound + more);

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
