import { errorFacts } from '../errors/error-facts';
import { shown } from '../errors/option-check';
import { FatalToolError, ToolFailure, ToolRetry, ToolTimeoutError } from '../errors/tool-error';
import type { ToolDefinition } from '../tools/tool-definition';
import { withoutSecrets } from '../trust/redaction';
import { announceStart, isAnnounced } from './announce-start';
import type { ReadyCall, Settlement } from './call';
import { decodeAgain } from './call-arguments';
import { CallContext } from './call-context';
import { onAbort } from './abort-watch';
import type { CallScope } from './call-scope';
import { settled, type Ended } from './deadline';
import { drain, isGenerator } from './generator-tool';
import { WaitingInside } from './inside-run';
import { isThenable } from './maybe-promise';
import { keep, kept } from './kept-result';
import { budgetOf, delayAfter, mayRepeat } from './retry';
import { abortedText, expiredText, retryText, unexpectedText } from './settlement-texts';

export interface ExecuteOptions {
  /** Ends the call as an abort of the run does; for the other calls of a batch that must end. */
  readonly signal?: AbortSignal;
  /** Told of work that goes on after the call has ended; the promise settles, without a value, when the work does. */
  readonly onLeftover?: (rest: Promise<void>) => void;
}

/** Step 5: runs a call to its settlement, with its lock, attempts and deadlines. Never rejects. */
export async function execute(ready: ReadyCall, scope: CallScope, options: ExecuteOptions = {}): Promise<Settlement> {
  return new Execution(ready, scope, options).run();
}

type Facts = Omit<Settlement, 'attempts' | 'startedAt' | 'endedAt'>;

class Execution {
  private readonly tool: ToolDefinition;
  private readonly startedAt: number;
  private readonly endsBy: number;
  private attempts = 0;
  private release: (() => void) | undefined;
  /** Attempts that outlived their time; the lock is held until the last of them has settled. */
  private leftovers: Promise<void>[] = [];

  constructor(
    private readonly ready: ReadyCall,
    private readonly scope: CallScope,
    private readonly options: ExecuteOptions,
  ) {
    this.tool = ready.tool.definition;
    this.startedAt = scope.environment.now();
    this.endsBy = this.startedAt + budgetOf(this.tool, scope.ceiling);
  }

  async run(): Promise<Settlement> {
    try {
      const hit = this.tool.behaviour.cache === undefined ? undefined : kept(this.ready, this.scope);
      if (hit !== undefined) return this.settle({ outcome: 'ok', value: hit.value, fromTool: true });
      const refusal = this.isAborted ? this.notBegun() : ((await this.takeLock()) ?? (await this.announced()));
      return this.settle(refusal ?? (await this.attempt()));
    } catch (error) {
      // A lock function, or the host's clock: the call still ends in one result.
      return this.settle(this.unexpected(error));
    } finally {
      this.freeLock();
    }
  }

  private get throttled(): boolean {
    const { rateLimit, breaker } = this.tool.behaviour;
    return rateLimit !== undefined || breaker !== undefined;
  }

  private settle(facts: Facts): Settlement {
    return { attempts: this.attempts, startedAt: this.startedAt, endedAt: this.scope.environment.now(), ...facts };
  }

  private get isAborted(): boolean {
    return this.scope.aborted || this.options.signal?.aborted === true;
  }

  private get timeLeft(): number {
    return Math.max(0, this.endsBy - this.scope.environment.now());
  }

  private notBegun(): Facts {
    return { outcome: 'aborted', value: abortedText(this.tool, false) };
  }

  private async takeLock(): Promise<Facts | undefined> {
    const { lock } = this.tool.behaviour;
    if (lock === undefined) return undefined;
    const giveUp = new AbortController();
    const acquired = this.scope.locks.acquire(keyOf(lock(this.ready.args)), giveUp.signal);
    const ended = await settled(acquired, this.timeLeft, [this.scope.signal, this.options.signal]);
    if (ended.how === 'returned') {
      this.release = ended.value as () => void;
      return undefined;
    }
    if (ended.how === 'threw') throw ended.error;
    giveUp.abort(ended);
    // It may be this call's turn in the very moment in which it stops waiting.
    acquired.then(
      (release) => release(),
      () => undefined,
    );
    if (ended.how === 'aborted') return this.notBegun();
    return {
      outcome: 'timeout',
      value: 'Timed out: another call held what this one needs for too long. It was not run; it may be tried again later.',
    };
  }

