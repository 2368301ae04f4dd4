import type { AfterModelView, BeforeModelView, Hooks } from '../agent/hooks';
import { isRecord, shown } from '../errors/option-check';
import { errorText } from '../errors/error-facts';
import { RunError } from '../errors/run-error';
import type { RunContext } from '../tools/tool-context';
import type { Message } from '../types/message';
import type { Emitter } from './signals/emitter';
import type { HostTime } from './signals/host-time';
import { checkMessages } from './conversation/transcript';

/** The hooks around a run and around its model calls, in their order. Those around tools are the gate's affair. */
export class RunHooks {
  constructor(
    private readonly hooks: readonly Hooks[],
    private readonly context: RunContext,
    private readonly host: HostTime,
    private readonly emitter: Emitter,
    /** Those of the agent before, when one has taken over: each hears of the run's start and end once. */
    private readonly earlier?: RunHooks,
  ) {}

  async runStart(): Promise<void> {
    for (const hooks of this.hooks)
      if (hooks.onRunStart !== undefined && !this.heardBefore(hooks))
        await this.before('onRunStart', () => hooks.onRunStart?.(this.context));
  }

  /** What stands at the end of this one request and of no other, so that the requests' common beginning stays as it is. */
  async beforeModel(turn: number, request: (appended: readonly Message[]) => readonly Message[]): Promise<Message[]> {
    const appended: Message[] = [];
    for (const hooks of this.hooks) {
      if (hooks.beforeModel === undefined) continue;
      const view: BeforeModelView = { turn, messages: request(appended) };
      const more = await this.before('beforeModel', async () => appendedBy(await hooks.beforeModel?.(view, this.context)));
      appended.push(...more);
    }
    return appended;
  }

  async afterModel(view: AfterModelView): Promise<void> {
    for (const hooks of this.hooks)
      if (hooks.afterModel !== undefined)
        await this.after('afterModel', () => this.host.wait(hooks.afterModel?.(view, this.context)), true);
  }

  async runEnd(end: Parameters<NonNullable<Hooks['onRunEnd']>>[0]): Promise<void> {
    await this.earlier?.runEnd(end);
    for (const hooks of this.hooks)
      if (hooks.onRunEnd !== undefined && !this.heardBefore(hooks))
        await this.after('onRunEnd', () => this.host.waitAtEnd(hooks.onRunEnd?.(end, this.context)));
  }

  private heardBefore(hooks: Hooks): boolean {
    return this.earlier !== undefined && (this.earlier.hooks.includes(hooks) || this.earlier.heardBefore(hooks));
  }

  /** Fails closed: what it throws ends the run. */
  private async before<T>(name: string, call: () => T | Promise<T>): Promise<T> {
    try {
      return await this.host.wait(call());
    } catch (error) {
      if (this.host.isOver) throw error;
      throw new RunError('HOOK', `The hook \`${name}\` failed: ${errorText(error)}`, {
        cause: error,
        advice: `A hook that runs before something fails closed. Mend it, or let it catch what may go wrong.`,
      });
    }
  }

  private async after(name: string, call: () => Promise<void>, abortable = false): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (abortable && this.host.isOver) throw error;
      this.emitter.warn(`The hook \`${name}\` failed: ${errorText(error)}`);
    }
  }
}

function appendedBy(decision: unknown): readonly Message[] {
  if (decision === undefined) return [];
  if (!isRecord(decision) || !Array.isArray(decision.append))
    throw new Error(`it must give nothing, or { append: [...] } with messages, not ${shown(decision)}.`);
  return checkMessages(decision.append, 'What `beforeModel` appends');
}
