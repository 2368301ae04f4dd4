import { DELEGATE, type DelegateRequest } from '../tools/delegation';
import { ToolContext, type ContextLimits } from '../tools/tool-context';
import type { Message } from '../types/message';
import type { State } from '../types/state-operation';
import type { Usage } from '../types/usage';
import type { RequestedCall } from './call';
import type { CallScope } from './call-scope';

/** What one attempt of one call sees of its run. Everything is looked up when it is asked for, so that a call pays for what it uses. */
export class CallContext extends ToolContext {
  private controller: AbortController | undefined;
  private ended = false;
  private aborted: { readonly reason: unknown } | undefined;

  /** @param ownSignal whether the signal is this attempt's own, rather than the run's */
  constructor(
    private readonly scope: CallScope,
    private readonly call: RequestedCall,
    readonly toolName: string,
    readonly attempt: number,
    private readonly ownSignal: boolean,
    private readonly startedAt: number,
  ) {
    super();
  }

  get deps(): unknown {
    return this.scope.deps;
  }
  get state(): State {
    return this.scope.state;
  }
  get messages(): readonly Message[] {
    return this.scope.messages;
  }
  get usage(): Usage {
    return this.scope.usage;
  }
  get limits(): ContextLimits {
    return this.scope.limits;
  }
  get metadata(): { readonly [key: string]: unknown } {
    return this.scope.metadata;
  }
  get requestId(): string {
    return this.scope.runId;
  }
  get callId(): string {
    return this.call.id;
  }
  get timestamp(): Date {
    return new Date(this.startedAt);
  }
  get idempotencyKey(): string {
    return `${this.scope.runId}:${this.call.turn}:${this.call.index}`;
  }

  get [DELEGATE](): ((request: DelegateRequest) => Promise<unknown>) | undefined {
    const { scope } = this;
    return scope.delegate === undefined ? undefined : (request) => scope.delegate!(request, this);
  }

  get signal(): AbortSignal {
    if (!this.ownSignal) return this.scope.signal;
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.aborted !== undefined) this.controller.abort(this.aborted.reason);
    }
    return this.controller.signal;
  }

  update(data: unknown): void {
    if (!this.ended) this.scope.emit({ type: 'tool.update', callId: this.call.id, data });
  }

  get isOver(): boolean {
    return this.ended;
  }

  /** The attempt is over: later updates do nothing. */
  end(): void {
    this.ended = true;
  }

  /** Ends the attempt before the tool did, and tells the tool. */
  abort(reason: unknown): void {
    this.ended = true;
    this.aborted = { reason };
    this.controller?.abort(reason);
  }
}
