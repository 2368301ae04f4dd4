import type { CallResult, CallSubject, ReadyCall, RequestedCall, Settlement } from './call';
import { sentOf } from './call-arguments';
import { findTool } from './call-name';
import type { CallScope } from './call-scope';
import { bounded } from './deadline';
import type { DeferredCall } from './deferred-call';
import { EarlierCalls } from './earlier-calls';
import { executeNoted } from './execute-noted';
import { finish } from './finish';
import { judgeTaint } from './judge-call';
import type { MaybePromise } from './maybe-promise';
import { prepare, type PreparedCall } from './prepare';
import { refuse, refuseAborted, type RefusedCall } from './refusal';
import { resumeCall, type AnsweredCall, type SettledBefore } from './resume-call';
import { abortedText } from './settlement-texts';
import { bringsForeign, isGatedByTaint, mayBringForeign } from './taint-gate';

export interface BatchOptions {
  /** Whether calls may run side by side. */
  readonly parallel: boolean;
  /** How many at once. */
  readonly maxConcurrency: number;
}

/**
 * All calls of one answer, each to its one result, in the model's order.
 *
 * Side by side, only step 5 runs concurrently: preparing, and finishing, keep the model's order. A call waits until all before it are
 * finished when its tool is `sequential`, or when their results may be untrusted and taint would then decide about it. A fatal error ends
 * the others, which are waited for. Of calls that wait for somebody elsewhere the scope is told, and they have no result yet; in turn, those
 * after them wait too.
 */
export async function runBatch(calls: readonly RequestedCall[], scope: CallScope, options: BatchOptions): Promise<readonly CallResult[]> {
  return new Batch(scope, options).run(calls);
}

/** A call on its way to its result. */
type GroupCall = Exclude<PreparedCall, DeferredCall> | AnsweredCall | SettledBefore;

class Batch {
  private readonly earlier: EarlierCalls;
  private readonly results: CallResult[] = [];
  private group: GroupCall[] = [];
  private readonly deferred: DeferredCall[] = [];
  private fatal: unknown;

  constructor(
    private readonly scope: CallScope,
    private readonly options: BatchOptions,
  ) {
    this.earlier = new EarlierCalls(scope);
  }

  async run(calls: readonly RequestedCall[]): Promise<readonly CallResult[]> {
    const parallel = this.options.parallel && calls.length > 1;
    for (const call of calls) {
      if (parallel && this.mustWait(call)) await this.flush();
      if (this.deferred.length > 0 && this.waitsToo(call, parallel)) break;
      const prepared = await this.prepare(call);
      if (prepared.kind === 'deferred') {
        this.deferred.push(prepared);
        continue;
      }
      if (prepared.kind === 'twin' && this.deferred.some(({ call: { id } }) => id === prepared.of)) continue;
      if (prepared.kind === 'ready') this.earlier.begin(prepared.tool.definition.name);
      this.group.push(prepared);
      if (!parallel || (prepared.kind === 'ready' && prepared.tool.definition.behaviour.sequential)) await this.flush();
    }
    await this.flush();
    return this.deferred.length === 0 ? this.results : this.interrupted(calls);
  }

  private prepare(call: RequestedCall): MaybePromise<GroupCall | DeferredCall> {
    if (this.fatal !== undefined) return this.stopped(call, true);
    const { progress } = this.scope;
    return (
      (progress === undefined ? undefined : resumeCall(call, progress, this.scope, this.earlier)) ?? prepare(call, this.scope, this.earlier)
    );
  }

  /** Whether a call has to wait as well, since one before it does. */
  private waitsToo(call: RequestedCall, parallel: boolean): boolean {
    return !parallel || this.fatal !== undefined || this.dependsOn(call, this.deferred);
  }

  /** Some calls wait. When the batch is cut off nothing waits any more, and each call is answered. */
  private async interrupted(calls: readonly RequestedCall[]): Promise<readonly CallResult[]> {
    if (this.fatal === undefined && !this.scope.aborted) {
      for (const call of this.deferred) this.letWait(call);
      return this.results;
    }
    for (const call of calls) {
      if (this.results.some(({ record }) => record.id === call.id)) continue;
      const stopped = this.stopped(call, !this.deferred.some((one) => one.call.id === call.id));
      await this.finish(stopped, this.settlementOf(stopped));
    }
    const places = new Map(calls.map(({ id }, at) => [id, at]));
    return this.results.toSorted((a, b) => (places.get(a.record.id) ?? 0) - (places.get(b.record.id) ?? 0));
  }

