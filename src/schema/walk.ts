import type { ArgumentFault, Decoded } from './contract';
import { describeValue } from './describe-value';

/** How deep a value may be nested. */
const MAX_VALUE_DEPTH = 200;
/** More faults than a model can be told are not collected. */
const MAX_FAULTS = 100;

/** How many values are looked at in one pass, trials included. */
const MAX_STEPS = 1_000_000;
/** How many readings are tried inside other trials: unions inside unions multiply. */
const MAX_NESTED_TRIALS = 20_000;

interface Budget {
  steps: number;
  trials: number;
}

/** Reads one value: gives the decoded one, or says what is wrong and gives `undefined`. */
export type Decoder = (value: unknown, walk: Walk) => unknown;

/**
 * One pass over what the model sent: where it is, what was wrong, and what is still open.
 *
 * A decoder whose answer takes time leaves it in `open`; whoever asked it takes that with `settle` and says where
 * the answer goes. So everything synchronous stays synchronous.
 */
export class Walk {
  readonly faults: ArgumentFault[] = [];
  open: Promise<unknown> | undefined;
  private readonly budget: Budget;
  private readonly settling: Promise<void>[] = [];
  private readonly checks: (() => Promise<void>)[] = [];

  /**
   * @param exact whether values must fit as they are: strings are not read as numbers, booleans or JSON
   * @param path where the walk is; shared with its trials, which leave it as they found it
   * @param trialOf what is left to spend, when this is a trial inside another walk
   */
  constructor(
    readonly exact = false,
    readonly path: (string | number)[] = [],
    private readonly trialOf?: Budget,
  ) {
    this.budget = trialOf ?? { steps: MAX_STEPS, trials: MAX_NESTED_TRIALS };
  }

  /** A trial of one reading from here on: its faults are its own, its steps count with all others. */
  branch(exact: boolean, path: (string | number)[] = this.path): Walk {
    if (this.trialOf !== undefined) this.budget.trials -= 1;
    return new Walk(exact, path, this.budget);
  }

  refuse(expected: string, value: unknown, hint?: string): undefined {
    return this.fault({ path: pathText(this.path), expected, got: describeValue(value), ...(hint === undefined ? {} : { hint }) });
  }

  fault(fault: ArgumentFault): undefined {
    if (this.faults.length < MAX_FAULTS) this.faults.push(fault);
    return undefined;
  }

  /** Goes one step down; whoever enters leaves. `false` when the value is nested too deep. */
  enter(key: string | number, value: unknown): boolean {
    this.budget.steps -= 1;
    if (this.budget.steps < 0 || this.budget.trials < 0) {
      this.refuse('a smaller or less ambiguous value', value);
      return false;
    }
    this.path.push(key);
    if (this.path.length <= MAX_VALUE_DEPTH) return true;
    this.refuse(`a value nested at most ${MAX_VALUE_DEPTH} deep`, value);
    this.path.pop();
    return false;
  }

  leave(): void {
    this.path.pop();
  }

  /** Takes the open answer, if there is one, and has it put where it belongs. */
  settle(put: (value: unknown) => void): void {
    const { open } = this;
    if (open === undefined) return;
    this.open = undefined;
    const settled = open.then(put);
    // It is awaited in `finish`; until then a failure must not count as unhandled.
    settled.catch(() => undefined);
    this.settling.push(settled);
  }

  /** Adds a check that runs once everything is in place and nothing was wrong. */
  check(run: () => Promise<void>): void {
    this.checks.push(run);
  }

  get isPending(): boolean {
    return this.open !== undefined || this.settling.length > 0 || this.checks.length > 0;
  }

  /** Waits for everything that is open; gives the root's value. */
  async finish(value: unknown): Promise<Decoded> {
    let root = value;
    this.settle((settled) => (root = settled));
    await Promise.all(this.settling);
    for (let at = 0; at < this.checks.length && this.faults.length === 0; at += 1) await this.checks[at]!();
    return this.faults.length === 0 ? { ok: true, value: root } : { ok: false, faults: this.faults };
  }
}

/** Runs a decoder over a value that may be anything. */
export function runDecoder(decoder: Decoder, value: unknown, exact = false): Decoded | Promise<Decoded> {
  const walk = new Walk(exact);
  try {
    const decoded = decoder(value, walk);
    if (walk.faults.length > 0) return { ok: false, faults: walk.faults };
    return walk.isPending ? walk.finish(decoded).catch(rethrow) : { ok: true, value: decoded };
  } catch (error) {
    // Getters and proxies of a hostile value may throw; errors of the developer's own code pass.
    if (error instanceof DeveloperError) throw error.cause;
    return { ok: false, faults: [{ path: '', expected: 'plain JSON data', got: 'a value that cannot be read' }] };
  }
}

function rethrow(error: unknown): never {
  throw error instanceof DeveloperError ? error.cause : error;
}

/** Carries an error of the user's code out of a walk: it says nothing about the arguments. */
export class DeveloperError extends Error {
  constructor(override readonly cause: unknown) {
    super('An error in code that is not the model’s fault');
  }
}

/** A path as people write it: `from.y`, `xs[1]`, `["a b"]`. */
export function pathText(path: readonly (string | number)[]): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) text += text === '' ? key : `.${key}`;
    else text += `[${JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key)}]`;
  }
  return text.length > 200 ? `${text.slice(0, 100)}…${text.slice(-99)}` : text;
}
