import type { ToolDefinition } from '../tools/tool-definition';
import { Circuit } from './circuit';
import { RateWindow } from './rate-window';

/** Why a tool cannot be called now, and what the model is told. */
export interface Wait {
  readonly reason: 'rate_limit' | 'breaker';
  readonly text: string;
}

/** An execution that is counted. */
export interface Begun {
  /** How it came out; `undefined` when it says nothing about the tool. */
  end(worked: boolean | undefined, now: number): void;
}

/**
 * How often tools were called, and whether they work: for `rateLimit` and `breaker`, across the runs of one runner.
 *
 * A tool is known by the options that were written for it and by its owner: subclasses and renamed views count together, two tools under one
 * `configured` do not.
 */
export class Throttle {
  private readonly windows = new WeakMap<object, Map<string, RateWindow>>();
  private readonly circuits = new WeakMap<object, Map<string, Circuit>>();

  /** Why a call would be refused at this moment. */
  refusal(tool: ToolDefinition, now: number): Wait | undefined {
    const { rateLimit, breaker } = tool.behaviour;
    const rests = this.circuit(tool)?.openUntil(now);
    if (rests !== undefined && breaker !== undefined)
      return {
        reason: 'breaker',
        text: `Denied: \`${tool.name}\` failed ${times(breaker.failures)} in a row and is left alone for a while. It was not run. It can be tried again ${inTime(rests, now)}. Until then go on without it.`,
      };
    const full = this.window(tool)?.fullUntil(now);
    if (full === undefined || rateLimit === undefined) return undefined;
    return {
      reason: 'rate_limit',
      text: `Denied: \`${tool.name}\` may be called ${times(rateLimit.calls)} in ${duration(rateLimit.per)}, and was. It was not run. It can be called again ${inTime(full, now)}. Until then go on without it.`,
    };
  }

  /** Counts an execution that begins, unless it must wait. */
  begin(tool: ToolDefinition, now: number): Wait | Begun {
    const wait = this.refusal(tool, now);
    if (wait !== undefined) return wait;
    this.window(tool)?.take(now);
    const circuit = this.circuit(tool);
    const tries = circuit?.begin() === true;
    return { end: (worked, at) => circuit?.end(worked, tries, at) };
  }

  private window({ owner, behaviour: { rateLimit } }: ToolDefinition): RateWindow | undefined {
    return rateLimit && kept(this.windows, rateLimit, owner, () => new RateWindow(rateLimit.calls, rateLimit.per));
  }

  private circuit({ owner, behaviour: { breaker } }: ToolDefinition): Circuit | undefined {
    return breaker && kept(this.circuits, breaker, owner, () => new Circuit(breaker.failures, breaker.resetAfter));
  }
}

function kept<T>(all: WeakMap<object, Map<string, T>>, options: object, owner: string, make: () => T): T {
  let ofOptions = all.get(options);
  if (ofOptions === undefined) all.set(options, (ofOptions = new Map<string, T>()));
  let one = ofOptions.get(owner);
  if (one === undefined) ofOptions.set(owner, (one = make()));
  return one;
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}

/** For a model, which has no clock, and for people who read the log. */
function inTime(until: number, now: number): string {
  const at = new Date(until);
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return `in ${seconds} s${Number.isNaN(at.getTime()) ? '' : ` (at ${at.toISOString()})`}`;
}