  private letWait({ call, tool, shown, sent, note, pending, inside }: DeferredCall): void {
    for (const one of inside?.pending ?? [pending]) this.scope.wait?.(one);
    if (inside === undefined) return;
    const facts = { ...sentOf(sent), ...(note !== undefined && { note }) };
    this.scope.hold?.({ callId: call.id, name: tool.definition.name, arguments: shown, ...facts, run: inside.run });
  }

  /** Whether a call must not even be prepared before those of the group are finished. */
  private mustWait(call: RequestedCall): boolean {
    return this.group.length > 0 && this.dependsOn(call, this.group);
  }

  /** Whether what comes of calls before it matters to a call: by its tool's word, or where they may bring what taint then decides about. */
  private dependsOn(call: RequestedCall, before: readonly (GroupCall | DeferredCall)[]): boolean {
    const definition = findTool(call.name, this.scope.tools)?.definition;
    if (definition === undefined) return false;
    if (definition.behaviour.sequential) return true;
    if (this.scope.taint === 'off' || this.scope.tainted || !isGatedByTaint(definition)) return false;
    return before.some(
      ({ kind, tool }) => (kind === 'ready' || kind === 'deferred') && tool !== undefined && mayBringForeign(tool.definition),
    );
  }

  /** Runs and finishes the group. */
  private async flush(): Promise<void> {
    const group = this.group;
    this.group = [];
    const only = group[0];
    if (only === undefined) return;
    if (group.length === 1) {
      if (only.kind === 'settled') return this.take(only.result);
      const settlement = only.kind === 'ready' ? await executeNoted(only, this.scope) : this.settlementOf(only);
      return this.finishOrHold(only, settlement);
    }
    await this.flushTogether(group);
  }

  /** A result from before the interruption. */
  private take(result: CallResult): void {
    this.earlier.end(result, false);
    this.results.push(result);
  }

  private async flushTogether(group: readonly GroupCall[]): Promise<void> {
    const ready = group.filter((prepared) => prepared.kind === 'ready');
    const settlements = new Together(ready, this.scope, this.options.maxConcurrency);
    for (const prepared of group) {
      if (prepared.kind === 'settled') {
        this.take(prepared.result);
        continue;
      }
      const settlement = prepared.kind === 'ready' ? await settlements.of(prepared) : this.settlementOf(prepared);
      if (settlement === undefined) await this.judgeAgain(prepared as ReadyCall);
      else await this.finishOrHold(prepared, settlement);
    }
    await settlements.over;
  }

  /** A call that did not begin because foreign content came before it: all calls before it are finished now. */
  private async judgeAgain(held: ReadyCall): Promise<void> {
    const stopped = this.fatal !== undefined;
    const prepared: PreparedCall = stopped ? refuseAborted(held, this.scope) : await judgeTaint(held, this.scope, this.earlier);
    if (prepared.kind === 'deferred') {
      this.deferred.push(prepared);
      return;
    }
    const settlement = prepared.kind === 'ready' ? await executeNoted(prepared, this.scope) : this.settlementOf(prepared);
    await this.finishOrHold(prepared, settlement, true);
  }

  /** A call has its result, or its agent waits: then it has none yet. */
  private async finishOrHold(prepared: Exclude<GroupCall, SettledBefore>, settlement: Settlement, begun?: boolean): Promise<void> {
    const { waits } = settlement;
    const pending = waits?.pending[0];
    if (waits === undefined || pending === undefined || prepared.kind !== 'ready') return this.finish(prepared, settlement, begun);
    this.deferred.push({ ...prepared, kind: 'deferred', pending, inside: waits });
  }

