import type { BoundTool } from '../tools/tool-definition';
import { foreignFacts, type ForeignFacts } from '../trust/foreign';
import type { ToolMessage } from '../types/message';
import type { CallResult } from './call';
import type { CallScope } from './call-scope';
import { canonicalText } from './result-text';
import { tallied, type ToolTally } from './tool-tally';

/** What the calls before this one, in the same answer, have used up, brought in, and asked for. */
export class EarlierCalls {
  private readonly tallies = new Map<string, ToolTally>();
  private readonly running = new Map<string, number>();
  private readonly destructive = new Map<string, string>();
  private readonly foreign: ToolMessage[] = [];

  constructor(private readonly scope: CallScope) {}

  tally(tool: string): ToolTally {
    const { repairs, executions } = this.tallies.get(tool) ?? this.scope.tally(tool);
    return { repairs, executions: executions + (this.running.get(tool) ?? 0) };
  }

  /** What is known of the foreign content that is in the context, or will be as soon as the results of this answer are. */
  foreignFacts(): ForeignFacts {
    return foreignFacts([...this.scope.messages, ...this.foreign]);
  }

  /** Counts a call that is about to be executed. */
  begin(tool: string): void {
    this.running.set(tool, (this.running.get(tool) ?? 0) + 1);
  }

  /** Counts a result; `begun` when the call was counted by `begin`. */
  end(result: CallResult, begun: boolean): void {
    const { name } = result.record;
    if (begun) this.running.set(name, (this.running.get(name) ?? 1) - 1);
    this.tallies.set(name, tallied(this.tallies.get(name) ?? this.scope.tally(name), result));
    if (result.message.trust === 'untrusted') this.foreign.push(result.message);
  }

  /** The earlier call of a destructive tool with the same arguments, by its id; the first such call is remembered. */
  twinOf({ definition }: BoundTool, shown: unknown, callId: string): string | undefined {
    if (definition.behaviour.annotations.destructive !== true) return undefined;
    const key = `${definition.name}\n${canonicalText(shown)}`;
    const first = this.destructive.get(key);
    if (first === undefined) this.destructive.set(key, callId);
    return first;
  }
}