  /** Hooks hear of the call when nothing but its execution is left. */
  private announced(): Promise<Facts | undefined> | undefined {
    return isAnnounced(this.scope) ? announceStart(this.ready, this.scope) : undefined;
  }

  private freeLock(): void {
    const { release } = this;
    if (release === undefined) return;
    if (this.leftovers.length === 0) release();
    else void Promise.all(this.leftovers).then(release);
  }

  private async attempt(): Promise<Facts> {
    let { args } = this.ready;
    let last: Facts | undefined;
    for (;;) {
      // A repetition that must wait is none: the failure before it stands.
      const begun = this.throttled ? this.scope.throttle.begin(this.tool, this.scope.environment.now()) : undefined;
      if (begun !== undefined && 'reason' in begun) return last ?? { outcome: 'denied', reason: begun.reason, value: begun.text };
      this.attempts++;
      const ms = Math.min(this.tool.behaviour.timeout ?? this.scope.ceiling, this.timeLeft);
      const began = this.call(args, ms);
      const ended = began instanceof Promise ? await began : began;
      begun?.end(worked(ended), this.scope.environment.now());
      if (!mayRepeat(ended, this.tool, this.attempts)) return this.facts(ended, ms);
      const delay = delayAfter(this.attempts, this.scope.environment.random());
      if (this.isAborted || delay >= this.timeLeft) return this.facts(ended, ms);
      if (!(await this.rest(delay))) return { outcome: 'aborted', value: abortedText(this.tool, true) };
      if (this.throttled) last = this.facts(ended, ms);
      // The method may have changed what it was given: each attempt has its own.
      const again = await decodeAgain(this.ready, this.ready.tool, this.scope);
      if (again.ok) args = again.args;
    }
  }

  /** Waits between attempts; `false` when the call is ended meanwhile. */
  private async rest(ms: number): Promise<boolean> {
    const { environment, signal } = this.scope;
    const giveUp = new AbortController();
    const ended = await settled(environment.sleep(ms, giveUp.signal), undefined, [signal, this.options.signal]);
    if (ended.how === 'aborted') giveUp.abort(ended.reason);
    return ended.how !== 'aborted';
  }

  /** One attempt. A method that returns a plain value is not waited for. */
  private call(args: unknown, ms: number): Ended | Promise<Ended> {
    const { tool, scope, ready, attempts } = this;
    const context = new CallContext(scope, ready.call, tool.name, attempts, true, scope.environment.now());
    scope.emit({
      type: 'tool.start',
      callId: ready.call.id,
      name: tool.name,
      label: tool.label,
      arguments: ready.shown,
      attempt: attempts,
    });
    try {
      const returned = tool.call(ready.tool.host, args, context);
      const work = isGenerator(returned) ? drain(returned, context) : isThenable(returned) ? finished(returned, context) : undefined;
      if (work !== undefined) return this.wait(work, context, ms);
      context.end();
      return { how: 'returned', value: returned };
    } catch (error) {
      context.end();
      return { how: 'threw', error };
    }
  }

  private async wait(work: PromiseLike<unknown>, context: CallContext, ms: number): Promise<Ended> {
    if (this.tool.delegation !== undefined) return this.windDown(work, context, ms);
    // What is atomic is never cut off half-way: only its own time ends it.
    const signals = this.tool.behaviour.atomic ? [] : [this.scope.signal, this.options.signal];
    return this.close(await settled(work, ms, signals), context, ms);
  }