  private async finish(
    prepared: Exclude<GroupCall, SettledBefore>,
    settlement: Settlement,
    begun = prepared.kind === 'ready',
  ): Promise<void> {
    const result = await finish(prepared, settlement, this.scope);
    this.earlier.end(result, begun);
    this.results.push(result);
    if (result.fatal !== undefined) this.fatal ??= result.fatal;
    if (this.scope.journal === undefined) return;
    // What cannot be written down must not go on.
    await this.scope.journal.settled(result).catch((error: unknown) => (this.fatal ??= error));
    if (this.fatal !== undefined && result.fatal === undefined) this.results[this.results.length - 1] = { ...result, fatal: this.fatal };
  }

  private settlementOf(prepared: Exclude<GroupCall, ReadyCall | SettledBefore>): Settlement {
    return prepared.kind === 'twin' ? this.shared(prepared, prepared.of) : prepared.settlement;
  }

  /** The result of a repeated call: the first one's outcome, and where to look. */
  private shared(subject: CallSubject, of: string): Settlement {
    const first = this.results.find((result) => result.record.id === of);
    const same = `this call is identical to the call ${of} of the same message`;
    const text =
      first?.executed === true
        ? `Not run again: ${same}, which was carried out once. See its result. If it is really meant twice, call it once more on its own.`
        : `Not run: ${same}, which was not run either. See its result.`;
    const { outcome = 'denied', reason } = first?.record ?? {};
    const facts = reason === undefined ? {} : { reason };
    return refuse(subject, outcome, text, this.scope, facts).settlement;
  }

  private stopped(call: RequestedCall, announced: boolean): RefusedCall {
    if (announced) this.scope.emit({ type: 'tool.request', callId: call.id, name: call.name, arguments: call.arguments });
    const tool = findTool(call.name, this.scope.tools);
    return refuse({ call, tool, shown: call.arguments, note: undefined }, 'aborted', abortedText(tool?.definition, false), this.scope);
  }
}

/**
 * Calls that run side by side, so many at once, started in order.
 *
 * A call that taint would gate does not begin once a call before it turned out to bring foreign content: it settles as `undefined`. One that
 * had begun by then was neither asked for nor started by what that content says.
 */
class Together {
  /** Resolves when all are settled, and after a fatal error also when what they left behind is. */
  readonly over: Promise<unknown>;
  private readonly controller = new AbortController();
  private readonly settlements = new Map<ReadyCall, Promise<Settlement | undefined>>();
  /** The first of the calls that turned out to bring foreign content. */
  private foreignFrom = Infinity;
  /** Whether taint has decided about these calls already. */
  private readonly judged: boolean;
  private readonly leftovers: Promise<void>[] = [];

  constructor(
    calls: readonly ReadyCall[],
    private readonly scope: CallScope,
    maxConcurrency: number,
  ) {
    this.judged = scope.tainted || scope.taint === 'off';
    const resolvers = calls.map((call) => {
      const { promise, resolve } = deferred<Settlement | undefined>();
      this.settlements.set(call, promise);
      return resolve;
    });
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < calls.length; at = next++) resolvers[at]?.(await this.perform(calls[at] as ReadyCall, at));
    };
    const workers = Array.from({ length: Math.min(Math.max(1, maxConcurrency), calls.length) }, worker);
    this.over = Promise.all(workers).then(() => (this.controller.signal.aborted ? Promise.all(this.leftovers) : undefined));
  }

  async of(call: ReadyCall): Promise<Settlement | undefined> {
    return this.settlements.get(call);
  }

  private async perform(call: ReadyCall, at: number): Promise<Settlement | undefined> {
    const { definition } = call.tool;
    if (at > this.foreignFrom && !this.judged && isGatedByTaint(definition)) return undefined;
    const settlement = await this.execute(call);
    if (bringsForeign(settlement, definition)) this.foreignFrom = Math.min(this.foreignFrom, at);
    return settlement;
  }

  private async execute(call: ReadyCall): Promise<Settlement> {
    const { timeout } = call.tool.definition.behaviour;
    const settlement = await executeNoted(call, this.scope, {
      signal: this.controller.signal,
      // A call that ignores the abort is waited for as long as it might have taken, and no longer than the run lasts.
      onLeftover: (rest) => {
        this.leftovers.push(bounded(rest, 'A call', timeout ?? this.scope.ceiling, this.scope.signal).catch(() => undefined));
      },
    });
    if (settlement.fatal !== undefined) this.controller.abort(settlement.fatal);
    return settlement;
  }
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
