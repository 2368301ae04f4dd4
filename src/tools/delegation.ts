import type { Part } from '../types/message';
import type { ToolContext } from './tool-context';

/** What a tool that stands for an agent is: who is asked, and whether the call is carried out by it or the conversation goes over to it. */
export interface Delegation {
  readonly kind: 'subagent' | 'handoff';
  /** The agent's class, or an instance. */
  readonly agent: unknown;
  /** How the agent is named to the model that calls it. */
  readonly name: string;
  /** Its deps, made from those of the run that calls it. */
  deps(around: unknown): unknown;
}

/** What such a tool asks of the run that calls it. */
export interface DelegateRequest extends Delegation {
  /** What it is asked; without meaning for a hand-off, where it reads the conversation. */
  readonly input: readonly Part[];
  /** Bounds of its run, over its own; checked when it starts. */
  readonly limits: object | undefined;
}

/** Where a call's context offers to run another agent. A symbol, since tools of the host's have no business with it. */
export const DELEGATE: unique symbol = Symbol.for('toolwright.delegate');

/** The context of a call that was made in a run, rather than by a test of the tool alone. */
export interface DelegatingContext extends ToolContext {
  readonly [DELEGATE]?: ((request: DelegateRequest) => Promise<unknown>) | undefined;
}