  /** An agent that is called is told of an abort and waited for: its calls may be atomic, and its transcript and usage are to be whole. */
  private async windDown(work: PromiseLike<unknown>, context: CallContext, ms: number): Promise<Ended> {
    const signals = [this.scope.signal, this.options.signal].filter((signal) => signal !== undefined);
    const unwatch = signals.map((signal) => onAbort(signal, () => context.abort(signal.reason)));
    const ended = await settled(work, ms, []);
    for (const stop of unwatch) stop();
    const aborted = ended.how !== 'expired' && signals.find((signal) => signal.aborted);
    return this.close(aborted ? { how: 'aborted', reason: aborted.reason, rest: Promise.resolve() } : ended, context, ms);
  }

  private close(ended: Ended, context: CallContext, ms: number): Ended {
    if (ended.how === 'expired') {
      context.abort(new ToolTimeoutError(`\`${this.tool.name}\` did not finish within ${ms} ms.`));
      this.leave(ended.rest, true);
    } else if (ended.how === 'aborted') {
      context.abort(ended.reason);
      this.leave(ended.rest, false);
    } else context.end();
    return ended;
  }

  private leave(rest: Promise<void>, late: boolean): void {
    const { scope, tool } = this;
    const since = scope.environment.now();
    const gone = !late
      ? rest
      : rest.then(() => {
          const text = `\`${tool.name}\` settled ${scope.environment.now() - since} ms after its time was up; what it gave was dropped.`;
          scope.emit({ type: 'warning', text });
        });
    this.leftovers.push(gone);
    this.options.onLeftover?.(gone);
  }

  private facts(ended: Ended, ms: number): Facts {
    switch (ended.how) {
      case 'returned':
        if (ended.value instanceof WaitingInside) return { outcome: 'ok', value: undefined, waits: ended.value };
        if (this.tool.behaviour.cache !== undefined) keep(this.ready, ended.value, this.scope);
        return { outcome: 'ok', value: ended.value, fromTool: true };
      case 'expired':
        return { outcome: this.tool.behaviour.annotations.readOnly === true ? 'timeout' : 'unsettled', value: expiredText(this.tool, ms) };
      case 'aborted':
        return { outcome: 'aborted', value: abortedText(this.tool, true) };
      case 'threw':
        return this.thrown(ended.error);
    }
  }

  private thrown(error: unknown): Facts {
    const about = errorFacts(error);
    if (ToolRetry.is(error)) {
      const left = this.tool.behaviour.maxRepairs - this.scope.tally(this.tool.name).repairs - 1;
      return { outcome: 'error', value: retryText(about.message, left), fromTool: true, repair: true, error: about };
    }
    if (ToolFailure.is(error)) return { outcome: 'error', value: `Error: ${about.message}`, fromTool: true, error: about };
    if (FatalToolError.is(error)) return { outcome: 'error', value: `Error: ${about.message}`, fromTool: true, error: about, fatal: error };
    return this.unexpected(error);
  }

  /** What nobody meant to say may hold secrets: the model reads it only when the host allows it; events and logs do. */
  private unexpected(error: unknown): Facts {
    const about = errorFacts(error);
    const { exposeErrors } = this.scope;
    return {
      outcome: 'error',
      value: unexpectedText(this.tool, this.attempts > 0, exposeErrors ? withoutSecrets(about.message) : undefined),
      fromTool: exposeErrors,
      error: about,
    };
  }
}

/** A lock's key. What is none, such as a promise, would be the same for all calls, or for none. */
function keyOf(key: unknown): string {
  if (typeof key === 'string' || typeof key === 'number') return String(key);
  if (isThenable(key)) key.then(undefined, () => undefined);
  throw new Error(`\`lock\` must give a text at once, not ${shown(key)}.`);
}

/** Whether an attempt speaks for or against the tool's health; what a tool says on purpose speaks for it, an abort says nothing. */
function worked(ended: Ended): boolean | undefined {
  if (ended.how === 'aborted') return undefined;
  if (ended.how === 'threw') return ToolRetry.is(ended.error) || ToolFailure.is(ended.error);
  return ended.how === 'returned';
}

/** What a promise gives; a generator that came out of one is run like any other. */
async function finished(returned: PromiseLike<unknown>, context: CallContext): Promise<unknown> {
  const value = await returned;
  return isGenerator(value) ? drain(value, context) : value;
}
